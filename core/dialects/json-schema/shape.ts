// Reads a JSON schema of any draft into one form: references are resolved, and each alternative includes the
// constraints around it. `write.ts` writes each vendor's subset from it.
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** The constraints of one place. A missing member does not constrain. */
export interface SchemaShape {
  types?: readonly TypeName[]
  /** The only allowed values. */
  values?: readonly unknown[]
  properties?: Readonly<Record<string, SchemaShape>>
  required?: readonly string[]
  /** Further members of an object: none, any, or of a shape. */
  others?: 'none' | 'any' | SchemaShape
  items?: SchemaShape
  /** The first items of an array, one by one; `items` are those after them. */
  first?: readonly SchemaShape[]
  /** Alternatives, each of which includes the surrounding constraints. */
  choices?: readonly SchemaShape[]
  /** The name of a recursive definition in `ShapeTree.definitions`; empty for the root. */
  reference?: string
  title?: string
  description?: string
  /** Other keywords that constrain or describe, as in JSON schema. */
  words?: JsonObject
}

// Combines shapes: the intersection of two, and the union of several. If a single shape cannot express the result, it
// allows more, never less.

/** With more alternatives, one of the two is not expanded. */
const MOST_CHOICES = 32

export function uniteShapes(shapes: readonly SchemaShape[]): SchemaShape {
  const [only] = shapes
  return shapes.length === 1 && only ? only : { choices: shapes.flatMap((one) => (isBare(one) ? one.choices! : [one])) }
}

const isBare = ({ choices, ...rest }: SchemaShape): boolean => choices !== undefined && Object.keys(rest).length === 0

/** Returns the intersection of two shapes. The descriptions of the first one count. */
function intersectSchemaShapes(one: SchemaShape, other: SchemaShape): SchemaShape {
  if (Object.keys(one).length === 0) return other
  if (one.reference !== undefined || other.reference !== undefined) {
    return one.reference !== undefined ? one : other
  }
  if (one.choices || other.choices) return distributed(one, other)
  const types = one.types && other.types ? common(one.types, other.types) : (one.types ?? other.types)
  const values = one.values && other.values ? sameValues(one.values, other.values) : (one.values ?? other.values)
  const properties = merged(one.properties, other.properties)
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  const others = intersectOthers(one.others, other.others)
  const items = one.items && other.items ? intersectSchemaShapes(one.items, other.items) : (one.items ?? other.items)
  const first = one.first ?? other.first
  return {
    ...(types ? { types } : {}),
    ...(values ? { values } : {}),
    ...(properties ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(others === undefined ? {} : { others }),
    ...(items ? { items } : {}),
    ...(first ? { first } : {}),
    ...explained(one, other),
    ...(one.words || other.words ? { words: { ...other.words, ...one.words } } : {}),
  }
}

/** Distributes the constraints around alternatives over each of them; descriptions stay outside. */
function distributed(one: SchemaShape, other: SchemaShape): SchemaShape {
  const [around, inside] = one.choices ? [other, one] : [one, other]
  const { title: _, description: __, choices = [{}], ...limits } = around
  const { choices: alternatives = [] } = inside
  const outer = choices.length * alternatives.length > MOST_CHOICES ? [{}] : choices
  const choose = alternatives.flatMap((alternative) =>
    outer.map((choice) => intersectSchemaShapes(intersectSchemaShapes(alternative, choice), withoutDefault(limits))),
  )
  const words = around.words?.default === undefined ? inside.words : { ...inside.words, default: around.words.default }
  return { choices: choose, ...explained(one, other), ...(words ? { words } : {}) }
}

/** A default belongs to the whole, not to one of the alternatives. */
function withoutDefault({ words, ...limits }: SchemaShape): SchemaShape {
  const { default: _, ...rest } = words ?? {}
  return Object.keys(rest).length > 0 ? { ...limits, words: rest } : limits
}

function explained(one: SchemaShape, other: SchemaShape): Pick<SchemaShape, 'title' | 'description'> {
  const title = one.title ?? other.title
  const description = one.description ?? other.description
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

function common(one: readonly TypeName[], other: readonly TypeName[]): TypeName[] {
  const has = (types: readonly TypeName[], type: TypeName) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [...new Set([...one.filter((type) => has(other, type)), ...other.filter((type) => has(one, type))])]
}

function sameValues(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  const texts = new Set(other.map((value) => JSON.stringify(value)))
  return one.filter((value) => texts.has(JSON.stringify(value)))
}

function merged(one: SchemaShape['properties'], other: SchemaShape['properties']): SchemaShape['properties'] {
  if (!one || !other) return one ?? other
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const of = (shapes: NonNullable<SchemaShape['properties']>, name: string) =>
    Object.hasOwn(shapes, name) ? (shapes[name] ?? {}) : {}
  return Object.fromEntries(names.map((name) => [name, intersectSchemaShapes(of(one, name), of(other, name))]))
}

function intersectOthers(one: SchemaShape['others'], other: SchemaShape['others']): SchemaShape['others'] {
  if (one === 'none' || other === 'none') return 'none'
  if (one === undefined || other === undefined) return one ?? other
  if (one === 'any') return other
  return other === 'any' ? one : 'any'
}

export interface ShapeTree {
  root: SchemaShape
  definitions: Record<string, SchemaShape>
}

/** Thrown if a schema cannot be expressed; the caller then omits it. */
export class InexpressibleSchema extends Error {}

/** Maximum number of shapes, including nested references. No model could follow larger schemas. */
const MOST_SHAPES = 3000

const names = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'])

/** Keywords that are copied as they are; unknown keywords are dropped. */
const WORDS = (
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding ' +
  'contentMediaType minItems maxItems uniqueItems contains minContains maxContains minProperties maxProperties ' +
  'propertyNames patternProperties dependentRequired dependentSchemas dependencies not if then else default examples'
).split(' ')

/** Allows no value. */
const NEVER: SchemaShape = { types: [] }

export function readSchemaShape(schema: unknown): ShapeTree {
  const definitions: Record<string, SchemaShape> = {}
  const waiting = new Map<string, string>()
  let count = 0

  function read(value: unknown, inside: readonly string[]): SchemaShape {
    if (++count > MOST_SHAPES) throw new InexpressibleSchema()
    if (value === false) return NEVER
    const own = asObject(value)
    if (!own) return {}
    const here = plain(own, inside)
    const around = [
      ...(asText(own.$ref) === undefined ? [] : [referred(String(own.$ref), inside)]),
      ...(asList(own.allOf) ?? []).map((one) => read(one, inside)),
      ...[own.anyOf, own.oneOf].flatMap((all) => {
        const list = asList(all)
        return list?.length ? [uniteShapes(list.map((one) => read(one, inside)))] : []
      }),
    ]
    return around.reduce(intersectSchemaShapes, here)
  }

  /** Reads the constraints of a schema without its combinations. */
  function plain(own: JsonObject, inside: readonly string[]): SchemaShape {
    const within = (one: unknown) => read(one, inside)
    const types = readTypes(own)
    const values = 'const' in own ? [own.const] : asList(own.enum)
    const properties = readProperties(own, within)
    const required = asList(own.required)?.filter((name): name is string => typeof name === 'string')
    const first = asList(own.prefixItems) ?? asList(own.items)
    const rest = asList(own.prefixItems) || !Array.isArray(own.items) ? own.items : own.additionalItems
    const others = readOthers(own, within)
    const words = readKeywords(own)
    return {
      ...(types ? { types } : {}),
      ...(values ? { values: own.nullable === true ? [...values, null] : values } : {}),
      ...(properties ? { properties } : {}),
      ...(required?.length ? { required } : {}),
      ...(others === undefined ? {} : { others }),
      ...(rest === undefined ? {} : { items: within(rest) }),
      ...(first ? { first: first.map(within) } : {}),
      ...(asText(own.title) ? { title: String(own.title) } : {}),
      ...(asText(own.description) ? { description: String(own.description) } : {}),
      ...(Object.keys(words).length > 0 ? { words } : {}),
    }
  }

  function referred(reference: string, inside: readonly string[]): SchemaShape {
    if (!inside.includes(reference)) return read(target(reference, schema), [...inside, reference])
    if (reference === '#') return { reference: '' }
    const name = reference.split('/').at(-1)?.replaceAll(/\W/g, '_') || 'shape'
    const own = waiting.get(reference) ?? ([...waiting.values()].includes(name) ? `${name}_${waiting.size}` : name)
    waiting.set(reference, own)
    return { reference: own }
  }

  const root = read(schema, ['#'])
  // Grows while it is read: definitions may contain further recursive ones.
  for (const [reference, name] of waiting) definitions[name] = read(target(reference, schema), ['#', reference])
  return { root, definitions }
}

function target(reference: string, root: unknown): unknown {
  if (!/^#(\/|$)/.test(reference)) throw new InexpressibleSchema()
  const steps = reference.split('/').slice(1)
  const found = steps.reduce((at: unknown, step) => {
    const name = decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~')
    return asList(at)?.[Number(name)] ?? getMember(at, name)
  }, root)
  if (found === undefined) throw new InexpressibleSchema()
  return found
}

/** Reads the keywords. In old drafts the exclusive limits were only flags. */
function readKeywords(own: JsonObject): JsonObject {
  const words = Object.fromEntries(WORDS.flatMap((word) => (own[word] === undefined ? [] : [[word, own[word]]])))
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof words[flag] !== 'boolean') continue
    if (words[flag] && words[limit] !== undefined) words[flag] = words[limit]
    else delete words[flag]
    if (words[flag] !== undefined) delete words[limit]
  }
  return words
}

function readTypes({ type, nullable }: JsonObject): TypeName[] | undefined {
  const declared = (asList(type) ?? [type]).filter((name): name is TypeName => names.has(name))
  if (declared.length === 0) return undefined
  return nullable === true && !declared.includes('null') ? [...declared, 'null'] : declared
}

/** Reads the properties, including those under a condition or dependent on another member. */
function readProperties(own: JsonObject, read: (one: unknown) => SchemaShape): Record<string, SchemaShape> | undefined {
  const here = asObject(own.properties)
  const cases = [own.then, own.else, ...Object.values(asObject(own.dependentSchemas) ?? {})]
  const there = cases.flatMap((one) => Object.entries(asObject(getMember(one, 'properties')) ?? {}))
  if (!here && there.length === 0) return undefined
  const found = new Map(Object.entries(here ?? {}).map(([name, one]) => [name, [read(one)]]))
  for (const [name, one] of there) {
    if (here && Object.hasOwn(here, name)) continue
    found.set(name, [...(found.get(name) ?? []), read(one)])
  }
  return Object.fromEntries([...found].map(([name, shapes]) => [name, uniteShapes(shapes)]))
}

function readOthers(own: JsonObject, read: (one: unknown) => SchemaShape): SchemaShape['others'] {
  const { additionalProperties: extra, patternProperties } = own
  if (Object.keys(asObject(patternProperties) ?? {}).length > 0 && !asObject(extra)) return 'any'
  if (extra === false) return 'none'
  if (extra === true || (asObject(extra) && Object.keys(asObject(extra) ?? {}).length === 0)) return 'any'
  return asObject(extra) ? read(extra) : undefined
}
