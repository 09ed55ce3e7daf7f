// The subset of JSON Schema that Anthropic's structured outputs and strict tools are held to.
import type { Json } from '../../support/json.ts'

const anywhere = [
  'type',
  'title',
  'description',
  'enum',
  'const',
  'default',
  '$ref',
  '$defs',
  'definitions',
  'anyOf',
  'allOf',
  '$schema',
  '$id',
  'examples',
]
const byType: Record<string, readonly string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems'],
  string: ['format', 'pattern'],
}
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']
/** More of them, over the whole schema, are too complex. */
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16

/** What is wrong with a schema, in Anthropic's words; undefined where nothing is. */
export function subsetFault(schema: Json): string | undefined {
  const found = fault(schema)
  if (found) return found
  const all = [...walk(schema)]
  if (recursive(schema)) return 'Circular reference detected in schema definitions'
  const optional = all.flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((name) => !required.includes(name)),
  )
  if (optional.length > MOST_OPTIONAL) {
    return `Schemas contains too many optional parameters (${optional.length}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${MOST_OPTIONAL}).`
  }
  const unions = all.filter(({ anyOf, type }) => anyOf || Array.isArray(type))
  if (unions.length > MOST_UNIONS)
    return `Schemas contains too many parameters with union types (${unions.length}), limit: ${MOST_UNIONS}.`
  return undefined
}

const inner = (schema: Json): Json[] => [
  ...Object.values(schema.properties ?? {}),
  ...Object.values(schema.$defs ?? {}),
  ...Object.values(schema.definitions ?? {}),
  ...(schema.anyOf ?? []),
  ...(schema.allOf ?? []),
  ...(schema.items ? [schema.items] : []),
]

function* walk(schema: Json): Generator<Json> {
  yield schema
  for (const each of inner(schema)) yield* walk(each)
}

function fault(schema: Json): string | undefined {
  if (typeof schema !== 'object' || schema === null) return 'Invalid schema: Schemas must be objects'
  for (const key of ['oneOf', 'not', 'if', 'then', 'else'])
    if (key in schema) return `Schema type '${key}' is not supported`
  if (!['type', 'enum', 'const', '$ref', 'anyOf', 'allOf'].some((key) => key in schema)) {
    return `Schema type is not specified: ${JSON.stringify(schema)}`
  }
  if (schema.$ref !== undefined && !schema.$ref.startsWith('#')) return 'External $ref is not supported'
  const types: string[] = [schema.type ?? []].flat()
  const allowed = [...anywhere, ...types.flatMap((type) => byType[type] ?? [])]
  const refused = Object.keys(schema).find((key) => !allowed.includes(key))
  const where = `For '${types[0] ?? 'any'}' type`
  if (refused) return `${where}, property '${refused}' is not supported`
  if (types.includes('object') && schema.additionalProperties !== false) {
    return `${where}, 'additionalProperties' must be explicitly set to false`
  }
  if (schema.minItems !== undefined && schema.minItems > 1)
    return `${where}, 'minItems' values other than 0 or 1 are not supported`
  if (schema.format !== undefined && !formats.includes(schema.format))
    return `${where}, format '${schema.format}' is not supported`
  if (/\(\?[=!<]|\\[1-9bB]/.test(schema.pattern ?? ''))
    return `${where}, the pattern '${schema.pattern}' is not supported`
  if ((schema.enum ?? []).some((value: unknown) => typeof value === 'object' && value !== null))
    return 'Enum values must not be objects or arrays'
  return inner(schema)
    .map(fault)
    .find((found) => found !== undefined)
}

/** Does a definition lead back to itself? */
function recursive(root: Json): boolean {
  const target = (ref: string): Json =>
    ref
      .split('/')
      .slice(1)
      .reduce((at: Json, key) => at?.[decodeURIComponent(key).replaceAll('~1', '/')], root)
  const leadsTo = (schema: Json, open: readonly string[]): boolean =>
    [...walk(schema)].some(
      ({ $ref }) => $ref !== undefined && (open.includes($ref) || leadsTo(target($ref) ?? {}, [...open, $ref])),
    )
  return leadsTo(root, ['#'])
}
