// JSON schemas of all kinds, and values that they allow.
//
//   fc.property(anySchema, fc.infiniteStream(fc.nat()), (schema, chances) => sample(schema, chances) …)
import fc from 'fast-check'
import type { Json } from './json.ts'

const NAMES = ['a', 'b', 'c', 'd']
const word = fc.stringMatching(/^[a-z]{0,6}$/)

/** Some of the members of each of these. */
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] })

const notes = some({ title: word, description: word, default: fc.constant(null), deprecated: fc.boolean() })
const text = some({
  minLength: fc.nat(2),
  maxLength: fc.integer({ min: 3, max: 9 }),
  pattern: fc.constantFrom('^[a-z]*$', '^(?!x)'),
  format: fc.constantFrom('date', 'email', 'uri', 'uuid', 'a-format-of-ours'),
}).map((more) => ({ type: 'string', ...more }))
const number = fc.tuple(
  fc.constantFrom('integer', 'number'),
  some({
    minimum: fc.integer({ min: -5, max: 0 }),
    maximum: fc.integer({ min: 10, max: 20 }),
    exclusiveMaximum: fc.constant(30),
    multipleOf: fc.constant(1),
    format: fc.constantFrom('int32', 'double'),
  }),
)
const fixed = fc.constantFrom<Json>(
  { type: 'boolean' },
  { type: 'null' },
  { const: 'x' },
  { const: 3 },
  { const: null },
  { enum: ['x', 'y'] },
  { type: 'string', enum: ['x', 'y'] },
  { type: ['string', 'null'], enum: ['x', null] },
  { enum: [1, 'x', true, null] },
  { enum: [1, 2.5] },
  { enum: [{ a: 1 }, 'x'] },
  { type: ['string', 'null'] },
  { type: ['integer', 'string', 'boolean'], minimum: 0 },
  { type: 'string', nullable: true },
  { $ref: '#/$defs/leaf' },
  { $ref: '#/$defs/leaf', description: 'Beside a reference' },
  { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] },
  { type: 'object' },
  { type: 'array' },
  {},
)

const { schema } = fc.letrec<{ schema: Json; object: Json; array: Json; either: Json }>((tie) => {
  const object = fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }),
      required: fc.subarray(NAMES),
      others: fc.option(fc.oneof(fc.constantFrom<Json>(false, false, true, {}), tie('schema')), { freq: 2 }),
      more: some({
        minProperties: fc.constant(0),
        propertyOrdering: fc.constant(NAMES),
        patternProperties: fc.constant({ '^x-': { type: 'string' } }),
      }),
    })
    .map(({ properties, required, others, more }): Json => {
      const { patternProperties, ...plain } = more
      return {
        type: 'object',
        properties,
        required: required.filter((name) => name in properties),
        ...(others === null ? {} : { additionalProperties: others }),
        ...plain,
        ...(patternProperties && others === null ? { patternProperties } : {}),
      }
    })
  const limits = some({
    minItems: fc.nat(2),
    maxItems: fc.integer({ min: 2, max: 4 }),
    uniqueItems: fc.constant(false),
  })
  const tuple = fc.array(tie('schema'), { minLength: 1, maxLength: 2 })
  return {
    object,
    array: fc.oneof(
      fc.tuple(tie('schema'), limits).map(([items, more]): Json => ({ type: 'array', items, ...more })),
      tuple.map((first): Json => ({
        type: 'array',
        prefixItems: first,
        minItems: first.length,
        maxItems: first.length,
      })),
      tuple.map((first): Json => ({ type: 'array', prefixItems: first, items: false })),
    ),
    either: fc.oneof(
      fc
        .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
        .map(([key, all]): Json => ({ [key]: all })),
      fc.tuple(object, object).map(([one, other]): Json => ({ allOf: [one, other] })),
      tie('schema').map((one): Json => ({ allOf: [one] })),
      fc
        .tuple(object, object, object)
        .map((three) => three.map((one): Json => ({ ...one, patternProperties: {} })))
        .map(([base, one, other]): Json => ({ ...base, anyOf: [one, { required: other.required }] })),
    ),
    schema: fc
      .tuple(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          {
            arbitrary: fc.oneof(
              text,
              number.map(([type, more]): Json => ({ type, ...more })),
              fixed,
            ),
            weight: 3,
          },
          { arbitrary: tie('object') as fc.Arbitrary<Json>, weight: 2 },
          { arbitrary: tie('array') as fc.Arbitrary<Json>, weight: 1 },
          { arbitrary: tie('either') as fc.Arbitrary<Json>, weight: 1 },
        ),
        fc.option(notes, { freq: 2 }),
      )
      .map(([one, about]): Json => ({ ...about, ...one })),
  }
})

const $defs = {
  leaf: { type: 'string', enum: ['p', 'q'] },
  tree: {
    type: 'object',
    properties: { name: { type: 'string' }, next: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } },
    required: ['name', 'next'],
    additionalProperties: false,
  },
}

/** An object with members of all kinds: what response formats and tools ask for. */
export const anySchema: fc.Arbitrary<Json> = fc
  .dictionary(fc.constantFrom(...NAMES), schema, { minKeys: 1, maxKeys: 3 })
  .chain((properties) =>
    fc.record({
      $schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
      $defs: fc.constant($defs),
      type: fc.constant('object'),
      properties: fc.constant(properties),
      required: fc.oneof(fc.constant(Object.keys(properties)), fc.subarray(Object.keys(properties))),
      additionalProperties: fc.constantFrom(undefined, false),
    }),
  )
  .map((whole): Json => JSON.parse(JSON.stringify(whole)))

const TEXTS = ['', 'x', 'abc', '2026-01-02', 'a@b.test', 'nothing']
/** What a schema does not allow is not said: an alternative beside it that is open to all might take it in. */
const isWithin = ({ minLength = 0, maxLength = 99, pattern = '' }: Json, one: string): boolean =>
  one.length >= minLength && one.length <= maxLength && new RegExp(pattern).test(one)

/** A value that the schema may allow, made of chances; members that nobody mentions only where they are allowed in so many words. */
export function sample(root: Json, chances: Iterator<number>): Json {
  const below = (limit: number) => (chances.next().value as number) % limit
  const of = (list: Json[]) => list[below(list.length)]
  const whole = ({ minimum = -5, maximum = 16 }: Json): number => Math.min(Math.max(below(22) - 5, minimum), maximum)
  const make = (schema: Json, depth: number): Json => {
    if (schema === true || schema === undefined || depth > 8) return 'x'
    if (schema.$ref) return make(schema.$ref === '#' ? root : root.$defs[schema.$ref.split('/').at(-1)], depth + 1)
    if ('const' in schema) return schema.const
    if (schema.enum) return of(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    const choice = choices ? of(choices) : undefined
    const chosen = choices ? make(choice, depth + 1) : undefined
    const all = (schema.allOf ?? []).map((one: Json) => make(one, depth + 1))
    if (choices && !schema.type) return chosen
    if (all.length > 0)
      return all.every((one: Json) => one?.constructor === Object) ? Object.assign({}, ...all) : all[0]
    const type = Array.isArray(schema.type) ? of(schema.type) : (schema.type ?? of(['string', 'integer', 'null']))
    switch (type) {
      case 'string':
        return of(TEXTS.filter((one) => isWithin(schema, one)))
      case 'integer':
        return whole(schema)
      case 'number':
        return below(2) || schema.multipleOf ? whole(schema) : 1.5
      case 'boolean':
        return below(2) === 1
      case 'null':
        return null
      case 'array': {
        const first = (schema.prefixItems ?? []).map((one: Json) => make(one, depth + 1))
        const more = schema.items === false || schema.maxItems === first.length ? 0 : below(3)
        return [...first, ...Array.from({ length: more }, () => make(schema.items ?? {}, depth + 1))]
      }
      default: {
        const made = Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || below(2))
          .map(([name, one]) => [name, make(one, depth + 1)])
        const others = schema.additionalProperties
        const more = others !== undefined && others !== false && below(2) ? [['z', make(others, depth + 1)]] : []
        const matching = schema.patternProperties?.['^x-'] && below(2) ? [['x-y', 'x']] : []
        const own = Object.fromEntries([...made, ...more, ...matching])
        // An alternative that says something else of a member that is there is not the one that allows the value.
        const clashes = Object.keys(choice?.properties ?? {}).some((name) => Object.hasOwn(own, name))
        return clashes || chosen?.constructor !== Object ? own : { ...own, ...chosen }
      }
    }
  }
  return make(root, 0)
}
