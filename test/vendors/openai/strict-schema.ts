// The subset of JSON Schema that OpenAI's strict formats and tools are held to.
import type { Json } from '../../support/json.ts'

const everywhere = [
  'type',
  'title',
  'description',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'examples',
]
const allowed = new Set([
  ...[
    ...everywhere,
    '$schema',
    '$id',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'minItems',
    'maxItems',
  ],
  ...['pattern', 'format', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
])
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

/** What is wrong with a strict schema, in OpenAI's words; undefined where nothing is. */
export function strictFault(schema: Json): string | undefined {
  if (schema?.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${shown(schema?.type)}"'.`
  return fault(schema, [])
}

/** What is wrong with a schema of a tool that is not strict. */
export function toolSchemaFault(schema: Json): string | undefined {
  if (schema === undefined || schema === null) return undefined
  if (schema.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${shown(schema.type)}"'.`
  return schema.properties === undefined && schema.$ref === undefined && schema.anyOf === undefined
    ? 'In context=(), object schema missing properties.'
    : undefined
}

const shown = (type: unknown): string => (type === undefined ? 'None' : String(type))

function fault(schema: Json, context: string[]): string | undefined {
  const where = `In context=(${context.map((part) => `'${part}'`).join(', ')}${context.length === 1 ? ',' : ''})`
  if (typeof schema !== 'object' || schema === null) return `${where}, schema must be an object.`
  const keys = Object.keys(schema)
  const refused = keys.find((key) => !allowed.has(key))
  if (refused) return `${where}, '${refused}' is not permitted.`
  if (schema.$ref !== undefined) {
    const beside = keys.filter((key) => !['$ref', '$defs', 'definitions'].includes(key))
    if (beside.length > 0) return `${where}, $ref cannot have keywords {${beside.map((key) => `'${key}'`).join(', ')}}.`
  } else if (!keys.some((key) => ['type', 'anyOf', 'enum', 'const'].includes(key))) {
    return `${where}, schema must have a 'type' key.`
  }
  if (schema.format !== undefined && !formats.has(schema.format))
    return `${where}, '${schema.format}' is not a valid format.`
  return objectFault(schema, where) ?? innerFault(schema, context, where)
}

function objectFault(schema: Json, where: string): string | undefined {
  if (![schema.type].flat().includes('object')) return undefined
  if (schema.additionalProperties !== false) {
    return `${where}, 'additionalProperties' is required to be supplied and to be false.`
  }
  const required: string[] = schema.required ?? []
  const names = Object.keys(schema.properties ?? {})
  const missing = names.find((name) => !required.includes(name))
  const rule = `${where}, 'required' is required to be supplied and to be an array including every key in properties.`
  if (missing !== undefined) return `${rule} Missing '${missing}'.`
  const extra = required.find((name) => !names.includes(name))
  return extra === undefined ? undefined : `${rule} Extra required key '${extra}' supplied.`
}

function innerFault(schema: Json, context: string[], where: string): string | undefined {
  if ([schema.type].flat().includes('array') && schema.items === undefined)
    return `${where}, array schema missing items.`
  const named = (['properties', '$defs', 'definitions'] as const).flatMap((key) =>
    Object.entries(schema[key] ?? {}).map(([name, inner]) => [inner, [key, name]] as const),
  )
  const listed = ((schema.anyOf ?? []) as Json[]).map((inner, at) => [inner, ['anyOf', String(at)]] as const)
  const items = schema.items === undefined ? [] : [[schema.items, ['items']] as const]
  for (const [inner, path] of [...named, ...listed, ...items]) {
    const found = fault(inner, [...context, ...path])
    if (found) return found
  }
  return undefined
}
