// Normalizes a tool's parameters to a form that every vendor accepts: one object at the root, in the keywords of the
// newest draft.
import { asList, asObject, type JsonObject } from '../json/json-value.ts'
import { uniteShapes, type SchemaShape, readSchemaShape } from './shape.ts'
import { FULL_JSON_SCHEMA, tryWriteSchema, writeTree } from './write.ts'

/** Returns the schema itself if every vendor accepts it, otherwise an equivalent one. */
export function normalizeParameters(schema: unknown): JsonObject {
  const own = asObject(schema) ?? {}
  if (own.type === 'object' && asObject(own.properties) && !ROOT.some((word) => word in own) && isCurrent(own))
    return own
  const written = tryWriteSchema(() => {
    const { root, definitions } = readSchemaShape(own)
    return writeTree({ root: toObjectShape(root), definitions }, FULL_JSON_SCHEMA)
  })
  const rest = Object.fromEntries(Object.entries(own).filter(([word]) => !ROOT.includes(word)))
  return written ?? { properties: {}, ...rest, type: 'object' }
}

/** Keywords that no vendor accepts at a tool's root. */
const ROOT = ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']

const inEach = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']
const inList = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const inside = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']

/** Keywords of OpenAPI and Google. */
const foreign = ['nullable', 'propertyOrdering', 'property_ordering', 'example']

/** Is the schema free of keywords of older drafts and other vendors, and of lists without an item type? */
function isCurrent(schema: JsonObject): boolean {
  if (Array.isArray(schema.items) || (schema.type === 'array' && schema.items === undefined)) return false
  if (foreign.some((word) => word in schema)) return false
  if (typeof schema.exclusiveMinimum === 'boolean' || typeof schema.exclusiveMaximum === 'boolean') return false
  return (
    inEach.every((word) => Object.values(asObject(schema[word]) ?? {}).every(isCurrentValue)) &&
    inList.every((word) => (asList(schema[word]) ?? []).every(isCurrentValue)) &&
    inside.every((word) => isCurrentValue(schema[word]))
  )
}

const isCurrentValue = (value: unknown): boolean => {
  const schema = asObject(value)
  return !schema || isCurrent(schema)
}

/** Merges several shapes into one that allows them all: a member is required if all of them require it. */
function toObjectShape(shape: SchemaShape): SchemaShape {
  const { choices, properties = {}, ...rest } = shape
  if (!choices) return { ...rest, types: ['object'], properties }
  const each = choices.filter(({ types }) => !types || types.includes('object')).map(toObjectShape)
  const names = [...new Set(each.flatMap((one) => Object.keys(one.properties ?? {})))]
  const required = names.filter((name) => each.every((one) => one.required?.includes(name)))
  const shapes = (name: string) => each.flatMap((one) => one.properties?.[name] ?? [])
  // A shape with properties is written as an object.
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, uniteShapes(shapes(name))])),
    ...(required.length > 0 ? { required } : {}),
  }
}
