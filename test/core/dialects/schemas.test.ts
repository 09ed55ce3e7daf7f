// Schemas of every kind, at every vendor: what is sent keeps to the vendor's published subset, and allows whatever the
// caller's schema allows; what cannot be said is named, and said in words.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import type { ProviderDialect } from '../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { FULL_JSON_SCHEMA, fitSchemaToSubset } from '../../../core/dialects/json-schema/write.ts'
import type { Json } from '../../support/json.ts'
import { anySchema, sample } from '../../support/schemas.ts'
import { runsAllTests } from '../../support/suite.ts'
import {
  asJsonSchema,
  claudeFaults,
  each,
  googleFaults,
  googleJsonFaults,
  openaiFaults,
} from '../../support/schema-subsets.ts'

/** What a vendor was given of a format, or of a tool. */
interface Given {
  schema: Json
  faults: string[]
}

interface Vendor {
  dialect: ProviderDialect
  model: string
  format(body: Json): Given | undefined
  tool(body: Json): Given
}

/** A tool that is not strict: an object, with nothing else at the root. */
const toolFaults = (schema: Json): string[] => [
  ...(schema.type === 'object' && schema.properties ? [] : ['no object with properties']),
  ...['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'not'].filter((word) => word in schema),
  ...[...each(schema)].flatMap((one) => (one.nullable || one.propertyOrdering ? ["another vendor's word"] : [])),
]

const google = (own: Json, json: Json): Given | undefined =>
  own
    ? { schema: asJsonSchema(own), faults: googleFaults(own) }
    : json && { schema: json, faults: googleJsonFaults(json) }

const openai = (dialect: ProviderDialect, formatIn: (body: Json) => Json, toolIn: (body: Json) => Json): Vendor => {
  const given = ({ schema, parameters = schema, strict }: Json): Given => ({
    schema: parameters,
    faults: strict ? openaiFaults(parameters) : toolFaults(parameters),
  })
  return {
    dialect,
    model: 'gpt-5',
    format: (body) => {
      const format = formatIn(body)
      return format?.schema && given(format)
    },
    tool: (body) => given(toolIn(body)),
  }
}

const vendors: Record<string, Vendor> = {
  Claude: {
    dialect: anthropicMessages,
    model: 'claude-sonnet-4-5',
    format({ output_config }) {
      const schema = output_config?.format?.schema
      return schema && { schema, faults: claudeFaults(schema) }
    },
    tool({ tools: [{ input_schema: schema, strict }] }) {
      return { schema, faults: strict ? claudeFaults(schema) : toolFaults(schema) }
    },
  },
  Gemini: {
    dialect: geminiGenerate,
    model: 'gemini-3-pro-preview',
    format: ({ generationConfig: { responseSchema, responseJsonSchema } = {} as Json }) =>
      google(responseSchema, responseJsonSchema),
    tool: ({
      tools: [
        {
          functionDeclarations: [one],
        },
      ],
    }) => google(one.parameters, one.parametersJsonSchema) ?? { schema: { type: 'object' }, faults: [] },
  },
  'OpenAI chat': openai(
    openaiChat,
    (body) => body.response_format?.json_schema,
    (body) => body.tools[0].function,
  ),
  'OpenAI Responses': openai(
    openaiResponses,
    (body) => body.text?.format,
    (body) => body.tools[0],
  ),
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))

function ask({ dialect, model }: Vendor, more: Partial<ModelRequest>) {
  const messages: ModelRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
  const request = { dialect: 'another', model, stream: false, messages, extra: {}, ...more }
  const { body, dropped } = dialect.writeModelRequest(request)
  return { body: json(body), dropped }
}

/** That what was given keeps the vendor's rules, and allows what the caller's schema allows of these values. */
function expectFits({ schema: given, faults }: Given, values: Json[]) {
  expect(faults, JSON.stringify(given)).toEqual([])
  const accepts = ajv.compile(given)
  for (const value of values) {
    expect(accepts(value) ? [] : accepts.errors, `${JSON.stringify(value)} in ${JSON.stringify(given)}`).toEqual([])
  }
}

const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

const COMBINED = ['anyOf', 'oneOf', 'allOf']
const NAMED = ['properties', '$defs', 'patternProperties', 'dependentSchemas']
const NESTED = ['items', 'prefixItems', 'additionalProperties']

/**
 * Returns the schema without members that it does not list, which is how vendors read one that lists some: an
 * alternative that lists none would else allow whatever another one refuses.
 */
function closeObjects(schema: Json, isPart = false): Json {
  if (Array.isArray(schema)) return schema.map((one) => closeObjects(one, isPart))
  if (schema?.constructor !== Object) return schema
  const words = Object.entries<Json>(schema).map(([word, value]) => {
    if (NAMED.includes(word))
      return [word, Object.fromEntries(Object.entries<Json>(value).map(([name, one]) => [name, closeObjects(one)]))]
    return [
      word,
      COMBINED.includes(word) ? closeObjects(value, true) : NESTED.includes(word) ? closeObjects(value) : value,
    ]
  })
  const lists = ['properties', ...COMBINED].some((word) => word in schema)
  const isOpen = 'additionalProperties' in schema || Object.keys(schema.patternProperties ?? {}).length > 0
  return { ...Object.fromEntries(words), ...(lists && !isOpen && !isPart ? { unevaluatedProperties: false } : {}) }
}

/** Compiles a caller's schema. All vendors are asked with the same schemas where the seed is fixed. */
function compileOnce(schema: Json): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema)
  const known = compiled.get(text) ?? ajv.compile(closeObjects({ ...schema, $schema: undefined }))
  compiled.set(text, known)
  return known
}

const RUNS = { numRuns: runsAllTests ? 60 : 30, endOnFailure: true }
const cases = fc.tuple(anySchema, fc.infiniteStream(fc.nat()))

describe.each(Object.entries(vendors))('schemas of other formats at %s', (_, vendor) => {
  const valuesOf = (schema: Json, chances: Iterator<number>) => {
    const allowed = compileOnce(schema)
    return Array.from({ length: 8 }, () => sample(schema, chances)).filter((value) => allowed(value))
  }

  it('are formats that it takes, or words', () => {
    let said = 0
    let all = 0
    fc.assert(
      fc.property(cases, ([schema, chances]) => {
        const { body, dropped } = ask(vendor, { response_format: { name: 'shape', schema } })
        const given = vendor.format(body)
        all++
        if (given) {
          said++
          expectFits(given, valuesOf(schema, chances))
        } else {
          expect(dropped).toContain('response_format')
          expect(JSON.stringify(body)).toContain('Answer with valid JSON only')
        }
      }),
      RUNS,
    )
    expect(said / all).toBeGreaterThan(0.2)
  })

  it.each([true, false])('are tools that it takes, strict: %s', (strict) => {
    fc.assert(
      fc.property(cases, ([parameters, chances]) => {
        const { body } = ask(vendor, { tools: [{ name: 'f', parameters, strict }] })
        expectFits(vendor.tool(body), valuesOf(parameters, chances))
      }),
      RUNS,
    )
  })
})

describe('several lists of values for one place', () => {
  const values = ['x', 'y', '1', 1, 2.5, true, null, { a: 1 }, { a: '1' }, ['x']]
  const lists = fc.tuple(fc.subarray(values), fc.subarray(values))

  it('allow what all of them allow, wherever they stand', () => {
    fc.assert(
      fc.property(lists, ([one, other]) => {
        const both = one.filter((value) => other.includes(value))
        fc.pre(both.length > 0)
        const $defs = { other: { enum: other } }
        for (const place of [
          { allOf: [{ enum: one }, { enum: other }] },
          { enum: one, allOf: [{ enum: other }] },
          { enum: one, $ref: '#/$defs/other' },
          { enum: one, anyOf: [{ enum: other }, { type: 'string', enum: ['never'] }] },
          ...(both.length === 1 ? [{ const: both[0], allOf: [{ enum: other }] }] : []),
        ]) {
          const schema = fitSchemaToSubset({ $defs, type: 'object', properties: { place } }, FULL_JSON_SCHEMA)!
          const accepts = ajv.compile(schema)
          expect(
            values.filter((value) => accepts({ place: value })),
            JSON.stringify(place),
          ).toEqual(both)
        }
      }),
      RUNS,
    )
  })
})

describe('what libraries ask for by default', () => {
  const pydantic = {
    $defs: { Kind: { type: 'string', enum: ['a', 'b'], title: 'Kind' } },
    type: 'object',
    title: 'Person',
    properties: {
      name: { type: 'string', maxLength: 20, title: 'Name' },
      age: { type: 'integer', minimum: 3, description: 'In years' },
      kind: { $ref: '#/$defs/Kind', description: 'Which one' },
      nick: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    },
    required: ['name', 'age', 'kind'],
  }

  it('reaches Claude with its limits in the descriptions', () => {
    const { body, dropped } = ask(vendors.Claude!, { response_format: { schema: pydantic, name: 'Person' } })
    expect(dropped).toEqual([])
    expect(body.output_config.format.schema).toEqual({
      type: 'object',
      title: 'Person',
      properties: {
        name: { type: 'string', title: 'Name', description: '{maxLength: 20}' },
        age: { type: 'integer', description: 'In years\n\n{minimum: 3}' },
        kind: { type: 'string', enum: ['a', 'b'], title: 'Kind', description: 'Which one' },
        nick: { anyOf: [{ type: 'string' }, { type: 'null' }], description: '{default: null}' },
      },
      required: ['name', 'age', 'kind'],
      additionalProperties: false,
    })
  })

  it('stays strict at OpenAI where strictness can say it, and is a hint where not', () => {
    const format = (schema: object) => ask(vendors['OpenAI chat']!, { response_format: { schema } })
    const { nick: _, ...properties } = pydantic.properties
    const exact = format({ ...pydantic, properties }).body.response_format.json_schema
    expect(exact).toMatchObject({ strict: true, schema: { additionalProperties: false } })
    const hint = format(pydantic)
    expect(hint.body.response_format.json_schema.strict).toBe(false)
    expect(hint.dropped).toEqual(['response_format.strict'])
  })

  it('holds no more than one request may', () => {
    const properties = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`m${at}`, { type: 'string' }]))
    const tools = ['one', 'two', 'three'].map((name) => ({
      name,
      strict: true,
      parameters: { type: 'object', properties },
    }))
    const { body, dropped } = ask(vendors.Claude!, { tools })
    expect(body.tools.map((tool: Json) => tool.strict)).toEqual([true, true, undefined])
    expect(dropped).toEqual(['tools.strict'])
  })

  it("leaves nothing of Google's words to others", () => {
    const schema = {
      type: 'OBJECT',
      property_ordering: ['b', 'a'],
      properties: {
        a: { type: 'STRING', nullable: true, format: 'enum', enum: ['x'] },
        b: {
          any_of: [
            { type: 'INTEGER', format: 'int64' },
            { type: 'ARRAY', min_items: '1', items: { type: 'NUMBER' } },
          ],
        },
      },
      required: ['a', 'b'],
    }
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const generationConfig = { response_mime_type: 'application/json', response_schema: schema }
    const functionDeclarations = [{ name: 'f', parameters: schema }]
    const request = geminiGenerate.readModelRequest(
      new TextEncoder().encode(JSON.stringify({ contents, generationConfig, tools: [{ functionDeclarations }] })),
      { model: 'm' },
    )
    for (const vendor of [vendors.Claude!, vendors['OpenAI chat']!, vendors['OpenAI Responses']!]) {
      const { body } = ask(vendor, request)
      expect(JSON.stringify(body)).not.toMatch(/ordering|Ordering|nullable|any_of|min_items|OBJECT|STRING|int64/)
      expect(Object.keys(vendor.format(body)!.schema.properties)).toEqual(['b', 'a'])
      expectFits(vendor.format(body)!, [
        { a: null, b: 3 },
        { a: 'x', b: [1.5] },
      ])
      expectFits(vendor.tool(body), [{ a: null, b: 3 }])
    }
  })

  it('are tools with one object at the root, whatever was there', () => {
    const either = { oneOf: [{ type: 'object', properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] }
    for (const vendor of Object.values(vendors)) {
      for (const parameters of [
        undefined,
        {},
        { type: 'object' },
        either,
        { $ref: '#/$defs/x', $defs: { x: either } },
      ]) {
        const { body } = ask(vendor, { tools: [{ name: 'f', ...(parameters ? { parameters } : {}) }] })
        const none = vendor.dialect === openaiChat && !parameters
        if (!none) expectFits(vendor.tool(body), parameters === either ? [{ a: 1 }, { b: 2 }] : [{}])
      }
    }
  })
})
