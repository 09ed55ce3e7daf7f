// Input for an operation of an OpenAPI document: values of its schemas, and invalid values.
import fc, { type Arbitrary } from 'fast-check'
import type { Json } from './json.ts'

/** A request of an operation; `body` undefined for none. */
export interface FuzzRequest {
  /** Path and query as they go over the wire. */
  path: string
  body?: string
}

/** Values for fields of these names, beside those of their schema: what makes it past the first check. */
export type Hints = Record<string, readonly unknown[]>

const TEXTS = [
  ...['', ' ', '0', '-1', 'null', 'true', '%', '_', '%00', '\0', '\uD800', '\u{1F30A}', '\u202E', 'é', 'e\u0301'],
  ...[
    "' or 1=1 --",
    '"; drop table users; --',
    '{{7*7}}',
    '${7*7}',
    '<script>alert(1)</script>',
    'x\r\nset-cookie: a=b',
  ],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', 'http://127.0.0.1:1/', 'NaN', '1e308', '1e-400'],
  ...['9007199254740993', '2147483648', '-9223372036854775809', '[]', '{}', '{"a":1}', 'x'.repeat(5000)],
]
const NUMBERS = [0, -0, 1, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324]

const text = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
)
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: 0, max: 100 }), fc.double())
const anything = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: number },
  {
    weight: 1,
    arbitrary: fc.constantFrom(true, false, null, [], {}, [[[[]]]], [null], JSON.parse('{"toString":1,"then":{}}')),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Values of the schema, of the hints, and some that it does not allow: fewer where many fields must be right. */
function valueOf(schema: Json, hints: Hints, name = '', fields = 1): Arbitrary<unknown> {
  const known = hints[name]
  return fc.oneof(
    { weight: 10, arbitrary: fittingOf(schema, hints) },
    ...(known ? [{ weight: 30, arbitrary: fc.constantFrom(...known) }] : []),
    { weight: fields > 5 ? 1 : 4, arbitrary: anything },
  )
}

function fittingOf(schema: Json, hints: Hints): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each: Json) => fittingOf(each, hints)))
  switch (schema.type) {
    case 'string':
      return fc.oneof(fc.string({ minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? 30 }), text)
    case 'integer':
    case 'number': {
      const { minimum: min = -1000, maximum = 1e9 } = schema
      return fc.integer({ min: Math.max(min, -1e9), max: Math.min(maximum, 1e9) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, hints), { maxLength: 4 })
    case 'object':
      return objectOf(schema, hints)
    default:
      return anything
  }
}

function objectOf({ properties = {}, required = [] }: Json, hints: Hints): Arbitrary<unknown> {
  const fields = Object.entries(properties as Record<string, Json>)
  return fc
    .tuple(
      fc.record(
        Object.fromEntries(fields.map(([name, schema]) => [name, valueOf(schema, hints, name, fields.length)])),
        {
          requiredKeys: required,
        },
      ),
      fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.dictionary(text, anything) }),
    )
    .map(([named, more]) => ({ ...more, ...named }))
}

const inUrl = (value: unknown): string => {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(whole.replace(/\p{Cs}/gu, '\uFFFD'))
}

/** Requests of one operation. */
export function requestsOf(path: string, operation: Json, hints: Hints): Arbitrary<FuzzRequest> {
  const parameters: Json[] = operation.parameters ?? []
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const schema = operation.requestBody?.content['application/json'].schema
  const body: Arbitrary<string | undefined> = schema
    ? fc.oneof(
        { weight: 12, arbitrary: fittingOf(schema, hints).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: fc.oneof(text, fc.constant('['.repeat(5000)), fc.constant('{"a":'.repeat(5000))) },
      )
    : fc.constant(undefined)
  const named = (given: Json[]) => fc.tuple(...given.map((each) => valueOf(each.schema, hints, each.name)))
  const present = fc.array(fc.boolean(), { minLength: inQuery.length, maxLength: inQuery.length })
  return fc.tuple(named(inPath), named(inQuery), present, body).map(([places, asked, isAsked, content]) => {
    const filled = inPath.reduce((whole, { name }, at) => whole.replace(`{${name}}`, inUrl(places[at]) || '%20'), path)
    const query = inQuery.flatMap(({ name }, at) => (isAsked[at] ? [`${name}=${inUrl(asked[at])}`] : []))
    return {
      path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
      ...(content === undefined ? {} : { body: content }),
    }
  })
}
