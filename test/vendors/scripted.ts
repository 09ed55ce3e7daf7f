// Answers in the shape of recordings, by vendors that are written from their documentation: the tests that read recorded
// traffic have these cases wherever they run.
import type { Json } from '../support/json.ts'
import type { Recording } from '../support/recordings.ts'
import type { TestReply } from '../support/upstream.ts'
import { anthropicVendor } from './anthropic.ts'
import { awsEvent } from './aws-event-stream.ts'
import { geminiVendor } from './gemini.ts'
import { openaiVendor } from './openai.ts'
import type { Turn } from './script.ts'
import { NO_MODEL, openVendor, type VendorKind } from './vendor.ts'

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const TOOL = { name: 'look_up', description: 'Looks up the weather of a city.' }
const WORDS = 'It is 4 °C and clear in 北京, with a light wind from the north. 🌤'

/** What is said, and whether tools are offered for it. */
const TURNS: Readonly<Record<string, Turn>> = {
  words: { text: WORDS },
  thought: { thought: 'The user asks for the weather; I know it.', text: WORDS },
  call: { calls: [{ name: 'look_up', args: { city: 'Zürich' } }] },
  'words-and-calls': {
    text: 'I look both up.',
    calls: ['Zürich', '北京'].map((city) => ({ name: 'look_up', args: { city } })),
  },
}

interface Api {
  provider: string
  api: string
  vendor: VendorKind
  model: string
  headers: Record<string, string>
  path(model: string, streamed: boolean): string
  body(model: string, streamed: boolean): Json
}

const SYSTEM = 'Answer briefly.'
const QUESTION = 'What is the weather like?'

const OPENAI = {
  provider: 'openai',
  vendor: openaiVendor,
  model: 'gpt-6.2-sol',
  headers: { authorization: 'Bearer a-key' },
}
const ANTHROPIC = { provider: 'anthropic', vendor: anthropicVendor, model: 'claude-opus-5-5' }
const GOOGLE = { provider: 'google', vendor: geminiVendor, model: 'gemini-3.8-flash' }

const CHATS: readonly Api[] = [
  {
    ...OPENAI,
    model: 'gpt-4.1-mini',
    api: 'openai.chat',
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({
      model,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: QUESTION },
      ],
      tools: [{ type: 'function', function: { ...TOOL, parameters: CITY } }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
  },
  {
    ...OPENAI,
    api: 'openai.responses',
    path: () => '/v1/responses',
    body: (model, stream) => ({
      model,
      instructions: SYSTEM,
      input: [{ role: 'user', content: QUESTION }],
      tools: [{ type: 'function', ...TOOL, parameters: CITY, strict: true }],
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      ...(stream ? { stream } : {}),
    }),
  },
  {
    ...ANTHROPIC,
    headers: { 'x-api-key': 'a-key', 'anthropic-version': '2023-06-01' },
    api: 'anthropic.messages',
    path: () => '/v1/messages',
    body: (model, stream) => ({
      model,
      max_tokens: 4096,
      system: SYSTEM,
      messages: [{ role: 'user', content: QUESTION }],
      tools: [{ ...TOOL, input_schema: CITY }],
      thinking: { type: 'adaptive' },
      ...(stream ? { stream } : {}),
    }),
  },
  {
    ...GOOGLE,
    headers: { 'x-goog-api-key': 'a-key' },
    api: 'google.generateContent',
    path: (model, streamed) =>
      `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      tools: [{ functionDeclarations: [{ ...TOOL, parametersJsonSchema: CITY }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    }),
  },
]

const json = { 'content-type': 'application/json' }
const DONE = 'data: [DONE]\n\n'

const responseOf = ({ status = 200, chunks, body }: TestReply): Recording['response'] =>
  chunks
    ? { status, headers: { 'content-type': 'text/event-stream' }, sse: chunks.map(String) }
    : { status, headers: json, body }

function answered({ vendor, headers, ...api }: Api, id: string, turn: Turn, streamed: boolean, model = api.model) {
  const body = api.body(model, streamed)
  const path = api.path(model, streamed)
  const [reply, { refusal }] = openVendor(
    vendor,
    () => turn,
  )({
    ...{ method: 'POST', path, headers, json: body },
    body: new TextEncoder().encode(JSON.stringify(body)),
  })
  if (refusal && model !== NO_MODEL)
    throw new Error(`the scripted ${api.api} refuses its own request: ${refusal.message}`)
  return recording(api.provider, api.api, id, { path, body, model }, responseOf(reply))
}

const recording = (
  provider: string,
  api: string,
  id: string,
  { path, body, model }: { path: string; body: Json; model: string },
  response: Recording['response'],
): Recording => ({
  ...{ id: `scripted-${id}`, provider, api, model, fidelity: 'scripted' },
  features: response.sse?.at(-1) === DONE ? ['done_marker'] : [],
  request: { method: 'POST', path, headers: {}, body },
  response,
})

const chats = CHATS.flatMap((api) => [
  ...Object.entries(TURNS).flatMap(([name, turn]) => [
    answered(api, name, turn, false),
    answered(api, `${name}-streamed`, turn, true),
  ]),
  answered(api, 'no-such-model', {}, false, NO_MODEL),
])

/** Claude at Bedrock: Anthropic's answers, streams in AWS's framing ("InvokeModelWithResponseStream"). */
const bedrock = chats
  .filter(({ api, response }) => api === 'anthropic.messages' && response.status === 200)
  .map((one): Recording => {
    const { model: _model, stream, ...body } = one.request!.body as Json
    const action = stream ? 'invoke-with-response-stream' : 'invoke'
    const request = {
      path: `/model/${one.model}/${action}`,
      body: { ...body, anthropic_version: 'bedrock-2023-05-31' },
    }
    const events = (one.response.sse ?? []).map((event) => awsEvent(JSON.parse(event.split('\ndata: ')[1] ?? '')))
    const response = {
      ...{ status: 200, headers: { 'content-type': 'application/vnd.amazon.eventstream' } },
      base64: Buffer.concat(events).toString('base64'),
    }
    const [id, model] = [one.id.replace('scripted-', ''), one.model ?? '']
    return recording(
      'amazon-bedrock',
      'bedrock.invoke.anthropic',
      id,
      { ...request, model },
      stream ? response : one.response,
    )
  })

/** Others who answer in OpenAI's chat, each under its own address. */
const ELSEWHERE = [
  // "Compatibility API" of Cohere's documentation.
  { provider: 'cohere', model: 'command-a-03-2025', at: '/compatibility' },
  // "Invoke a model with the OpenAI Chat Completions API" of Bedrock's.
  { provider: 'amazon-bedrock', model: 'openai.gpt-oss-20b-1:0', at: '/openai' },
]
const elsewhere = ELSEWHERE.flatMap(({ provider, model, at }) =>
  ['words', 'call', 'words-and-calls'].flatMap((name) =>
    [false, true].map((streamed): Recording => {
      const id = `${provider}-${name}${streamed ? '-streamed' : ''}`
      const one = answered({ ...CHATS[0]!, provider, model }, id, TURNS[name]!, streamed)
      return { ...one, request: { ...one.request!, path: at + one.request!.path } }
    }),
  ),
)

/** Refusals in formats that no channel asks in: "Converse" in Bedrock's API reference, "Errors" in Cohere's. */
const foreign = (
  [
    ['amazon-bedrock', 'bedrock.converse', 400, { message: 'The provided model identifier is invalid.' }],
    ['amazon-bedrock', 'bedrock.converse', 403, { message: 'You do not have access to the model with the given ID.' }],
    ['amazon-bedrock', 'bedrock.converse', 429, { message: 'Too many requests, please wait before trying again.' }],
    ['cohere', 'cohere.chat.v2', 400, { id: 'c1', message: 'invalid request: a message must have content' }],
    ['cohere', 'cohere.chat.v2', 401, { id: 'c2', message: 'invalid api token' }],
    ['cohere', 'cohere.chat.v2', 429, { id: 'c3', message: 'trial token rate limit exceeded' }],
  ] as const
).map(([provider, api, status, body]) => {
  const [model, path] =
    provider === 'cohere'
      ? ['command-a-03-2025', '/v2/chat']
      : ['anthropic.claude-sonnet-4-v1:0', '/model/anthropic.claude-sonnet-4-v1:0/converse']
  return recording(
    provider,
    api,
    `${provider}-refused-${status}`,
    { path, body: { model }, model },
    responseOf({ status, body }),
  )
})

const chunk = (text: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', created: 1_780_000_000, model: 'gpt-3.5-turbo-instruct', choices: [{ text, index: 0, logprobs: null, finish_reason }] })}\n\n`
const COUNTED = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }

/** What is asked for beside chat, as the vendors' references show it. */
const beside: readonly (readonly [provider: string, api: string, path: string, body: Json, response: Json])[] = [
  [
    ...(['openai', 'openai.completions', '/v1/completions'] as const),
    { model: 'gpt-3.5-turbo-instruct', prompt: 'Say this is a test' },
    {
      ...{ id: 'cmpl-1', object: 'text_completion', created: 1_780_000_000, model: 'gpt-3.5-turbo-instruct' },
      choices: [{ text: '\n\nThis is indeed a test', index: 0, logprobs: null, finish_reason: 'length' }],
      usage: COUNTED,
    },
  ],
  [
    ...(['openai', 'openai.embeddings', '/v1/embeddings'] as const),
    { model: 'text-embedding-3-small', input: 'The food was delicious' },
    {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.0023064255, -0.009327292] }],
      model: 'text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    },
  ],
  [
    ...(['cohere', 'rerank', '/v2/rerank'] as const),
    { model: 'rerank-v3.5', query: 'What is the capital?', documents: ['Carson City', 'Washington, D.C.'], top_n: 2 },
    {
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      results: [
        { index: 1, relevance_score: 0.999071 },
        { index: 0, relevance_score: 0.32713068 },
      ],
      meta: { api_version: { version: '2', is_experimental: false }, billed_units: { search_units: 1 } },
    },
  ],
  [
    ...(['anthropic', 'anthropic.count_tokens', '/v1/messages/count_tokens'] as const),
    { model: 'claude-sonnet-4-6', messages: [{ role: 'user', content: QUESTION }] },
    { input_tokens: 14 },
  ],
  [
    ...(['google', 'google.countTokens', '/v1beta/models/gemini-3-pro-preview:countTokens'] as const),
    { contents: [{ role: 'user', parts: [{ text: QUESTION }] }] },
    { totalTokens: 10, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }] },
  ],
]

/** Every scripted answer. */
export const scripted: readonly Recording[] = [
  ...chats,
  ...bedrock,
  ...elsewhere,
  ...foreign,
  ...beside.map(([provider, api, path, body, answer]) =>
    recording(
      provider,
      api,
      'documented',
      { path, body, model: body.model ?? 'gemini-3-pro-preview' },
      responseOf({ body: answer }),
    ),
  ),
  recording(
    ...(['openai', 'openai.completions', 'documented-streamed'] as const),
    {
      path: '/v1/completions',
      body: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi', stream: true },
      model: 'gpt-3.5-turbo-instruct',
    },
    responseOf({ chunks: [chunk('\n\nThis is'), chunk(' indeed a test'), chunk('', 'stop'), DONE] }),
  ),
]
