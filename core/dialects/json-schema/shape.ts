// Reads a JSON schema of any draft into one form: references are resolved, and each alternative includes the
// constraints around it. `write.ts` writes each vendor's subset from it.
import type { TypeName, SchemaShape } from './allowed.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { intersectSchemaShapes, uniteShapes } from './meet.ts'

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
