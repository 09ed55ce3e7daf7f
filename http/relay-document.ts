// The relay's paths for the OpenAPI document, from the table of its operations. The formats of their bodies belong to the vendors,
// whose references are linked.
import type { CallerDialect } from '../core/dialects/dialect.ts'
import { anthropicMessages } from '../core/index.ts'
import { RELAY_OPERATIONS, type RelayRequest } from './relay.ts'
import { ESTIMATE_PREFIX } from './relay-route.ts'

type OpenapiObject = Record<string, unknown>
type Paths = Record<string, Record<string, OpenapiObject>>

/** The reference of each vendor, which describes its bodies. */
const documents = {
  openai: { description: "OpenAI's reference", url: 'https://platform.openai.com/docs/api-reference' },
  anthropic: { description: "Anthropic's reference", url: 'https://docs.anthropic.com/en/api' },
  gemini: { description: "Google's reference", url: 'https://ai.google.dev/api' },
} as const
type Vendor = keyof typeof documents

const security = [{ api_key: [] }, { anthropic_key: [] }, { google_key: [] }]

const ERROR = {
  type: 'object',
  description: "What went wrong, in the shape of the vendor's own format",
  properties: {
    error: {
      type: 'object',
      description: 'What went wrong',
      properties: {
        message: { type: 'string', description: 'For people, with the id of the request' },
        type: { type: 'string', description: 'Kind of error' },
        code: { type: ['string', 'integer', 'null'], description: 'For programs' },
      },
      required: ['message'],
    },
  },
  required: ['error'],
}

const statuses: Readonly<Record<number, string>> = {
  400: 'The request is not one that can be served',
  401: 'The token is missing, or not known',
  402: 'There is not enough quota',
  403: 'The token may not do this',
  404: 'There is no such model or path',
  413: 'The body is too large',
  415: 'The body is packed in a way that is not read here',
  429: 'Too many requests: wait for as long as Retry-After says',
  500: 'A fault of Weir',
  502: 'The provider failed, or could not be reached',
  503: 'No channel serves the model now',
}

const answers = (content: OpenapiObject): OpenapiObject => ({
  200: { description: 'The answer', content },
  ...Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: ERROR } } },
    ]),
  ),
})

const anything = (description: string): OpenapiObject => ({
  schema: { type: 'object', description, additionalProperties: true },
})
const parameter = (name: string, description: string, example: string): OpenapiObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

interface DocumentedOperation {
  id: string
  summary: string
  vendor: Vendor
  /** The body is a form with a file. */
  form?: boolean
  parameters?: OpenapiObject[]
  /** True for an operation without a body. */
  get?: boolean
  /** True if the path contains the model. */
  placed?: boolean
  content?: OpenapiObject
}

const STREAMS = {
  'application/json': anything('The whole answer'),
  'text/event-stream': { schema: { type: 'string', description: 'The answer piece by piece, where stream is true' } },
}

function operation({
  id,
  summary,
  vendor,
  form,
  parameters = [],
  get,
  placed,
  content = STREAMS,
}: DocumentedOperation): OpenapiObject {
  const model = { type: 'string', description: 'Name of the model', examples: ['gpt-4.1-mini'] }
  const schema = {
    type: 'object',
    description: `What ${documents[vendor].description} has`,
    properties: placed ? {} : { model },
    ...(placed ? {} : { required: ['model'] }),
    additionalProperties: true,
  }
  const type = form ? 'multipart/form-data' : 'application/json'
  return {
    operationId: `relay.${id}`,
    summary,
    description: `${summary}, as ${documents[vendor].description} has it.`,
    externalDocs: documents[vendor],
    tags: ['relay'],
    security,
    parameters,
    ...(get ? {} : { requestBody: { required: true, content: { [type]: { schema } } } }),
    responses: answers(content),
  }
}

const summaries: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'A chat',
  '/v1/completions': 'A completion of a text',
  '/v1/responses': 'A response',
  '/v1/responses/compact': 'A conversation, summed up',
  '/v1/messages': 'A message',
  '/v1/embeddings': 'Embeddings of texts',
  '/v1/moderations': 'Moderation of texts',
  '/v1/rerank': 'Documents by how well they fit a question',
  '/v1/images/generations': 'Pictures from words',
  '/v1/images/edits': 'Pictures from pictures and words',
  '/v1/images/variations': 'Variations of a picture',
  '/v1/audio/speech': 'Speech from a text',
  '/v1/audio/transcriptions': 'The text of a recording',
  '/v1/audio/translations': 'The text of a recording in English',
  '/v1beta/models/{model}:generateContent': 'An answer',
  '/v1beta/models/{model}:streamGenerateContent': 'An answer, piece by piece',
  '/v1beta/models/{model}:embedContent': 'The embedding of a text',
  '/v1beta/models/{model}:batchEmbedContents': 'Embeddings of texts',
}
const SPEECH = { 'audio/mpeg': { schema: { type: 'string', format: 'binary', description: 'The sound' } } }
const buildId = (path: string) =>
  path.replace(/^\/v1\/|^.*:/, '').replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The parameters of paths. */
const PARAMETERS: readonly (readonly [placeholder: string, parameter: OpenapiObject])[] = [
  ['{model}', parameter('model', 'Name of the model', 'gemini-2.5-flash')],
  ['{response_id}', parameter('response_id', 'Id of the answer', 'resp_1')],
]
const listParameters = (path: string) => PARAMETERS.flatMap(([name, each]) => (path.includes(name) ? [each] : []))

function getVendor(dialect: CallerDialect): Vendor {
  if (dialect === anthropicMessages) return 'anthropic'
  return dialect.paths.some((path) => path.startsWith('/v1beta/')) ? 'gemini' : 'openai'
}

/** Calls that take forms only. */
const FORMS = /\/images\/(?:edits|variations)$|\/audio\/trans/

/** The calls with a summary: further paths of theirs are not documented. */
const calls: [path: string, operation: DocumentedOperation][] = RELAY_OPERATIONS.call.requests.flatMap(
  ({ path, dialect }) => {
    const summary = summaries[path]
    if (summary === undefined) return []
    const described = {
      id: buildId(path),
      summary,
      vendor: getVendor(dialect),
      form: FORMS.test(path),
      placed: path.includes('{model}'),
      parameters: listParameters(path),
      ...(path.endsWith('/speech') ? { content: SPEECH } : {}),
    }
    return [[path, described] as const]
  },
)

const socket = (id: string, summary: string): OpenapiObject => ({
  ...operation({ id, summary, vendor: 'openai', get: true }),
  responses: { 101: { description: 'The socket is open' }, 426: { description: 'There is no WebSocket here' } },
})

const amount = (description: string, nullable = false): OpenapiObject => ({
  type: nullable ? ['object', 'null'] : 'object',
  description,
  properties: {
    quota: { type: 'integer', description: 'Quota units' },
    usd: { type: 'number', description: 'US dollars' },
  },
})
const COST: OpenapiObject = {
  'application/json': {
    schema: {
      type: 'object',
      description: 'The cost of the call',
      properties: {
        model: { type: 'string', description: 'The name that the price goes by' },
        group: { type: 'string', description: 'The group that the call is made in' },
        group_ratio: { type: 'number', description: 'Ratio of the group' },
        prompt_tokens: { type: 'integer', description: 'Tokens of the prompt as Weir counts them' },
        least: amount('Without an answer, with the prompt read from a cache'),
        most: amount('With the longest answer; null if tools at the provider may add to it', true),
        price: anything('The price of the model').schema,
        channels: {
          type: 'array',
          description: 'Channels in the order in which they are tried',
          items: anything('A channel; only administrators see its name').schema,
        },
      },
    },
  },
}

/** Describes the estimate of a call, which takes the body of the call. */
function describeEstimate(path: string, call: DocumentedOperation): OpenapiObject {
  const summary = `The cost of this call at ${path}`
  const description = `${summary}, at least and at most, without asking a provider. It needs no balance.`
  return { ...operation({ ...call, id: `estimate.${call.id}`, summary, content: COST }), description }
}

/** Describes a request by its declaration. Only counts of tokens have a body. */
const describeRequest = ({ path, dialect, document }: RelayRequest, get: boolean): OpenapiObject[] =>
  document
    ? [
        operation({
          ...document,
          vendor: getVendor(dialect),
          get,
          placed: path.includes('{model}'),
          parameters: listParameters(path),
        }),
      ]
    : []

/** The paths of all calls, and of the other requests that the relay serves. */
export const relayPathDocument: Paths = buildPaths()

function buildPaths(): Paths {
  const paths: Paths = {}
  const add = (path: string, method: string, described: OpenapiObject) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described }
  }
  const { count, models, model, answer, websocket } = RELAY_OPERATIONS
  for (const [path, call] of calls) add(path, 'POST', operation(call))
  for (const [path, call] of calls)
    if (!call.placed) add(`${ESTIMATE_PREFIX}${path}`, 'POST', describeEstimate(path, call))
  for (const request of count.requests)
    for (const described of describeRequest(request, false)) add(request.path, request.method, described)
  for (const request of [...models.requests, ...model.requests, ...answer.requests])
    for (const described of describeRequest(request, true)) add(request.path, request.method, described)
  for (const { path, method, document } of websocket.requests)
    if (document) add(path, method, socket(document.id, document.summary))
  return paths
}
