// Declares the fields of this format's requests and how the reader handles each of them.
import { getMember, asText } from '../json/json-value.ts'
import type { FieldCheck } from '../requests/shape.ts'
import {
  byType,
  each,
  flagField,
  storedByVendor,
  members,
  number,
  object,
  acceptAny,
  textField,
  textOr,
  refuseUnknownType,
  acceptDefaults,
  oneOf,
} from '../requests/shape.ts'

/** Google's files have their own names and may be referenced in this format. */
const file_id: FieldCheck = (id, ...place) => (asText(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = storedByVendor('a file at OpenAI', 'openai-responses')
const atGoogle = storedByVendor('a file at Google', 'gemini-generate')

const file = members({ file_data: textField, filename: textField, file_id })

/** Cache breakpoints of OpenAI and OpenRouter. */
const cached = { cache_control: acceptAny, prompt_cache_breakpoint: acceptAny }

const image = members({ url: textField, detail: textField })

/** The parts of a message's content by their type. */
const PARTS = {
  text: members({ type: acceptAny, text: textField, ...cached }),
  refusal: members({ type: acceptAny, refusal: textField }),
  image_url: members({
    type: acceptAny,
    image_url: (value, ...place) => typeof value === 'string' || image(value, ...place),
    ...cached,
  }),
  input_audio: members({ type: acceptAny, input_audio: members({ data: textField, format: textField }), ...cached }),
  file: members({ type: acceptAny, file, ...cached }),
}
const content = textOr(each(byType(PARTS, '', '', refuseUnknownType)))

/** A spoken answer has a transcript, or is stored at OpenAI only. */
const audio: FieldCheck = (value, ...place) =>
  asText(getMember(value, 'transcript')) === undefined && sound(value, ...place)
const sound = storedByVendor('an answer in sound at OpenAI')

const called = members({ name: textField, arguments: textField, input: textField })
const message = members({
  role: oneOf('system', 'developer', 'user', 'assistant', 'tool', 'function'),
  content,
  name: textField,
  tool_calls: each(
    members({
      id: textField,
      type: textField,
      index: acceptAny,
      function: called,
      custom: called,
      extra_content: acceptAny,
    }),
  ),
  tool_call_id: textField,
  function_call: called,
  refusal: textField,
  audio,
  reasoning_content: textField,
  reasoning: textField,
  reasoning_signature: textField,
  // Annotations of an earlier answer are not part of its text.
  annotations: acceptAny,
})

const tool = members({
  type: textField,
  cache_control: acceptAny,
  function: members({ name: textField, description: textField, parameters: object, strict: flagField }),
  custom: members({ name: textField, description: textField, format: object }),
})

export const REQUEST_FIELDS = {
  model: acceptAny,
  stream: acceptAny,
  stream_options: members({ include_usage: flagField }),
  messages: each(message),
  tools: each(tool),
  functions: each(members({ name: textField, description: textField, parameters: object })),
  tool_choice: acceptAny,
  function_call: acceptAny,
  max_tokens: acceptAny,
  max_completion_tokens: acceptAny,
  temperature: number,
  top_p: number,
  top_k: number,
  stop: each(textField),
  seed: number,
  presence_penalty: number,
  frequency_penalty: number,
  n: number,
  user: textField,
  safety_identifier: textField,
  service_tier: textField,
  parallel_tool_calls: flagField,
  response_format: object,
  reasoning_effort: textField,
  web_search_options: object,
  modalities: each(textField),
  store: acceptDefaults(false),
  logprobs: flagField,
  top_logprobs: number,
}
