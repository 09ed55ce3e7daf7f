// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import {
  byType,
  each,
  flag,
  kept,
  members,
  number,
  object,
  taken,
  text,
  textOr,
  unknownType,
  usual,
  word,
  type Shape,
} from '../shape.ts'

/** Google's files have names of their own, and may be asked about in this format. */
const file_id: Shape = (id, ...place) => (textIn(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = kept('a file at OpenAI', 'openai-responses')
const atGoogle = kept('a file at Google', 'gemini-generate')

const file = members({ file_data: text, filename: text, file_id })

/** How OpenAI and OpenRouter mark the end of what is to be cached. */
const cached = { cache_control: taken, prompt_cache_breakpoint: taken }

const image = members({ url: text, detail: text })

/** The parts of a message's content by their type. */
const PARTS = {
  text: members({ type: taken, text, ...cached }),
  refusal: members({ type: taken, refusal: text }),
  image_url: members({
    type: taken,
    image_url: (value, ...place) => typeof value === 'string' || image(value, ...place),
    ...cached,
  }),
  input_audio: members({ type: taken, input_audio: members({ data: text, format: text }), ...cached }),
  file: members({ type: taken, file, ...cached }),
}
const content = textOr(each(byType(PARTS, '', '', unknownType)))

/** What was said in sound is there in words, or only at OpenAI. */
const audio: Shape = (value, ...place) => textIn(memberOf(value, 'transcript')) === undefined && sound(value, ...place)
const sound = kept('an answer in sound at OpenAI')

const called = members({ name: text, arguments: text, input: text })
const message = members({
  role: word('system', 'developer', 'user', 'assistant', 'tool', 'function'),
  content,
  name: text,
  tool_calls: each(
    members({ id: text, type: text, index: taken, function: called, custom: called, extra_content: taken }),
  ),
  tool_call_id: text,
  function_call: called,
  refusal: text,
  audio,
  reasoning_content: text,
  reasoning: text,
  reasoning_signature: text,
  // What an answer told beside its words is no part of them.
  annotations: taken,
})

const tool = members({
  type: text,
  cache_control: taken,
  function: members({ name: text, description: text, parameters: object, strict: flag }),
  custom: members({ name: text, description: text, format: object }),
})

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  stream_options: members({ include_usage: flag }),
  messages: each(message),
  tools: each(tool),
  functions: each(members({ name: text, description: text, parameters: object })),
  tool_choice: taken,
  function_call: taken,
  max_tokens: taken,
  max_completion_tokens: taken,
  temperature: number,
  top_p: number,
  top_k: number,
  stop: each(text),
  seed: number,
  presence_penalty: number,
  frequency_penalty: number,
  n: number,
  user: text,
  safety_identifier: text,
  service_tier: text,
  parallel_tool_calls: flag,
  response_format: object,
  reasoning_effort: text,
  web_search_options: object,
  modalities: each(text),
  store: usual(false),
  logprobs: flag,
  top_logprobs: number,
}
