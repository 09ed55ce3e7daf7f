// Combines shapes: the intersection of two, and the union of several. If a single shape cannot express the result, it
// allows more, never less.
import type { SchemaShape, TypeName } from './allowed.ts'

/** With more alternatives, one of the two is not expanded. */
const MOST_CHOICES = 32

export function uniteShapes(shapes: readonly SchemaShape[]): SchemaShape {
  const [only] = shapes
  return shapes.length === 1 && only ? only : { choices: shapes.flatMap((one) => (isBare(one) ? one.choices! : [one])) }
}

const isBare = ({ choices, ...rest }: SchemaShape): boolean => choices !== undefined && Object.keys(rest).length === 0

/** Returns the intersection of two shapes. The descriptions of the first one count. */
export function intersectSchemaShapes(one: SchemaShape, other: SchemaShape): SchemaShape {
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
