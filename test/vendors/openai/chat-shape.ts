// The body of /v1/chat/completions, as OpenAI publishes it.
import { z } from 'zod'

const text = z.string()
const number = z.number()
const anything = z.unknown().optional()
const object = z.record(z.string(), z.unknown())

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text, prompt_cache_breakpoint: anything }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: text, detail: z.enum(['auto', 'low', 'high', 'original']).optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: text, format: z.enum(['wav', 'mp3']) }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({ file_data: text.optional(), file_id: text.optional(), filename: text.optional() }),
  }),
  z.strictObject({ type: z.literal('refusal'), refusal: text }),
])
const content = z.union([text, z.array(part).min(1)])
const name = text.regex(/^[^\s<|\\/>]+$/).optional()

const call = z.discriminatedUnion('type', [
  z.strictObject({
    id: text.max(40),
    type: z.literal('function'),
    function: z.strictObject({ name: text, arguments: text }),
  }),
  z.strictObject({ id: text.max(40), type: z.literal('custom'), custom: z.strictObject({ name: text, input: text }) }),
])

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer', 'user']), content, name }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    name,
    refusal: text.nullish(),
    audio: anything,
    annotations: anything,
    function_call: anything,
    tool_calls: z.array(call).min(1).optional(),
  }),
  // A name is taken, though no longer written down: CrewAI sends it.
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: text.max(40), name }),
  z.strictObject({ role: z.literal('function'), content: content.nullable(), name: text }),
])

export const functionName = text.regex(/^[a-zA-Z0-9_-]+$/).max(64)

const functionDefinition = z.strictObject({
  name: functionName,
  description: text.optional(),
  parameters: object.nullish(),
  strict: z.boolean().nullish(),
})
const tool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('function'), function: functionDefinition }),
  z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({ name: functionName, description: text.optional(), format: anything }),
  }),
])

const choice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: text }) }),
    z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: text }) }),
    z.strictObject({ type: z.literal('allowed_tools'), allowed_tools: object }),
  ]),
])

const format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['text', 'json_object']) }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: text.regex(/^[a-zA-Z0-9_-]+$/).max(64),
      description: text.optional(),
      schema: object.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
])

export const metadata = z.record(text.max(64), text.max(512)).nullish()
export const tier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish()
export const verbosity = z.enum(['low', 'medium', 'high']).nullish()

export const chatShape = z.strictObject({
  model: text,
  messages: z.array(message).min(1),
  audio: anything,
  frequency_penalty: number.min(-2).max(2).nullish(),
  function_call: anything,
  functions: z.array(object).min(1).optional(),
  logit_bias: z.record(text, number).nullish(),
  logprobs: z.boolean().nullish(),
  max_completion_tokens: number.int().min(1).nullish(),
  max_tokens: number.int().min(1).nullish(),
  metadata,
  modalities: anything,
  moderation: anything,
  n: number.int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  prediction: anything,
  presence_penalty: number.min(-2).max(2).nullish(),
  prompt_cache_key: text.optional(),
  prompt_cache_options: anything,
  prompt_cache_retention: anything,
  reasoning_effort: text.nullish(),
  response_format: format.optional(),
  safety_identifier: text.optional(),
  seed: number.int().nullish(),
  service_tier: tier,
  stop: z.union([text.min(1), z.array(text.min(1)).min(1).max(4)]).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  temperature: number.min(0).max(2).nullish(),
  tool_choice: choice.optional(),
  tools: z.array(tool).min(1).max(128).optional(),
  top_logprobs: number.int().min(0).max(20).nullish(),
  top_p: number.min(0).max(1).nullish(),
  user: text.optional(),
  verbosity,
  web_search_options: z
    .strictObject({ search_context_size: text.optional(), user_location: object.nullish() })
    .optional(),
})

export type ChatBody = z.infer<typeof chatShape>
