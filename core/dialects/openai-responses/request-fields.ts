// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import { byType, each, kept, members, named, taken, usual, type Shape } from '../shape.ts'

/** Of all items: ids and states are for their vendor, and the model itself is the usual caller. */
const plain = { type: taken, id: taken, status: taken, call_id: taken, caller: members({ type: usual('direct') }) }
const item = (more: Record<string, Shape>): Shape => members({ ...plain, ...more })

/** Google's files have names of their own, and may be asked about in this format. */
const file_id: Shape = (id, ...place) => (String(id).startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = kept('a file at OpenAI', 'openai-chat')
const atGoogle = kept('a file at Google', 'gemini-generate')

const text = members({ type: taken, text: taken, annotations: taken, logprobs: taken })
const PARTS = {
  text,
  input_text: text,
  output_text: text,
  input_image: members({ type: taken, image_url: taken, detail: taken, file_id: kept('a picture at OpenAI') }),
  input_file: members({
    type: taken,
    file_data: taken,
    file_url: taken,
    filename: taken,
    file_id,
  }),
}
const parts: Shape = (value, ...place) => {
  if (Array.isArray(value)) each(byType(PARTS))(value, ...place)
}

const said = item({ role: taken, content: parts, phase: taken })
const answered = item({ output: parts })
/** What is declared or loaded by an item is read with the other tools. */
const loaded = item({ tools: tools, execution: taken, role: taken })

/** The items of the input by their type; what the reader does not know it names by its type. */
const ITEMS = {
  message: said,
  reasoning: item({ summary: taken, content: taken, encrypted_content: taken }),
  function_call: item({ name: taken, namespace: taken, arguments: taken }),
  function_call_output: answered,
  custom_tool_call: item({ name: taken, namespace: taken, input: taken }),
  custom_tool_call_output: answered,
  local_shell_call: item({ action: taken }),
  local_shell_call_output: answered,
  shell_call: item({ action: taken, environment: members({ type: usual('local') }) }),
  shell_call_output: item({ output: taken, max_output_length: taken }),
  apply_patch_call: item({ operation: taken }),
  apply_patch_call_output: item({ output: taken }),
  tool_search_call: item({ arguments: taken, execution: taken }),
  tool_search_output: loaded,
  additional_tools: loaded,
  compaction: kept('a conversation that OpenAI has sealed'),
  compaction_summary: kept('a conversation that OpenAI has sealed'),
  item_reference: kept('a part of a conversation at OpenAI'),
}
const items: Shape = (value, ...place) => {
  if (Array.isArray(value)) each(byType(ITEMS, 'message', 'input.'))(value, ...place)
}

const container = kept('a container at OpenAI')
const mask = members({ file_id: kept('a picture at OpenAI') }, taken)

/** Tools that OpenAI runs on what is kept there. */
const TOOLS = {
  file_search: kept('a store of files at OpenAI'),
  mcp: kept('servers that OpenAI asks for their tools'),
  code_interpreter: members({ container: inContainer }, taken),
  shell: members({ environment: inContainer }, taken),
  image_generation: members({ input_image_mask: mask }, taken),
}

function tools(...given: Parameters<Shape>): void {
  each(byType(TOOLS, '', 'tools.'))(...given)
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
  instructions: taken,
  input: items,
  tools,
  tool_choice: taken,
  parallel_tool_calls: taken,
  max_output_tokens: taken,
  temperature: taken,
  top_p: taken,
  top_logprobs: taken,
  user: taken,
  safety_identifier: taken,
  service_tier: taken,
  text: taken,
  reasoning: members({ effort: taken }),
  include: taken,
  store: taken,
  truncation: usual('disabled'),
  stream_options: named,
  background: ((value, ...place) =>
    value === true && kept('an answer that OpenAI gives later')(value, ...place)) as Shape,
  previous_response_id: kept('a conversation at OpenAI'),
  conversation: kept('a conversation at OpenAI'),
  prompt: kept('a prompt at OpenAI'),
}
