// Writes a shape as a JSON schema within a vendor's subset. The result allows no less than the shape: constraints
// outside the subset move into descriptions, and a schema that cannot be expressed even so is dropped.
import { asFiniteNumber, type JsonObject } from '../json/json-value.ts'
import { type SchemaShape, type TypeName, readSchemaShape, InexpressibleSchema, type ShapeTree } from './shape.ts'

/** A subset of JSON schema, as a vendor documents it. */
export interface SchemaSubset {
  /** Objects list all their members: further ones cannot be allowed, and unlisted ones are forbidden. */
  closed: boolean
  /** Every member is required: optional members are not supported. */
  complete: boolean
  recursive: boolean
  /** Whether a schema may allow values of any type. */
  anything: boolean
  tuples: boolean
  supports(word: string, value: unknown): boolean
  /** Is this value allowed in `enum`? */
  supportsValue(value: unknown): boolean
}

/** All of JSON schema, draft 2020. */
export const FULL_JSON_SCHEMA: SchemaSubset = {
  closed: false,
  complete: false,
  recursive: true,
  anything: true,
  tuples: true,
  supports: () => true,
  supportsValue: () => true,
}

/** Returns the schema in that subset; undefined if the subset cannot express it. */
export const fitSchemaToSubset = (schema: unknown, subset: SchemaSubset): JsonObject | undefined =>
  tryWriteSchema(() => writeTree(readSchemaShape(schema), subset))

/** Returns the result of `make`; undefined if it throws `InexpressibleSchema`. */
export function tryWriteSchema<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof InexpressibleSchema) return undefined
    throw error
  }
}

/** Writes a shape tree. */
export function writeTree({ root, definitions }: ShapeTree, subset: SchemaSubset): JsonObject {
  const written = writeShape(root, subset)
  const named = Object.entries(definitions)
  if (named.length === 0) return written
  return { ...written, $defs: Object.fromEntries(named.map(([name, one]) => [name, writeShape(one, subset)])) }
}

/** The type that a keyword constrains; other keywords apply to all types. */
const owners: Record<string, TypeName> = {
  ...Object.fromEntries('minLength maxLength pattern format'.split(' ').map((word) => [word, 'string' as const])),
  ...Object.fromEntries(
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' ').map((word) => [word, 'number' as const]),
  ),
  ...Object.fromEntries(
    'minItems maxItems uniqueItems contains minContains maxContains'.split(' ').map((word) => [word, 'array' as const]),
  ),
  ...Object.fromEntries(
    'minProperties maxProperties propertyNames patternProperties dependentRequired'
      .split(' ')
      .map((word) => [word, 'object' as const]),
  ),
}

function writeShape(shape: SchemaShape, subset: SchemaSubset): JsonObject {
  if (shape.reference !== undefined) {
    if (!subset.recursive) throw new InexpressibleSchema()
    return { $ref: shape.reference === '' ? '#' : `#/$defs/${shape.reference}` }
  }
  if (!isPossible(shape)) {
    if (!subset.anything) throw new InexpressibleSchema()
    // An object remains, without the members that are impossible.
    if (inferTypes(shape)?.[0] !== 'object') return explained({}, shape, undefined, subset)
  }
  if (shape.choices)
    return explained(writeAlternatives(shape.choices.filter(isPossible), subset), shape, shape.words, subset)
  const types = inferTypes(shape)
  if (types === undefined) {
    if (!subset.anything) throw new InexpressibleSchema()
    return explained({}, shape, shape.words, subset)
  }
  const { values, ...rest } = shape
  if (values && !values.every(subset.supportsValue)) return writeShape(unlisted(values, types, rest), subset)
  const kinds = types.filter((type) => type === 'object' || type === 'array')
  if (values || (kinds.length === 0 && types.length > 0)) {
    const enumValues = values?.filter((value) => types.some((type) => hasType(value, type)))
    if (enumValues?.length === 0) throw new InexpressibleSchema()
    const written = { type: types.length === 1 ? types[0] : types, ...(enumValues ? { enum: enumValues } : {}) }
    return explained(written, shape, shape.words, subset, types)
  }
  if (types.length === 0) throw new InexpressibleSchema()
  if (types.length > 1) {
    const alone = types.filter((type) => type !== 'object' && type !== 'array')
    const each = [...kinds.map((type) => [type]), ...(alone.length > 0 ? [alone] : [])]
    const { title: _, description: __, ...limits } = shape
    return explained(
      writeAlternatives(
        each.map((some) => ({ ...limits, types: some })),
        subset,
      ),
      shape,
      undefined,
      subset,
    )
  }
  return types[0] === 'object' ? writeObject(shape, subset) : writeArray(shape, subset)
}

/** Writes values that the subset cannot list: null becomes a separate type, the rest goes into the description. */
function unlisted(values: readonly unknown[], types: readonly TypeName[], rest: SchemaShape): SchemaShape {
  const others = values.filter((value) => value !== null)
  if (others.length === values.length || types.length < 2)
    return { ...rest, types, words: { ...rest.words, enum: values } }
  const { title, description, ...limits } = rest
  const some = { ...limits, types: types.filter((type) => type !== 'null'), values: others }
  return { choices: [some, { types: ['null'] }], ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

function writeAlternatives(shapes: readonly SchemaShape[], subset: SchemaSubset): JsonObject {
  const all = new Map(shapes.map((one) => writeShape(one, subset)).map((one) => [JSON.stringify(one), one]))
  const [only] = all.values()
  if (!only) throw new InexpressibleSchema()
  return all.size === 1 ? only : { anyOf: [...all.values()] }
}

function writeObject(shape: SchemaShape, subset: SchemaSubset): JsonObject {
  const { properties, required = [], others } = shape
  if (subset.closed && others !== 'none' && (others !== undefined || !properties)) throw new InexpressibleSchema()
  const named = Object.entries(properties ?? {}).filter(([, one]) => isPossible(one))
  const known = new Set(named.map(([name]) => name))
  if (subset.closed && required.some((name) => !known.has(name))) throw new InexpressibleSchema()
  if (subset.complete && named.some(([name]) => !required.includes(name))) throw new InexpressibleSchema()
  const needed = required.filter((name) => known.has(name))
  const members = Object.fromEntries(named.map(([name, one]) => [name, writeShape(one, subset)]))
  const written = {
    type: 'object',
    ...(properties || subset.closed ? { properties: members } : {}),
    ...(needed.length > 0 || subset.complete ? { required: needed } : {}),
    ...(subset.closed || others === 'none' ? { additionalProperties: false } : {}),
    ...(others === 'any' && !subset.closed ? { additionalProperties: true } : {}),
    ...(typeof others === 'object' ? { additionalProperties: writeShape(others, subset) } : {}),
  }
  return explained(written, shape, shape.words, subset, ['object'])
}

function writeArray(shape: SchemaShape, subset: SchemaSubset): JsonObject {
  const { first, items, words = {} } = shape
  if (!first) {
    if (!items && !subset.anything) throw new InexpressibleSchema()
    return explained({ type: 'array', items: writeShape(items ?? {}, subset) }, shape, words, subset, ['array'])
  }
  const behind = items && isPossible(items) ? items : undefined
  if (subset.tuples) {
    const prefixItems = first.map((one) => writeShape(one, subset))
    const rest = items && !behind ? false : writeShape(items ?? {}, subset)
    return explained({ type: 'array', prefixItems, items: rest }, shape, words, subset, ['array'])
  }
  // Without a keyword for the order: any of them anywhere, with the order in the description.
  if (!items && (asFiniteNumber(words.minItems) ?? 0) > first.length) throw new InexpressibleSchema()
  const order = first.map((one) => writeShape(one, subset))
  const any = writeAlternatives([...first, ...(behind ? [behind] : [])].filter(isPossible), subset)
  return explained({ type: 'array', items: any }, shape, { prefixItems: order, ...words }, subset, ['array'])
}

/** Does the shape allow any value? */
function isPossible(shape: SchemaShape): boolean {
  const { choices, properties = {}, required = [] } = shape
  if (choices) return choices.some(isPossible)
  const types = inferTypes(shape)
  if (types?.length === 0) return false
  const mustBe = types?.length === 1 && types[0] === 'object'
  return !mustBe || required.every((name) => !Object.hasOwn(properties, name) || isPossible(properties[name] ?? {}))
}

/** Returns the types of a shape, inferred from its other constraints if it has none. */
function inferTypes({ types, values, properties, required, others, items, first, words = {} }: SchemaShape) {
  const valueTypes = values && [...new Set(values.map(getTypeName))]
  if (types && valueTypes) return valueTypes.filter((type) => types.some((one) => one === type || covers(one, type)))
  if (types || valueTypes) return types ?? valueTypes
  if (properties || required || others) return ['object' as const]
  if (items || first) return ['array' as const]
  const owner = Object.keys(words).map((word) => (Object.hasOwn(owners, word) ? owners[word] : undefined))
  const found = owner.find((type) => type !== undefined)
  return found && [found]
}

const covers = (wide: TypeName, narrow: TypeName): boolean => wide === 'number' && narrow === 'integer'

function getTypeName(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

const hasType = (value: unknown, type: TypeName): boolean =>
  getTypeName(value) === type || covers(type, getTypeName(value))

/** Adds the descriptions and the keywords: those of the subset as they are, the rest as part of the description. */
function explained(
  written: JsonObject,
  { title, description }: SchemaShape,
  words: JsonObject = {},
  subset: SchemaSubset,
  types?: readonly TypeName[],
): JsonObject {
  // A reference allows no other keywords.
  if (written.$ref !== undefined) return written
  const supported: [string, unknown][] = []
  const unsupported: string[] = []
  for (const [word, value] of Object.entries(words)) {
    const owner = Object.hasOwn(owners, word) ? owners[word] : undefined
    if (owner && types && !types.some((type) => type === owner || covers(owner, type))) continue
    if (subset.supports(word, value)) supported.push([word, value])
    else unsupported.push(`${word}: ${JSON.stringify(value)}`)
  }
  const own = description ?? (typeof written.description === 'string' ? written.description : undefined)
  const text = [own, unsupported.length > 0 ? `{${unsupported.join(', ')}}` : undefined]
    .filter((one) => one !== undefined)
    .join('\n\n')
  return {
    ...written,
    ...Object.fromEntries(supported),
    ...(title === undefined ? {} : { title }),
    ...(text === '' ? {} : { description: text }),
  }
}
