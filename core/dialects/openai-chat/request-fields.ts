// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import { byType, each, kept, members, taken, usual, type Shape } from '../shape.ts'

/** Google's files have names of their own, and may be asked about in this format. */
const file_id: Shape = (id, ...place) => (String(id).startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = kept('a file at OpenAI', 'openai-responses')
const atGoogle = kept('a file at Google', 'gemini-generate')

const file = members({ file_data: taken, filename: taken, file_id })

/** How OpenAI and OpenRouter mark the end of what is to be cached. */
const cached = { cache_control: taken, prompt_cache_breakpoint: taken }

/** The parts of a message's content by their type; the reader refuses those it does not know. */
const PARTS = {
  text: members({ type: taken, text: taken, ...cached }),
  refusal: members({ type: taken, refusal: taken }),
  image_url: members({ type: taken, image_url: members({ url: taken, detail: taken }), ...cached }),
  input_audio: members({ type: taken, input_audio: members({ data: taken, format: taken }), ...cached }),
  file: members({ type: taken, file, ...cached }),
}
const content: Shape = (value, ...place) => {
  if (Array.isArray(value)) each(byType(PARTS))(value, ...place)
}

/** What was said in sound is there in words, or only at OpenAI. */
const audio: Shape = (value, ...place) => textIn(memberOf(value, 'transcript')) === undefined && sound(value, ...place)
const sound = kept('an answer in sound at OpenAI')

const called = members({ name: taken, arguments: taken, input: taken })
const message = members({
  role: taken,
  content,
  name: taken,
  tool_calls: each(
    members({ id: taken, type: taken, index: taken, function: called, custom: called, extra_content: taken }),
  ),
  tool_call_id: taken,
  function_call: called,
  refusal: taken,
  audio,
  reasoning_content: taken,
  reasoning: taken,
  reasoning_signature: taken,
  // What an answer told beside its words is no part of them.
  annotations: taken,
})

const tool = members({
  type: taken,
  cache_control: taken,
  function: members({ name: taken, description: taken, parameters: taken, strict: taken }),
  custom: members({ name: taken, description: taken, format: taken }),
})

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  stream_options: members({ include_usage: taken }),
  messages: each(message),
  tools: each(tool),
  functions: each(members({ name: taken, description: taken, parameters: taken })),
  tool_choice: taken,
  function_call: taken,
  max_tokens: taken,
  max_completion_tokens: taken,
  temperature: taken,
  top_p: taken,
  top_k: taken,
  stop: taken,
  seed: taken,
  presence_penalty: taken,
  frequency_penalty: taken,
  n: taken,
  user: taken,
  safety_identifier: taken,
  service_tier: taken,
  parallel_tool_calls: taken,
  response_format: taken,
  reasoning_effort: taken,
  web_search_options: taken,
  modalities: taken,
  store: usual(false),
  logprobs: taken,
  top_logprobs: taken,
}
