// Converts declared shapes to JSON schemas with descriptions and examples. zod writes the schemas; descriptions are
// added afterwards, since zod and zod-openapi allow one per schema, and here one schema has many names.
import { z } from 'zod'
import { findFieldDeclaration } from './field.ts'
import { glossary, type Term } from './glossary.data.ts'

export type JsonSchemaObject = Record<string, unknown>

/** Schemas by name. */
export type NamedSchemas = Record<string, JsonSchemaObject>

const isObject = (value: unknown): value is JsonSchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the description of an undeclared field in an endpoint (`feature.name`): the closest row of the glossary. */
function findTerm(endpoint: string, field: string): Term | undefined {
  const [feature = ''] = endpoint.split('.')
  return glossary[`${endpoint}.${field}`] ?? glossary[`${feature}.${field}`] ?? glossary[field]
}

/**
 * The schema of a shape. A shape with a name, which is the `id` of its metadata, is put among the components, from which
 * generated clients make a type each.
 */
export function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  endpoint: string,
  components: NamedSchemas,
): JsonSchemaObject {
  const {
    $schema: _,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema.field
      const declared = findFieldDeclaration(zodSchema)
      if (declared) Object.assign(jsonSchema, { description: declared.help.en, examples: [declared.example] })
    },
  }) as JsonSchemaObject
  for (const [name, shape] of Object.entries($defs as NamedSchemas))
    components[name] ??= describeSchema(shape, endpoint)
  const { id, ...rest } = json
  if (typeof id !== 'string') return describeSchema(json, endpoint)
  components[id] ??= describeSchema(rest, endpoint)
  return { $ref: `#/components/schemas/${id}` }
}

/** The schema with the meaning of each of its fields. */
function describeSchema(schema: JsonSchemaObject, endpoint: string): JsonSchemaObject {
  const { id: _, $ref, ...rest } = schema
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/$defs/', '#/components/schemas/') }
  return Object.fromEntries(
    Object.entries(rest).map(([word, value]) => {
      if (word === 'properties') return [word, describeFields(value as NamedSchemas, endpoint)]
      if (Array.isArray(value))
        return [word, value.map((each) => (isObject(each) ? describeSchema(each, endpoint) : each))]
      return [word, isObject(value) && word !== 'default' ? describeSchema(value, endpoint) : value]
    }),
  )
}

const describeFields = (fields: NamedSchemas, endpoint: string): NamedSchemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const { description, examples = [], ...schemaOnly } = schema as { description?: string; examples?: unknown[] }
      const [meaning, example] = description ? [description, examples[0]] : (findTerm(endpoint, name) ?? [])
      const described = describeSchema(schemaOnly, endpoint)
      if ('$ref' in described) return [name, described]
      return [name, { ...described, ...(meaning ? { description: meaning } : {}), ...fitting(described, example) }]
    }),
  )

/**
 * Returns an example only if it has the type of the field, since one name may be a number in one place and a text in
 * another.
 */
const fitting = (schema: JsonSchemaObject, example: unknown): JsonSchemaObject =>
  example !== undefined && takes(schema, example) ? { examples: [example] } : {}

function takes(schema: JsonSchemaObject, value: unknown): boolean {
  const kinds = (schema.anyOf ?? schema.oneOf) as JsonSchemaObject[] | undefined
  if (kinds) return kinds.some((kind) => takes(kind, value))
  if ('const' in schema) return schema.const === value
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (schema.type === undefined) return true
  if (typeof value === 'string' && schema.pattern !== undefined)
    // oxlint-disable-next-line weir/no-pattern-of-text -- the patterns of our own schemas
    return new RegExp(String(schema.pattern), 'u').test(value)
  return (
    [schema.type].flat().includes(getJsonType(value)) || (schema.type === 'number' && getJsonType(value) === 'integer')
  )
}

function getJsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Builds a valid value from the examples of the schema's fields. */
export function buildExample(schema: JsonSchemaObject, components: NamedSchemas): unknown {
  if (typeof schema.$ref === 'string')
    return buildExample(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('default' in schema) return schema.default
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [kind] = ((schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchemaObject[] | undefined) ?? []
  if (kind) return buildExample(kind, components)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as NamedSchemas).map(([name, field]) => [
          name,
          buildExample(field, components),
        ]),
      )
    case 'array':
      return isObject(schema.items) ? [buildExample(schema.items, components)] : []
    case 'number':
    case 'integer':
      return Math.max(0, Number(schema.minimum ?? 0))
    case 'boolean':
      return true
    case 'string':
      return ''
    default:
      return null
  }
}
