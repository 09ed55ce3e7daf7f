// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import {
  byType,
  each,
  flag,
  kept,
  members,
  named,
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

/** Of all items: ids and states are for their vendor, and the model itself is the usual caller. */
const plain = { type: text, id: text, status: text, call_id: text, caller: members({ type: usual('direct') }) }
const item = (more: Record<string, Shape>): Shape => members({ ...plain, ...more })

/** Google's files have names of their own, and may be asked about in this format. */
const file_id: Shape = (id, ...place) => (textIn(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = kept('a file at OpenAI', 'openai-chat')
const atGoogle = kept('a file at Google', 'gemini-generate')

const words = members({ type: taken, text, annotations: taken, logprobs: taken })
const PARTS = {
  text: words,
  input_text: words,
  output_text: words,
  refusal: members({ type: taken, refusal: text }),
  input_audio: members({ type: taken, input_audio: members({ data: text, format: text }) }),
  input_image: members({ type: taken, image_url: text, detail: text, file_id: kept('a picture at OpenAI') }),
  input_file: members({
    type: taken,
    file_data: text,
    file_url: text,
    filename: text,
    file_id,
  }),
}
const parts = textOr(each(byType(PARTS, '', '', unknownType)))

const said = item({ role: word('system', 'developer', 'user', 'assistant'), content: parts, phase: taken })
const answered = item({ output: parts })
/** What is declared or loaded by an item is read with the other tools. */
const loaded = item({ tools, execution: taken, role: taken })

/** The items of the input by their type; what the reader does not know it names by its type. */
const ITEMS = {
  message: said,
  reasoning: item({ summary: taken, content: taken, encrypted_content: taken }),
  function_call: item({ name: text, namespace: text, arguments: text }),
  function_call_output: answered,
  custom_tool_call: item({ name: text, namespace: text, input: text }),
  custom_tool_call_output: answered,
  local_shell_call: item({ action: object }),
  local_shell_call_output: answered,
  shell_call: item({ action: object, environment: members({ type: usual('local') }) }),
  shell_call_output: item({ output: taken, max_output_length: taken }),
  apply_patch_call: item({ operation: object }),
  apply_patch_call_output: item({ output: taken }),
  tool_search_call: item({ arguments: taken, execution: taken }),
  tool_search_output: loaded,
  additional_tools: loaded,
  compaction: kept('a conversation that OpenAI has sealed'),
  compaction_summary: kept('a conversation that OpenAI has sealed'),
  item_reference: kept('a part of a conversation at OpenAI'),
}
const items = textOr(each(byType(ITEMS, 'message', 'input.')))

const container = kept('a container at OpenAI')
const mask = members({ file_id: kept('a picture at OpenAI') }, taken)

const functionTool = members({ name: text, description: text, parameters: object, strict: flag }, taken)

/** Tools that the caller runs, and that OpenAI runs on what is kept there. */
const TOOLS = {
  function: functionTool,
  custom: members({ name: text, description: text, format: object }, taken),
  namespace: members({ name: text, description: text, tools }, taken),
  file_search: kept('a store of files at OpenAI'),
  mcp: kept('servers that OpenAI asks for their tools'),
  code_interpreter: members({ container: inContainer }, taken),
  shell: members({ environment: inContainer }, taken),
  image_generation: members({ input_image_mask: mask }, taken),
}

function tools(...given: Parameters<Shape>): void {
  each(byType(TOOLS, '', 'tools.', members({ type: text }, taken)))(...given)
}

/** A new container holds nothing but the files it is given. */
function inContainer(...[value, name, untaken, spell]: Parameters<Shape>): void {
  const type = textIn(memberOf(value, 'type'))
  if (type !== 'auto' && type !== 'container_auto' && type !== 'local') return container(value, name, untaken, spell)
  members({ file_ids: kept('files at OpenAI') }, taken)(value, name, untaken, spell)
}

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  instructions: text,
  input: items,
  tools,
  tool_choice: taken,
  parallel_tool_calls: flag,
  max_output_tokens: taken,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  user: text,
  safety_identifier: text,
  service_tier: text,
  text: object,
  reasoning: members({ effort: text }),
  include: each(text),
  store: taken,
  truncation: usual('disabled'),
  stream_options: named,
  background: ((value, ...place) =>
    value === true && kept('an answer that OpenAI gives later')(value, ...place)) as Shape,
  previous_response_id: kept('a conversation at OpenAI'),
  conversation: kept('a conversation at OpenAI'),
  prompt: kept('a prompt at OpenAI'),
}
