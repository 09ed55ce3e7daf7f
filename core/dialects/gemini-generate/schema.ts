// Google's two kinds of schemas: its own (of OpenAPI), and the subset of JSON schema that it accepts instead
// ("Structured outputs" and the reference of `Schema`, November 2026). Also converts Google's schemas to JSON schema.
import { FULL_JSON_SCHEMA, fitSchemaToSubset, type SchemaSubset } from '../json-schema/write.ts'
import { asList, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { toCamelCase } from './fields.ts'

const limits = new Set(
  'minItems maxItems minProperties maxProperties minLength maxLength pattern minimum maximum default'.split(' '),
)

const own: SchemaSubset = {
  ...FULL_JSON_SCHEMA,
  recursive: false,
  anything: false,
  tuples: false,
  supports: (word, value) => limits.has(word) || (word === 'format' && value === 'date-time'),
  supportsValue: (value) => typeof value === 'string',
}

const jsonLimits = new Set('minItems maxItems minimum maximum'.split(' '))
const jsonFormats = new Set<unknown>(['date-time', 'date', 'time'])

const json: SchemaSubset = {
  ...FULL_JSON_SCHEMA,
  supports: (word, value) => jsonLimits.has(word) || (word === 'format' && jsonFormats.has(value)),
  supportsValue: (value) => typeof value === 'string' || typeof value === 'number',
}

/**
 * Converts to Google's own schema, which every model and version of the API accepts; undefined if it cannot express the
 * schema.
 */
export function toGoogle(schema: unknown): JsonObject | undefined {
  const written = fitSchemaToSubset(schema, own)
  return written && inOwnWords(written)
}

/** Converts to the subset of JSON schema that Google accepts; undefined if the schema makes no sense. */
export const toGoogleJson = (schema: unknown): JsonObject | undefined => fitSchemaToSubset(schema, json)

/** Returns undefined for a schema that only JSON schema can express: maps, objects without members, only null. */
function inOwnWords(schema: JsonObject): JsonObject | undefined {
  const { type, anyOf, items, properties, additionalProperties, ...rest } = schema
  if (asObject(additionalProperties)) return undefined
  if (type === 'object' && Object.keys(asObject(properties) ?? {}).length === 0) return undefined
  const shapes = Array.isArray(type) ? type.map((one) => ({ type: one as unknown })) : asList(anyOf)
  const some = shapes?.filter((one) => asObject(one)?.type !== 'null')
  const nullable = some && shapes && some.length < shapes.length ? { nullable: true } : {}
  const [only] = some ?? []
  if (type === 'null' || some?.length === 0) return undefined
  if (some?.length === 1) {
    const inner = inOwnWords({ ...(Array.isArray(type) ? { ...rest, items, properties } : {}), ...asObject(only) })
    return inner && { ...inner, ...rest, ...nullable }
  }
  const members = properties === undefined ? undefined : each(asObject(properties) ?? {}, inOwnWords)
  const item = items === undefined ? undefined : inOwnWords(asObject(items) ?? {})
  const alternatives = some?.map((one) => inOwnWords(asObject(one) ?? {}))
  if ((properties && !members) || (items && !item) || alternatives?.includes(undefined)) return undefined
  return {
    ...rest,
    ...(asText(type) ? { type: String(type).toUpperCase() } : {}),
    ...(members ? { properties: members } : {}),
    ...(item ? { items: item } : {}),
    ...(alternatives ? { anyOf: alternatives } : {}),
    ...nullable,
  }
}

function each(members: JsonObject, change: (one: JsonObject) => JsonObject | undefined): JsonObject | undefined {
  const changed = Object.entries(members).map(([name, one]) => [name, change(asObject(one) ?? {})] as const)
  return changed.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(changed)
}

/** Numbers of 64 bits, which Google also writes as texts. */
const counts = new Set('minItems maxItems minProperties maxProperties minLength maxLength'.split(' '))

/** Converts Google's schema to a JSON schema, with its members in the declared order. */
export function fromGoogleSchema(value: unknown): unknown {
  const schema = asObject(value)
  if (!schema) return value
  const camelMembers = Object.fromEntries(Object.entries(schema).map(([key, member]) => [toCamelCase(key), member]))
  const {
    type,
    nullable,
    items,
    properties,
    anyOf,
    propertyOrdering,
    enum: values,
    format,
    example,
    ...rest
  } = camelMembers
  const name = asText(type)?.toLowerCase()
  const known = name === 'type_unspecified' ? undefined : name
  const none = nullable === true
  const shapes = asList(anyOf)?.map(fromGoogleSchema)
  const allowed = asList(values)
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([key, one]) => [key, counts.has(key) && typeof one === 'string' ? Number(one) : one]),
    ),
    ...(known === undefined ? {} : { type: none && known !== 'null' ? [known, 'null'] : known }),
    ...(allowed ? { enum: none ? [...allowed, null] : allowed } : {}),
    ...(asText(format) && known === 'string' && format !== 'enum' ? { format } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(items === undefined ? {} : { items: fromGoogleSchema(items) }),
    ...(properties === undefined ? {} : { properties: ordered(asObject(properties) ?? {}, propertyOrdering) }),
    ...(shapes ? { anyOf: none ? [...shapes, { type: 'null' }] : shapes } : {}),
  }
}

function ordered(properties: JsonObject, order: unknown): JsonObject {
  const named = (asList(order) ?? []).filter((name): name is string => Object.hasOwn(properties, String(name)))
  const names = [...new Set([...named, ...Object.keys(properties)])]
  return Object.fromEntries(names.map((name) => [name, fromGoogleSchema(properties[name])]))
}
