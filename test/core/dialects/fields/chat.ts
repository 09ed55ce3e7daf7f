// The fields of Chat Completions and of the older completions, as OpenAI's client declares them.
import type OpenAI from 'openai'
import { plain, PNG, schema, within, type Sample, type Samples } from './sample.ts'

const said = { role: 'user', content: 'Hello' }
const tool = { type: 'function', function: { name: 'f', description: 'Does.', parameters: schema } }
const withTools = (more: object): Sample => ({ with: { tools: [tool], ...more }, without: { tools: [tool] } })
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } }

type Field = Exclude<keyof OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages' | 'stream'>

const fields = {
  audio: { voice: 'alloy', format: 'wav' },
  frequency_penalty: 0.5,
  function_call: { name: 'f' },
  functions: [tool.function],
  logit_bias: { 50256: -100 },
  logprobs: true,
  max_completion_tokens: 99,
  max_tokens: 99,
  metadata: { a: 'b' },
  modalities: ['text', 'audio'],
  moderation: { model: 'omni-moderation-latest' },
  n: 2,
  parallel_tool_calls: false,
  prediction: { type: 'content', content: 'Hello' },
  presence_penalty: 0.5,
  prompt_cache_key: 'k',
  prompt_cache_options: { mode: 'explicit' },
  prompt_cache_retention: '24h',
  reasoning_effort: 'high',
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
  safety_identifier: 'someone',
  seed: 7,
  service_tier: 'flex',
  stop: ['END'],
  store: true,
  stream_options: { include_obfuscation: true },
  temperature: 0.5,
  tool_choice: 'required',
  tools: [tool],
  top_logprobs: 2,
  top_p: 0.5,
  user: 'someone',
  verbosity: 'low',
  web_search_options: { search_context_size: 'low' },
} satisfies Record<Field, unknown>

const part = (one: unknown): Sample => ({
  with: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, one] }] },
})
const parts = {
  text: { type: 'text', text: 'More' },
  image_url: { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  input_audio: { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
  'file.file_data': { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
  'file.file_id': { type: 'file', file: { file_id: 'file-1' } },
  'text.cache_control': { type: 'text', text: 'More', cache_control: { type: 'ephemeral' } },
}

const message = (...more: unknown[]): Sample => ({ with: { messages: [said, ...more] } })

export const chat: Samples = {
  ...plain(fields),
  function_call: {
    with: { functions: [tool.function], function_call: { name: 'f' } },
    without: { functions: [tool.function] },
  },
  parallel_tool_calls: withTools({ parallel_tool_calls: false }),
  tool_choice: withTools({ tool_choice: 'required' }),
  'tool_choice.function': withTools({ tool_choice: { type: 'function', function: { name: 'f' } } }),
  'tool_choice.allowed_tools': withTools({
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tool] } },
  }),
  'tools.custom': { with: { tools: [{ type: 'custom', custom: { name: 'c', description: 'Does.' } }] } },
  'tools.function.strict': {
    with: { tools: [{ ...tool, function: { ...tool.function, strict: true } }] },
    without: { tools: [tool] },
  },
  'response_format.json_object': { with: { response_format: { type: 'json_object' } } },
  top_logprobs: { with: { logprobs: true, top_logprobs: 2 }, without: { logprobs: true } },
  ...within('content part ', parts, part),
  'message developer': { with: { messages: [{ role: 'developer', content: 'Be brief.' }, said] } },
  'message assistant.tool_calls': message(
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'd' },
  ),
  'message assistant.tool_calls.custom': message(
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'c', input: 'x' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'd' },
  ),
  'message assistant.function_call': message(
    { role: 'assistant', function_call: call.function },
    { role: 'function', name: 'f', content: 'd' },
  ),
  'message assistant.refusal': message({ role: 'assistant', refusal: 'No.' }),
  'message assistant.audio': message({ role: 'assistant', audio: { id: 'audio_1' } }),
  'message assistant.reasoning_content': message({ role: 'assistant', content: 'Hm', reasoning_content: 'Well' }),
  'message name': { with: { messages: [{ ...said, name: 'Ada' }] } },
}

type Completion = Exclude<keyof OpenAI.CompletionCreateParamsNonStreaming, 'model' | 'prompt' | 'stream'>

export const completions: Samples = plain({
  best_of: 2,
  echo: true,
  frequency_penalty: 0.5,
  logit_bias: { 50256: -100 },
  logprobs: 2,
  max_tokens: 99,
  n: 2,
  presence_penalty: 0.5,
  seed: 7,
  stop: ['END'],
  stream_options: { include_obfuscation: true },
  suffix: 'end',
  temperature: 0.5,
  top_p: 0.5,
  user: 'someone',
} satisfies Record<Completion, unknown>)
