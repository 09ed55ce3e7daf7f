// The fields that a format's reader accepts, declared member by member. Undeclared ones are reported, at any depth, so
// that nothing is lost silently; references to data stored only at the vendor are reported separately, since no other
// channel may be called without it; and values of the wrong kind are refused with their path.
import { fail } from '../../errors.ts'
import { asList, asObject, asText, type JsonObject } from '../json/json-value.ts'

/** A reference to data that only its vendor has: a conversation, a file, a container. */
export interface VendorReference {
  field: string
  /** The data and its vendor, as in the error message. */
  what: string
  /** Formats of the same vendor that also support it. */
  formats: readonly string[]
}

/**
 * Refuses a request that refers to data stored only at its vendor, for other providers: a part of the conversation, the
 * prompt or the tools would be missing, and the answer would be charged even so.
 * @throws GatewayError request.kept_elsewhere if the format cannot express a reference of the request
 */
export function refuseVendorData(
  { vendorData = [] }: { vendorData?: readonly VendorReference[] },
  format: string,
): void {
  const unsupported = vendorData.filter(({ formats: accepted }) => !accepted.includes(format))
  const [first] = unsupported
  if (!first) return
  const fields = new Set(unsupported.map(({ field }) => field))
  fail('request.kept_elsewhere', { field: [...fields].join(', '), what: first.what, param: first.field })
}

/** The parts of a request that a reader does not accept. */
export interface UnsupportedFields {
  lost: Set<string>
  vendorData: VendorReference[]
}

/** Checks a non-empty member under this name. */
export type FieldCheck = (value: unknown, name: string, untaken: UnsupportedFields, spell: Spell) => void

/** Converts a member's name to its spelling in the declaration: some formats accept two spellings. */
export type Spell = (name: string) => string
const asItIs: Spell = (name) => name

/** Accepted, with everything in it. */
export const acceptAny: FieldCheck = () => {}

/** A value of the wrong kind; its path grows while it is thrown. */
class Misfit extends Error {
  readonly path: (string | number)[] = []
  readonly expected: string

  constructor(expected: string) {
    super(expected)
    this.expected = expected
  }
}

function placed(error: unknown, key: string | number): unknown {
  if (error instanceof Misfit) error.path.unshift(key)
  return error
}

function inside(key: string | number, look: () => void): void {
  try {
    look()
  } catch (error) {
    throw placed(error, key)
  }
}

/** Checks only a value's kind. */
export type KindCheck = (value: unknown) => void

/** Accepted if it fits; otherwise the request is refused, and the message names the expected kind. */
export const checkKind =
  (expected: string, fits: (value: unknown) => boolean): KindCheck =>
  (value) => {
    if (!fits(value)) throw new Misfit(expected)
  }

/** Accepted if it is of this kind; otherwise the request is refused. */
export const textField = checkKind('a text', (value) => typeof value === 'string')
export const number = checkKind('a number', (value) => typeof value === 'number')
export const flagField = checkKind('true or false', (value) => typeof value === 'boolean')
/** Many languages write an empty list and an empty object alike. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
export const object = checkKind('an object', (value) => asObject(value) !== undefined || isEmpty(value))
export const listField = checkKind('a list', (value) => Array.isArray(value) || isEmpty(value))
export const textOrList = checkKind('a text or a list', (value) => typeof value === 'string' || Array.isArray(value))
export const textOrObject = checkKind('a text or an object', (value) => typeof value === 'string' || !!asObject(value))
export const oneOf = (...words: readonly string[]): KindCheck =>
  checkKind(`one of ${words.join(', ')}`, (value) => words.includes(value as string))

/** Not accepted: reported as lost. */
export const reportLost: FieldCheck = (_, name, { lost }) => void lost.add(name)

/** Not accepted, except for these default values. */
export const acceptDefaults =
  (...values: readonly unknown[]): FieldCheck =>
  (value, name, { lost }) => {
    if (!values.includes(value)) lost.add(name)
  }

/** Refers to data that only the vendor stores. Without it the history, the prompt or a tool would be missing. */
export const storedByVendor =
  (what: string, ...accepted: readonly string[]): FieldCheck =>
  (_, field, untaken) =>
    void untaken.vendorData.push({ field, what, formats: accepted })

/** Checks every element of a list; a single one may come without its list. */
export const each =
  (shape: FieldCheck): FieldCheck =>
  (value, name, untaken, spell) => {
    if (!Array.isArray(value)) return shape(value, name, untaken, spell)
    for (const [at, one] of value.entries()) inside(at, () => shape(one, name, untaken, spell))
  }

/** A text, or a list of parts. */
export const textOr =
  <Place extends unknown[]>(parts: (value: unknown, ...place: Place) => void) =>
  (value: unknown, ...place: Place): void => {
    textOrList(value)
    if (typeof value !== 'string') parts(value, ...place)
  }

export type Shapes = Readonly<Record<string, FieldCheck>>

/** Checks an object's members. */
export const members =
  (shapes: Shapes, unknown: FieldCheck = reportLost): FieldCheck =>
  (value, name, untaken, spell) => {
    object(value)
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const spelt = spell(key)
      if (!hasContent(member)) continue
      const shape = getShape(shapes, spelt, unknown)
      inside(key, () => shape(member, name === '' ? spelt : `${name}.${spelt}`, untaken, spell))
    }
  }

/** One of several kinds, selected by its `type`, which also names it; `other` applies to undeclared types. */
export const byType =
  (kinds: Shapes, usualType = '', within = '', other: FieldCheck = acceptAny): FieldCheck =>
  (value, _, untaken, spell) => {
    object(value)
    const { type: typeValue } = value as JsonObject
    if (hasContent(typeValue)) inside('type', () => textField(typeValue))
    const type = asText(typeValue) ?? usualType
    getShape(kinds, type, other)(value, within + type, untaken, spell)
  }

/** Refuses an unknown type. */
export const refuseUnknownType: FieldCheck = () =>
  inside('type', () => {
    throw new Misfit('a known one')
  })

const getShape = (shapes: Shapes, name: string, other: FieldCheck): FieldCheck =>
  (Object.hasOwn(shapes, name) ? shapes[name] : undefined) ?? other

/** Has the value content? Empty values have none. */
function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * Returns the request members that its reader does not accept, unchanged, and the other parts that are not accepted.
 * @throws GatewayError request.invalid with the path of a value of the wrong kind
 */
export function findUnsupportedFields(
  request: JsonObject,
  shapes: Shapes,
  spell: Spell = asItIs,
): UnsupportedFields & { extra: JsonObject } {
  const all: UnsupportedFields = { lost: new Set(), vendorData: [] }
  const extra: JsonObject = {}
  for (const [key, value] of Object.entries(request)) {
    const name = spell(key)
    const own: UnsupportedFields = { lost: new Set(), vendorData: [] }
    if (hasContent(value)) look(() => inside(key, () => getShape(shapes, name, reportLost)(value, name, own, spell)))
    if (own.lost.delete(name) || own.vendorData.some(({ field }) => field === name)) extra[name] = value
    for (const field of own.lost) all.lost.add(field)
    all.vendorData.push(...own.vendorData)
  }
  return { ...all, extra }
}

/** Kinds of members that are checked for every provider: of an object by name, of a list for each element. */
export type MemberKinds = KindCheck | readonly [MemberKinds] | { readonly [name: string]: MemberKinds }

/** How a format finds a member, and whether a single element may come without its list. */
export interface MemberFinding {
  member(value: unknown, name: string): unknown
  single?: true
}

const BY_NAME: MemberFinding = { member: (value, name) => (value as JsonObject)[name] }

/** Checks only the declared members; missing ones and null are accepted. */
export function toKindCheck(kinds: MemberKinds, finding: MemberFinding = BY_NAME): KindCheck {
  if (typeof kinds === 'function') return kinds
  if (isList(kinds)) return checkList(toKindCheck(kinds[0], finding), finding)
  const all = Object.entries(kinds).map(([name, inner]) => ({ name, look: toKindCheck(inner, finding) }))
  return (value) => {
    object(value)
    let name = ''
    try {
      for (const one of all) {
        const member = finding.member(value, (name = one.name))
        if (member !== undefined && member !== null) one.look(member)
      }
    } catch (error) {
      throw placed(error, name)
    }
  }
}

const isList = (kinds: Exclude<MemberKinds, KindCheck>): kinds is readonly [MemberKinds] => Array.isArray(kinds)

function checkList(each: KindCheck, { single }: MemberFinding): KindCheck {
  return (value) => {
    if (single && !Array.isArray(value)) return each(value)
    listField(value)
    let at = 0
    try {
      for (const one of asList(value) ?? []) {
        each(one)
        at++
      }
    } catch (error) {
      throw placed(error, at)
    }
  }
}

/** @throws GatewayError request.invalid with the path of a value of the wrong kind */
export const checkRequestKinds = (request: JsonObject, kind: KindCheck): void => look(() => kind(request))

function look(at: () => void): void {
  try {
    at()
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    const param = error.path
      .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
      .join('')
    fail('request.invalid', { param, reason: `${param} must be ${error.expected}` })
  }
}
