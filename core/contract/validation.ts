// Converts a schema error to a refusal in plain language: the fault, with the field's label and path.
import type { z } from 'zod'
import { errors, fillTemplate, GatewayError, words, type ErrorCode, type Parameters, type Words } from '../errors.ts'
import { faults } from './faults.data.ts'
import { findFieldDeclaration, findSchemaAt, toRules, describeWithZero } from './field.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** One thing that is wrong with a value. */
export interface Fault {
  path: Path
  /** The sentence that the schema names by its code, and what it is filled with. */
  own?: { code: ErrorCode; params: Parameters }
  /** The reason for a schema without an error code, as a clause that names the field. */
  reason(field: Words): Words
}

/** The first thing that is wrong with a value. */
export const findFirstFault = (error: z.ZodError, schema: z.ZodType, input: unknown): Fault =>
  collectFaults(error, schema, input)[0]!

/** Everything that is wrong with it: one thing of each place, in the order of the schema. */
function collectFaults({ issues }: z.ZodError, schema: z.ZodType, input: unknown): [Fault, ...Fault[]] {
  const places = new Map<string, Fault>()
  for (const issue of issues.map(closest)) {
    const place = issue.path.map(String).join('.')
    if (!places.has(place))
      places.set(place, {
        path: issue.path,
        own: ownSentence(issue),
        reason: (field) => describeReason(issue, schema, input, field),
      })
  }
  const [first, ...others] = places.values()
  if (!first) throw new Error('a refused input has an issue')
  return [first, ...others]
}

/**
 * Returns why an input is refused, with the field's label and path; every further invalid field is an additional
 * refusal.
 */
export function describeValidationRefusal(error: z.ZodError, schema: z.ZodType, input: unknown): GatewayError {
  const [first, ...others] = collectFaults(error, schema, input).map(({ path, own, reason }) => {
    const field = named(schema, path)
    const where = path.length === 0 ? {} : { field: path.map(String).join('.') }
    return own
      ? new GatewayError(own.code, { field, ...own.params }, where)
      : new GatewayError('request.invalid', { reason: reason(field) }, where)
  })
  return attachOtherRefusals(first!, others)
}

/** Parses the input by its schema. @throws GatewayError that describes the fault */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const { data, error } = schema.safeParse(input)
  if (error) throw describeValidationRefusal(error, schema, input)
  return data as T
}

/** Returns the refusal with those of other fields attached. */
export const attachOtherRefusals = (refusal: GatewayError, others: readonly GatewayError[]): GatewayError =>
  others.length === 0
    ? refusal
    : new GatewayError(refusal.code, refusal.parameters, {
        field: refusal.field,
        others: [...refusal.others, ...others.flatMap((each) => [each, ...each.others])],
      })

/** Describes faults as clauses with the paths of their fields. `called` returns the name that the interface shows for a value. */
export function describeFaults(
  error: z.ZodError,
  schema: z.ZodType,
  input: unknown,
  called: (path: Path) => Words,
): [InputFault, ...InputFault[]] {
  const clause = ({ path, own, reason }: Fault): InputFault => {
    const field = called(path)
    const reasonWords = own ? new GatewayError(own.code, { field, ...own.params }).words : reason(field)
    return { field: path.map(String).join('.'), text: reasonWords }
  }
  const [first, ...others] = collectFaults(error, schema, input)
  return [clause(first), ...others.map(clause)]
}

/** A fault of the field with that path. */
export interface InputFault {
  field: string
  text: Words
}

/**
 * Of several alternatives that all failed, the one with the deepest fault was intended; the same applies to the names
 * of a map.
 */
function closest(issue: Issue): Issue {
  const inside =
    issue.code === 'invalid_union'
      ? issue.errors
          .flatMap((each) => each.slice(0, 1))
          .filter(({ path, code }) => path.length > 0 || code === 'custom')
      : issue.code === 'invalid_key' || issue.code === 'invalid_element'
        ? issue.issues.filter((each) => ownSentence(each) !== undefined)
        : []
  const [branch] = inside
  return branch ? closest({ ...branch, path: [...issue.path, ...branch.path] }) : issue
}

/** Returns the error that a schema names as its message, with the parameters of that check. */
function ownSentence(issue: Issue): Fault['own'] {
  const { message } = issue
  if (!Object.hasOwn(errors, message)) return undefined
  return { code: message as ErrorCode, params: issue.code === 'custom' ? ((issue.params ?? {}) as Parameters) : {} }
}

const BODY = words('The body')

/** `Name (name)`: the label of the nearest declared field on the way, and the path. */
function named(schema: z.ZodType, path: Path): Words {
  if (path.length === 0) return BODY
  const written = path.map(String).join('.')
  const way = path.map((_, at) => findSchemaAt(schema, path.slice(0, path.length - at)))
  const label = way.map((each) => each && findFieldDeclaration(each)?.label).find((each) => each !== undefined)
  return label
    ? fillTemplate(words('{label} ({written})'), { label, written })
    : fillTemplate(words('{path}'), { path: written })
}

function describeReason(issue: Issue, schema: z.ZodType, input: unknown, field: Words): Words {
  const fault = (name: keyof typeof faults, params: Parameters = {}) => fillTemplate(faults[name], { field, ...params })
  const leaf = findSchemaAt(schema, issue.path)
  const wrongNumber = () => describeWithZero(numberFault(leaf, fault), leaf && findFieldDeclaration(leaf)?.zero)
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(input, issue.path)) return fault('missing')
      return numbers.has(issue.expected) ? wrongNumber() : fault(kinds[issue.expected] ?? 'kind')
    case 'too_small':
    case 'too_big':
      return numbers.has(issue.origin) ? wrongNumber() : sizeFault(issue, fault)
    case 'not_multiple_of':
      return wrongNumber()
    case 'invalid_value':
      if (isMissing(input, issue.path)) return fault('missing')
      return fault('choice', { choices: issue.values.map((value) => (value === '' ? '""' : String(value))).join(', ') })
    case 'invalid_format':
      if (issue.format === 'url') return fault('address')
      return fault(/^(ipv|cidrv)/.test(issue.format) ? 'network' : 'form')
    case 'unrecognized_keys':
      return fault('unknown', { name: issue.keys.join(', ') })
    case 'invalid_key':
      return fault('name', { name: String(issue.path.at(-1) ?? '') })
    case 'invalid_union':
      return leaf && numbers.has(getNumeric(leaf).type ?? '') ? wrongNumber() : fault('kind')
    default:
      return fault('kind')
  }
}

type DescribeFault = (name: keyof typeof faults, params?: Parameters) => Words

const numbers = new Set<string>(['number', 'int', 'integer', 'bigint', 'nan'])
const kinds: Partial<Record<string, keyof typeof faults>> = {
  string: 'text',
  boolean: 'flag',
  array: 'list',
  tuple: 'list',
  object: 'object',
  record: 'object',
  null: 'nothing',
}

function sizeFault(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, fault: DescribeFault) {
  const [few, many] = issue.origin === 'string' ? (['short', 'long'] as const) : (['few', 'many'] as const)
  if (issue.code === 'too_big') return fault(many, { max: Number(issue.maximum) })
  return Number(issue.minimum) === 1 ? fault('empty') : fault(few, { min: Number(issue.minimum) })
}

interface Numeric {
  type?: string
  minimum?: number
  maximum?: number
}

/** Describes the allowed numbers: integer or not, and both bounds, whichever was exceeded. */
function numberFault(leaf: z.ZodType | undefined, fault: DescribeFault): Words {
  const { type, minimum, maximum } = leaf ? getNumeric(leaf) : {}
  const kind = type === 'integer' ? 'whole' : 'number'
  const min = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum
  const max = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (min !== undefined && max !== undefined) return fault(`${kind}_between`, { min, max })
  if (min !== undefined) return fault(`${kind}_from`, { min })
  return max === undefined ? fault(kind) : fault(`${kind}_to`, { max })
}

/** Returns the numeric schema under any wrappers. */
function getNumeric(leaf: z.ZodType): Numeric {
  const json = toRules(leaf, 'output') as Numeric & { anyOf?: Numeric[] }
  return json.anyOf?.find(({ type }) => type === 'number' || type === 'integer') ?? json
}

/** Is there nothing where its object is? */
function isMissing(input: unknown, path: Path): boolean {
  let value = input
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value === undefined
}
