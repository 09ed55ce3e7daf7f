// A call of every kind that is charged in its own way, with what its provider answers.
import type { TestGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'
import { soundForm, wave } from '../support/wave.ts'

type Reply = Parameters<TestGateway['upstream']['reply']>[0]

export interface BilledCall {
  name: string
  /** Type of the channel; OpenAI's where missing. */
  type?: number
  model: string
  path?: string
  body?: object
  form?: () => FormData
  reply: Reply
  settings?: Record<string, unknown>
}

const messages = [{ role: 'user', content: 'Hello' }]
const chat = (
  name: string,
  usage: Record<string, unknown> | undefined,
  more: Partial<BilledCall> = {},
): BilledCall => ({
  name,
  model: 'gpt-4o',
  body: { messages },
  reply: chatReply('Hello there', usage),
  ...more,
})
const plain = { prompt_tokens: 1234, completion_tokens: 567 }

const claudeUsage = {
  ...{ input_tokens: 111, output_tokens: 222, cache_read_input_tokens: 3333 },
  cache_creation_input_tokens: 500,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
  server_tool_use: { web_search_requests: 2 },
}
const claude = (name: string, usage: object, more: Partial<BilledCall> = {}): BilledCall => ({
  ...{ name, type: 14, model: 'claude-sonnet-4-5-20250929', path: '/v1/messages' },
  body: { messages, max_tokens: 1000 },
  reply: {
    body: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn' },
      ...{ content: [{ type: 'text', text: 'Hello' }], usage },
    },
  },
  ...more,
})

const gemini = (name: string, usageMetadata: object, more: object = {}, model = 'gemini-2.5-flash'): BilledCall => ({
  ...{ name, type: 24, model, path: `/v1beta/models/${model}:generateContent` },
  body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  reply: {
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0, ...more }],
      ...{ usageMetadata, responseId: 'r1' },
    },
  },
})
const searched = { groundingMetadata: { webSearchQueries: ['one', 'two', 'three'] } }

const responses = (name: string, usage: object | undefined, output: object[], tools: object[] = []): BilledCall => ({
  ...{ name, model: 'gpt-4o', path: '/v1/responses', body: { input: 'Hello', tools } },
  reply: {
    body: {
      ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', usage, tools },
      output: [...output, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
    },
  },
})

const images = (name: string, model: string, body: object, answer: object): BilledCall => ({
  ...{ name, model, path: '/v1/images/generations', body: { prompt: 'a cat', ...body }, reply: { body: answer } },
})

const heard = (
  name: string,
  answer: object,
  form = () => soundForm(wave({ seconds: 3.2 }), 'whisper-1'),
): BilledCall => ({
  ...{ name, model: 'whisper-1', path: '/v1/audio/transcriptions', form, reply: { body: answer } },
})

const picture = { b64_json: 'AAAA' }

export const billedCalls: BilledCall[] = [
  chat('chat', plain),
  chat('chat without a report', undefined),
  chat('a prompt that was partly cached and partly written to a cache', {
    ...plain,
    prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 100 },
    cache_creation: { ephemeral_1h_input_tokens: 60 },
  }),
  chat('more cached than asked', {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 99 },
  }),
  chat('the least there is', { prompt_tokens: 1, completion_tokens: 0 }, { model: 'gpt-4o-mini' }),
  chat('thoughts', { ...plain, completion_tokens_details: { reasoning_tokens: 500 } }, { model: 'o4-mini' }),
  chat('a group at a discount', plain, { settings: { GroupRatio: { default: 0.85, vip: 1, svip: 1 } } }),
  chat('a special ratio', plain, { settings: { GroupGroupRatio: { default: { default: 0.7 } } } }),
  chat('another unit', plain, { settings: { QuotaPerUnit: 1_000_000 } }),
  chat(
    'sound both ways',
    {
      ...plain,
      prompt_tokens_details: { audio_tokens: 200, image_tokens: 100 },
      completion_tokens_details: { audio_tokens: 300 },
    },
    { model: 'gpt-4o-audio-preview' },
  ),
  chat(
    'sound at the price of text',
    {
      ...plain,
      completion_tokens_details: { audio_tokens: 300 },
    },
    { model: 'gpt-4o-mini' },
  ),
  chat(
    'a long prompt',
    { prompt_tokens: 20_000, completion_tokens: 9 },
    {
      settings: { PriceTiers: { 'gpt-4o': { prompt: [{ above: 10_000, factor: { input: 2, output: 1.5 } }] } } },
    },
  ),
  chat('a service tier', plain, { reply: { body: { ...chatBody(plain), service_tier: 'flex' } } }),
  chat(
    'an hour of the day',
    { ...plain, prompt_cache_hit_tokens: 1000 },
    {
      model: 'deepseek-v4-pro',
      settings: {
        PriceTiers: { 'deepseek-*': { time: [{ time_zone: 'Asia/Shanghai', hours: [[0, 24]], factor: 0.5 }] } },
      },
    },
  ),
  chat(
    'several tiers at once, of a cache that lasts',
    {
      ...plain,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 900 },
      cache_creation: { ephemeral_1h_input_tokens: 400 },
    },
    {
      reply: {
        body: {
          ...chatBody({
            ...plain,
            prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 900 },
            cache_creation: { ephemeral_1h_input_tokens: 400 },
          }),
          service_tier: 'priority',
        },
      },
      settings: {
        PriceTiers: {
          'gpt-4o': {
            ...{ service: { priority: { input: 2, output: 1.5, cache_read: 3, cache_write: 1.7 } } },
            ...{ prompt: [{ above: 1000, factor: 1.3 }], cache: { '5m': 1.1, '1h': 1.9 } },
          },
        },
      },
    },
  ),
  chat('a price per call', plain, { settings: { ModelPrice: { 'gpt-4o': 0.0123 } } }),
  chat('a search model', plain, { model: 'gpt-4o-search-preview' }),
  chat('a model without a price', plain, { model: 'nobody-knows', settings: { SelfUseModeEnabled: true } }),
  responses('tools', { input_tokens: 100, output_tokens: 50 }, [
    ...[{ type: 'web_search_call' }, { type: 'web_search_call' }, { type: 'file_search_call' }],
    { type: 'code_interpreter_call', container_id: 'c1' },
    { type: 'image_generation_call', quality: 'low', size: '1024x1024' },
    { type: 'image_generation_call', quality: 'high', size: '1024x1536' },
  ]),
  responses(
    'the older search',
    { input_tokens: 100, output_tokens: 50 },
    [{ type: 'web_search_call' }],
    [{ type: 'web_search_preview' }],
  ),
  responses('tools without a token', { input_tokens: 0, output_tokens: 0 }, [{ type: 'file_search_call' }]),
  claude('Claude', { input_tokens: 10, output_tokens: 20 }),
  claude('Claude with caches of both kinds and searches', claudeUsage),
  claude('Claude asked in another format', claudeUsage, { path: '/v1/chat/completions', body: { messages } }),
  claude('Claude in a hurry', { ...claudeUsage, speed: 'fast' }),
  gemini('Gemini with thoughts and a cache', {
    ...{ promptTokenCount: 900, candidatesTokenCount: 80, thoughtsTokenCount: 300, totalTokenCount: 1280 },
    cachedContentTokenCount: 400,
  }),
  gemini('Gemini with sound at a price of its own', {
    ...{ promptTokenCount: 900, candidatesTokenCount: 80, totalTokenCount: 980 },
    promptTokensDetails: [
      { modality: 'AUDIO', tokenCount: 700 },
      { modality: 'IMAGE', tokenCount: 100 },
    ],
  }),
  gemini('Gemini 2.5 that searched', { promptTokenCount: 9, candidatesTokenCount: 8, totalTokenCount: 17 }, searched),
  gemini(
    'Gemini 3 that searched',
    { promptTokenCount: 9, candidatesTokenCount: 8, totalTokenCount: 17 },
    searched,
    'gemini-3-flash-preview',
  ),
  images('a picture of a size', 'dall-e-3', { size: '1024x1792', quality: 'hd' }, { data: [picture] }),
  images('small pictures', 'dall-e-2', { size: '256x256', n: 2 }, { data: [picture, picture] }),
  images(
    'a picture in tokens',
    'gpt-image-1',
    {},
    {
      data: [picture],
      usage: { input_tokens: 50, output_tokens: 1056, input_tokens_details: { image_tokens: 30 } },
    },
  ),
  images('a picture without tokens of a model priced by ratio', 'gpt-image-1', {}, { data: [picture] }),
  images(
    'a picture of which only the prompt was counted',
    'gpt-image-1',
    {},
    {
      data: [picture],
      usage: { input_tokens: 50, output_tokens: 0, total_tokens: 50 },
    },
  ),
  heard('seconds that are told', { text: 'hi', usage: { type: 'duration', seconds: 61.5 } }),
  heard('seconds of a file', { text: 'hi' }),
  heard('seconds of a file that nobody can read', { text: 'hi' }, () =>
    soundForm(Buffer.alloc(20_000, 7), 'whisper-1'),
  ),
  {
    ...{ name: 'characters', model: 'tts-1', path: '/v1/audio/speech', body: { input: 'Grüße 👋', voice: 'alloy' } },
    reply: { headers: { 'content-type': 'audio/mpeg' }, body: 'sound' },
  },
  {
    ...{ name: 'speech by its length', model: 'gpt-4o-mini-tts', path: '/v1/audio/speech' },
    ...{ body: { input: 'Hello', voice: 'alloy' } },
    reply: { headers: { 'content-type': 'audio/mpeg' }, body: 'x'.repeat(40_000) },
  },
  {
    ...{ name: 'embeddings', model: 'text-embedding-3-small', path: '/v1/embeddings', body: { input: 'Hello' } },
    reply: { body: { data: [{ embedding: [1] }], usage: { prompt_tokens: 4321, total_tokens: 4321 } } },
  },
  {
    ...{ name: 'rerank', type: 38, model: 'jina-reranker-v2-base-multilingual', path: '/v1/rerank' },
    body: { query: 'a', documents: ['b', 'c'] },
    reply: { body: { results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: 815 } } },
  },
]

function chatBody(usage: object) {
  return {
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'gpt-4o', usage },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  }
}
