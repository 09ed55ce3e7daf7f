// The contract as an OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.0
import { z } from 'zod'
import { FileDownload, EventStream } from './replies.ts'
import { describeReauthentication, describeRequiredScope, type Endpoint } from './endpoint.ts'
import { features, glossary, type Term } from './glossary.data.ts'
import { HEAD_TOO_LARGE, documentedRefusals } from './refusals.ts'
import { findFieldDeclaration } from './field.ts'

export type OpenapiPaths = Record<string, Record<string, JsonSchemaObject>>

interface About {
  version: string
  /** The base of the paths: `/`, or the path that Weir is mounted under. */
  server: string
  /** Paths that are no part of the contract. */
  more?: OpenapiPaths
}

/** Builds the document; `endpoints` by full name. */
export function buildOpenapiDocument(
  endpoints: ReadonlyMap<string, Endpoint>,
  { version, server, more = {} }: About,
): JsonSchemaObject {
  const schemas: NamedSchemas = { Refusal }
  const paths: OpenapiPaths = {}
  for (const [name, endpoint] of endpoints) {
    const { method, changes } = endpoint
    // A trailing slash is treated as absent.
    const path = endpoint.path.replace(/\/$/, '')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, endpoint, schemas) }
    if (changes) paths[path] = { ...paths[path], post: operation(name, endpoint, schemas, '.post') }
  }
  const further = Object.values(more).flatMap((ways) => Object.values(ways).flatMap(({ tags }) => tags as string[]))
  const used = new Set([...[...endpoints.keys()].map((name) => name.split('.')[0] ?? ''), ...further])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server, description: 'This gateway' }],
    tags: [...used].map((name) => ({ name, description: features[name] ?? name })),
    paths: { ...paths, ...more },
    components: { schemas, responses: refusalAnswers(schemas), securitySchemes },
  }
}

const ABOUT = `Every call below /api answers {success, message, data}. What is refused for a reason of the business answers
status 200 with success false, a message for people and a code for programs; other statuses say so themselves.`

/** The cookie of a session. */
export const SESSION_COOKIE_NAME = 'weir_session'

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE_NAME,
    description: 'The session of a browser, with New-Api-User',
  },
  access_token: { type: 'http', scheme: 'bearer', description: 'The access token of a user' },
  api_key: { type: 'http', scheme: 'bearer', description: 'A token (sk-…) of a user, for calls of models' },
  anthropic_key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: "The same, as Anthropic's clients send it",
  },
  google_key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: "The same, as Google's clients send it",
  },
}

const Refusal = {
  type: 'object',
  description: 'What was refused, and why',
  properties: {
    success: { type: 'boolean', const: false, description: 'It was not done' },
    message: { type: 'string', description: 'Why, for people, in their language', examples: ['No such token'] },
    code: { type: 'string', description: 'Why, for programs', examples: ['token.missing'] },
    field: { type: 'string', description: 'The field of the request that it is about, if one', examples: ['name'] },
    fields: {
      type: 'array',
      description: 'Every field of the request that is refused, that one first, each with its own message',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string', description: 'The field, by its path', examples: ['limits.0.key'] },
          message: { type: 'string', description: 'What is wrong with it, for people, in their language' },
        },
      },
    },
  },
  required: ['success', 'message', 'code'],
}

function operation(name: string, endpoint: Endpoint, schemas: NamedSchemas, twin = ''): JsonSchemaObject {
  const { access, scope, summary, params, query, body, changes } = endpoint
  const needsUserHeader = access !== 'public' || changes === true
  const written = body && toJsonSchema(body, 'input', name, schemas)
  return {
    operationId: `${name}${twin}`,
    summary: summary.en,
    description: `${summary.en}. ${who[access]}${describeReauthentication(endpoint).en}${describeRequiredScope(endpoint).en}`,
    tags: [name.split('.')[0]],
    'x-access': access,
    ...(scope ? { 'x-scope': scope } : {}),
    security: access === 'public' ? [] : [{ session: [] }, { access_token: [] }],
    parameters: [
      ...parameters(params, 'path', name, schemas),
      ...parameters(query, 'query', name, schemas),
      ...(needsUserHeader ? [NEW_API_USER] : []),
    ],
    ...(written
      ? { requestBody: { required: false, content: { 'application/json': content(written, schemas) } } }
      : {}),
    responses: {
      200: {
        description: 'Done, or refused with success false and a message',
        content: answers(name, endpoint, schemas),
      },
      ...Object.fromEntries(
        documentedRefusals.flatMap(({ status, when }) =>
          when?.(endpoint) ? [[status, { $ref: `#/components/responses/${status}` }]] : [],
        ),
      ),
    },
  }
}

const refusalAnswers = (schemas: NamedSchemas): JsonSchemaObject =>
  Object.fromEntries(
    documentedRefusals
      .filter(({ when }) => when !== undefined)
      .map(({ status, description }) => [
        status,
        {
          description,
          ...(status === HEAD_TOO_LARGE ? {} : { content: { 'application/json': content(REFUSED, schemas) } }),
        },
      ]),
  )

const who = {
  public: 'Anybody may ask.',
  user: 'For signed-in users.',
  admin: 'For administrators.',
  root: 'For root.',
} as const

const REFUSED = { $ref: '#/components/schemas/Refusal' }

const NEW_API_USER = {
  name: 'New-Api-User',
  in: 'header',
  required: false,
  description: 'The own number: has to be sent with a session, and with a GET that changes something',
  schema: { type: 'integer' },
  example: 2,
}

const content = (schema: JsonSchemaObject, schemas: NamedSchemas): JsonSchemaObject => ({
  schema,
  example: buildExample(schema, schemas),
})

function answers(
  name: string,
  { summary, reply, replyFields: further }: Endpoint,
  schemas: NamedSchemas,
): JsonSchemaObject {
  const refused = { 'application/json': content(REFUSED, schemas) }
  const file = { schema: { type: 'string', description: 'The file' } }
  if (reply === FileDownload) return { 'text/csv': file, 'application/jsonl': file, ...refused }
  const events = { schema: { type: 'string', description: 'Server-sent events: the data of each is JSON' } }
  if (reply === EventStream) return { 'text/event-stream': events, ...refused }
  const given = toJsonSchema(reply, 'output', name, schemas)
  const data = '$ref' in given ? given : { description: summary.en, ...given }
  const more = further && toJsonSchema(further, 'output', name, schemas)
  const { properties = {}, required = [] } = more ?? {}
  const done = {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true, description: 'It was done' },
      message: { type: 'string', description: 'Empty, or what happened', examples: [''] },
      ...(properties as JsonSchemaObject),
      data,
    },
    required: [...new Set(['success', 'message', 'data', ...(required as string[])])],
  }
  return { 'application/json': { schema: { anyOf: [done, REFUSED] }, example: buildExample(done, schemas) } }
}

function parameters(
  shape: z.ZodObject | undefined,
  where: 'path' | 'query',
  name: string,
  schemas: NamedSchemas,
): JsonSchemaObject[] {
  if (!shape) return []
  const { properties = {}, required = [] } = toJsonSchema(shape, 'input', name, schemas) as {
    properties?: NamedSchemas
    required?: string[]
  }
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: where,
    required: where === 'path' || required.includes(field),
    description,
    schema,
    example: buildExample(schema, schemas),
  }))
}

// Converts declared shapes to JSON schemas with descriptions and examples. zod writes the schemas; descriptions are
// added afterwards, since zod and zod-openapi allow one per schema, and here one schema has many names.

type JsonSchemaObject = Record<string, unknown>

/** Schemas by name. */
type NamedSchemas = Record<string, JsonSchemaObject>

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
function toJsonSchema(
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
function buildExample(schema: JsonSchemaObject, components: NamedSchemas): unknown {
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
