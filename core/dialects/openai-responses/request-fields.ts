// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import {
  byType,
  each,
  flagField,
  kept,
  members,
  named,
  number,
  object,
  taken,
  textField,
  textOr,
  unknownType,
  usual,
  word,
  type FieldShape,
} from '../shape.ts'

/** Of all items: ids and states are for their vendor, and the model itself is the usual caller. */
const plain = {
  type: textField,
  id: textField,
  status: textField,
  call_id: textField,
  caller: members({ type: usual('direct') }),
}
const item = (more: Record<string, FieldShape>): FieldShape => members({ ...plain, ...more })

/** Google's files have names of their own, and may be asked about in this format. */
const file_id: FieldShape = (id, ...place) => (textIn(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = kept('a file at OpenAI', 'openai-chat')
const atGoogle = kept('a file at Google', 'gemini-generate')

const words = members({ type: taken, text: textField, annotations: taken, logprobs: taken })
const PARTS = {
  text: words,
  input_text: words,
  output_text: words,
  refusal: members({ type: taken, refusal: textField }),
  input_audio: members({ type: taken, input_audio: members({ data: textField, format: textField }) }),
  input_image: members({ type: taken, image_url: textField, detail: textField, file_id: kept('a picture at OpenAI') }),
  input_file: members({
    type: taken,
    file_data: textField,
    file_url: textField,
    filename: textField,
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
  function_call: item({ name: textField, namespace: textField, arguments: textField }),
  function_call_output: answered,
  custom_tool_call: item({ name: textField, namespace: textField, input: textField }),
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

const functionTool = members({ name: textField, description: textField, parameters: object, strict: flagField }, taken)

/** Tools that the caller runs, and that OpenAI runs on what is kept there. */
const TOOLS = {
  function: functionTool,
  custom: members({ name: textField, description: textField, format: object }, taken),
  namespace: members({ name: textField, description: textField, tools }, taken),
  file_search: kept('a store of files at OpenAI'),
  mcp: kept('servers that OpenAI asks for their tools'),
  code_interpreter: members({ container: inContainer }, taken),
  shell: members({ environment: inContainer }, taken),
  image_generation: members({ input_image_mask: mask }, taken),
}

function tools(...given: Parameters<FieldShape>): void {
  each(byType(TOOLS, '', 'tools.', members({ type: textField }, taken)))(...given)
}

/** A new container holds nothing but the files it is given. */
function inContainer(...[value, name, untaken, spell]: Parameters<FieldShape>): void {
  const type = textIn(memberOf(value, 'type'))
  if (type !== 'auto' && type !== 'container_auto' && type !== 'local') return container(value, name, untaken, spell)
  members({ file_ids: kept('files at OpenAI') }, taken)(value, name, untaken, spell)
}

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  instructions: textField,
  input: items,
  tools,
  tool_choice: taken,
  parallel_tool_calls: flagField,
  max_output_tokens: taken,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  user: textField,
  safety_identifier: textField,
  service_tier: textField,
  text: object,
  reasoning: members({ effort: textField }),
  include: each(textField),
  store: taken,
  truncation: usual('disabled'),
  stream_options: named,
  background: ((value, ...place) =>
    value === true && kept('an answer that OpenAI gives later')(value, ...place)) as FieldShape,
  previous_response_id: kept('a conversation at OpenAI'),
  conversation: kept('a conversation at OpenAI'),
  prompt: kept('a prompt at OpenAI'),
}
