// The vendors' rules for schemas: their pages as checks, each of which names the violation.
//   https://platform.claude.com/docs/en/build-with-claude/structured-outputs ("JSON Schema limitations")
//   https://developers.openai.com/api/docs/guides/structured-outputs ("Supported schemas")
//   https://ai.google.dev/gemini-api/docs/structured-output and the reference of Schema
import type { Json } from './json.ts'

type Check = (schema: Json, say: (fault: string) => void) => void

const COMMON = ['type', 'title', 'description', 'enum', 'properties', 'required', 'items', 'anyOf']

/** Every schema inside, the whole first. */
export function* each(schema: Json): Generator<Json> {
  yield schema
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.$defs ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.prefixItems ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.additionalProperties?.constructor === Object ? [schema.additionalProperties] : []),
  ]
  for (const one of inner) yield* each(one as Json)
}

const only = (schema: Json, words: string[], say: (fault: string) => void) => {
  for (const word of Object.keys(schema)) if (!words.includes(word)) say(`${word} is not supported`)
}

const types = ({ type }: Json): string[] => (type === undefined ? [] : Array.isArray(type) ? type : [type])
const scalars = ({ enum: values = [] }: Json) => values.every((one: Json) => one === null || typeof one !== 'object')

/** Where objects name all their members. */
const closed: Check = (schema, say) => {
  if (!types(schema).includes('object')) return
  if (schema.additionalProperties !== false) say('additionalProperties must be false')
  if (!schema.properties) say('an object without properties')
}

const told: Check = (schema, say) => {
  if (!schema.type && !schema.anyOf && !schema.$ref) say('neither type nor anyOf')
  if (types(schema).includes('array') && !schema.items) say('an array without items')
}

const CLAUDE_FORMATS = 'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' ')
const OPENAI_FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')

function faultsOf(whole: Json, checks: Check[]): string[] {
  const faults: string[] = []
  for (const schema of each(whole)) for (const check of checks) check(schema, (fault) => faults.push(fault))
  return faults
}

/** @param schemas all of one request */
export function claudeFaults(...schemas: Json[]): string[] {
  const faults = schemas.flatMap((schema) =>
    faultsOf(schema, [
      (one, say) => only(one, [...COMMON, 'additionalProperties', 'format', 'minItems'], say),
      closed,
      told,
      (one, say) => {
        if (!scalars(one)) say('complex values in enum')
        if (one.format && !CLAUDE_FORMATS.includes(one.format)) say(`format ${one.format}`)
        if (one.minItems > 1) say('minItems above 1')
      },
    ]),
  )
  const all = schemas.flatMap((schema) => [...each(schema)])
  const optional = all.flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((name) => !required.includes(name)),
  )
  const unions = all.filter((one) => one.anyOf || Array.isArray(one.type))
  if (optional.length > 24) faults.push('more than 24 optional parameters')
  if (unions.length > 16) faults.push('more than 16 unions')
  return faults
}

export function openaiFaults(whole: Json): string[] {
  const limits = 'pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  )
  const depth = (one: Json): number =>
    (one.type === 'object' ? 1 : 0) +
    Math.max(
      0,
      ...[...Object.values(one.properties ?? {}), ...(one.anyOf ?? []), ...(one.items ? [one.items] : [])].map(depth),
    )
  return [
    ...(whole.type === 'object' ? [] : ['the root is no object']),
    ...(depth(whole) > 10 ? ['more than 10 levels'] : []),
    ...faultsOf(whole, [
      (one, say) => only(one, [...COMMON, ...limits, 'additionalProperties', '$ref', '$defs'], say),
      closed,
      told,
      (one, say) => {
        const names = Object.keys(one.properties ?? {})
        if (types(one).includes('object') && !names.every((name) => one.required?.includes(name)))
          say('not all required')
        if (one.$ref && Object.keys(one).length > 1) say('words beside $ref')
        if (!scalars(one)) say('complex values in enum')
        if (one.format && !OPENAI_FORMATS.includes(one.format)) say(`format ${one.format}`)
        if (/\(\?[=!<]/.test(one.pattern ?? '')) say('looking around in a pattern')
      },
    ]),
  ]
}

const GOOGLE_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT']

/** Of Google's own words. */
export const googleFaults = (whole: Json): string[] =>
  faultsOf(whole, [
    (one, say) => {
      const limits = 'minItems maxItems minProperties maxProperties minLength maxLength pattern minimum maximum default'
      only(one, [...COMMON, ...limits.split(' '), 'format', 'nullable', 'propertyOrdering', 'example'], say)
      if (!one.anyOf && !GOOGLE_TYPES.includes(one.type)) say(`type ${one.type}`)
      if (one.type === 'ARRAY' && !one.items) say('an array without items')
      if (one.type === 'OBJECT' && Object.keys(one.properties ?? {}).length === 0) say('an object without properties')
      if (one.required?.some((name: string) => !(name in (one.properties ?? {})))) say('required without property')
      if (one.enum && (one.type !== 'STRING' || !one.enum.every((value: Json) => typeof value === 'string')))
        say('enum')
      if (one.format && !['date-time', 'enum', 'int32', 'int64', 'float', 'double'].includes(one.format)) say('format')
    },
  ])

/** Of the JSON schema that Google takes. */
export const googleJsonFaults = (whole: Json): string[] =>
  faultsOf(whole, [
    (one, say) => {
      const limits =
        '$id $defs $ref $anchor format prefixItems minItems maxItems minimum maximum oneOf additionalProperties'
      only(one, [...COMMON, ...limits.split(' ')], say)
      if (one.enum?.some((value: Json) => typeof value !== 'string' && typeof value !== 'number')) say('enum')
      if (one.$ref && Object.keys(one).some((word) => !word.startsWith('$'))) say('words beside $ref')
    },
  ])

/** Google's own words as JSON schema, to validate with. */
export function asJsonSchema({ type, nullable, anyOf, items, properties, ...rest }: Json): Json {
  const plain = {
    ...rest,
    ...(type ? { type: type.toLowerCase() } : {}),
    ...(items ? { items: asJsonSchema(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, asJsonSchema(one as Json)]),
          ),
        }
      : {}),
    ...(anyOf ? { anyOf: anyOf.map(asJsonSchema) } : {}),
  }
  return nullable ? { anyOf: [plain, { type: 'null' }] } : plain
}
