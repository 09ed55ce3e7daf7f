// JSON schemas and the part of OpenAPI's that Google takes in their place.
import { listIn, memberOf, objectIn, textIn, type JsonObject } from '../json-value.ts'

/** Words with the same meaning in both. */
const plain = new Set(
  (
    'title description enum required minItems maxItems minProperties maxProperties minLength maxLength pattern ' +
    'minimum maximum propertyOrdering default'
  ).split(' '),
)
/** Words that only comment: without them the same values are allowed. */
const comments = new Set('$schema $id $comment $defs definitions examples deprecated readOnly writeOnly'.split(' '))
const formats: Record<string, readonly string[]> = {
  STRING: ['enum', 'date-time'],
  NUMBER: ['float', 'double'],
  INTEGER: ['int32', 'int64'],
}
/** Deeper than any schema people write; also ends a schema that holds itself. */
const MAX_DEPTH = 32

/** Thrown inside, where a schema says what Google's subset cannot. */
class Unsayable extends Error {}

/** A JSON schema in Google's subset; undefined where the subset cannot say it. References are put in. */
export function toGoogle(schema: unknown): JsonObject | undefined {
  try {
    return convert(schema, schema, 0)
  } catch (error) {
    if (error instanceof Unsayable) return undefined
    throw error
  }
}

function convert(value: unknown, root: unknown, depth: number): JsonObject {
  const schema = resolved(value, root)
  if (depth > MAX_DEPTH || !schema) throw new Unsayable()
  const written: JsonObject = {}
  for (const [key, member] of Object.entries(schema)) {
    if (plain.has(key)) written[key] = member
    else if (key === 'items') written.items = convert(member, root, depth + 1)
    else if (key === 'properties') written.properties = eachOf(member, (one) => convert(one, root, depth + 1))
    else if (key === 'anyOf' || key === 'oneOf') Object.assign(written, alternatives(member, root, depth))
    else if (key === 'type') Object.assign(written, types(member))
    else if (key === 'const') written.enum = [member]
    else if (key === 'additionalProperties' ? typeof member === 'object' : !comments.has(key) && key !== 'format') {
      throw new Unsayable()
    }
  }
  const type = textIn(written.type)
  const format = textIn(schema.format)
  if (type && format && formats[type]?.includes(format)) written.format = format
  // Google lists values of texts alone.
  if (listIn(written.enum)?.some((one) => typeof one !== 'string')) throw new Unsayable()
  if (written.enum !== undefined && type === undefined) written.type = 'STRING'
  return written
}

function resolved(value: unknown, root: unknown): JsonObject | undefined {
  const schema = objectIn(value)
  const reference = textIn(schema?.$ref)
  if (!schema || reference === undefined) return schema
  if (!reference.startsWith('#')) throw new Unsayable()
  const target = reference
    .split('/')
    .slice(1)
    .reduce((at: unknown, step) => memberOf(at, step.replace(/~1/g, '/').replace(/~0/g, '~')), root)
  const { $ref: _, ...beside } = schema
  const found = objectIn(target)
  return found && { ...found, ...beside }
}

const eachOf = (value: unknown, change: (member: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(objectIn(value) ?? {}).map(([key, member]) => [key, change(member)]))

const isNull = (schema: unknown): boolean => memberOf(schema, 'type') === 'null'

/** Several shapes; that one may be null is a word of its own here. */
function alternatives(value: unknown, root: unknown, depth: number): JsonObject {
  const all = listIn(value) ?? []
  const shapes = all.filter((one) => !isNull(one)).map((one) => convert(one, root, depth + 1))
  const [only] = shapes
  const nullable = shapes.length < all.length ? { nullable: true } : {}
  return shapes.length === 1 && only ? { ...only, ...nullable } : { anyOf: shapes, ...nullable }
}

function types(value: unknown): JsonObject {
  const names = (listIn(value) ?? [value]).filter((name): name is string => typeof name === 'string')
  const shapes = names.filter((name) => name !== 'null').map((name) => name.toUpperCase())
  const nullable = shapes.length < names.length ? { nullable: true } : {}
  return shapes.length === 1
    ? { type: shapes[0], ...nullable }
    : { anyOf: shapes.map((type) => ({ type })), ...nullable }
}

/** Google's schema as a JSON schema. */
export function fromGoogle(value: unknown): unknown {
  const schema = objectIn(value)
  if (!schema) return value
  const { type, nullable, items, properties, anyOf, any_of, ...rest } = schema
  const name = textIn(type)?.toLowerCase()
  const shapes = listIn(anyOf) ?? listIn(any_of)
  return {
    ...rest,
    ...(name === undefined ? {} : { type: nullable === true ? [name, 'null'] : name }),
    ...(items === undefined ? {} : { items: fromGoogle(items) }),
    ...(properties === undefined ? {} : { properties: eachOf(properties, fromGoogle) }),
    ...(shapes ? { anyOf: [...shapes.map(fromGoogle), ...(nullable === true ? [{ type: 'null' }] : [])] } : {}),
  }
}
