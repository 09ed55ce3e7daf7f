// The fields of Responses, as OpenAI's client declares them, with the kinds of its items, parts and tools.
import type OpenAI from 'openai'
import { plain, PNG, schema, within, type Sample, type Samples } from './sample.ts'

const said = { role: 'user', content: 'Hello' }
const tool = { type: 'function', name: 'f', description: 'Does.', parameters: schema, strict: false }
const withTools = (more: object): Sample => ({ with: { tools: [tool], ...more }, without: { tools: [tool] } })

type Field = Exclude<keyof OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'input' | 'stream'>

const fields = {
  background: true,
  context_management: [{ type: 'compaction' }],
  conversation: 'conv_1',
  include: ['message.output_text.logprobs'],
  instructions: 'Be brief.',
  max_output_tokens: 99,
  metadata: { a: 'b' },
  moderation: { model: 'omni-moderation-latest' },
  parallel_tool_calls: false,
  previous_response_id: 'resp_1',
  prompt: { id: 'pmpt_1' },
  prompt_cache_key: 'k',
  prompt_cache_options: { mode: 'explicit' },
  prompt_cache_retention: '24h',
  reasoning: { effort: 'high' },
  safety_identifier: 'someone',
  service_tier: 'flex',
  store: false,
  stream_options: { include_obfuscation: true },
  temperature: 0.5,
  text: { format: { type: 'json_schema', name: 'n', schema, strict: true } },
  tool_choice: 'required',
  tools: [tool],
  top_logprobs: 2,
  top_p: 0.5,
  truncation: 'auto',
  user: 'someone',
} satisfies Record<Field, unknown>

type ToolType = OpenAI.Responses.Tool['type']

const tools = {
  function: tool,
  file_search: { vector_store_ids: ['vs_1'] },
  computer: {},
  computer_use_preview: { environment: 'browser', display_width: 1, display_height: 1 },
  web_search: {},
  web_search_2025_08_26: {},
  web_search_preview: {},
  web_search_preview_2025_03_11: {},
  mcp: { server_label: 'a', server_url: 'https://a.test' },
  code_interpreter: { container: { type: 'auto' } },
  programmatic_tool_calling: {},
  image_generation: {},
  local_shell: {},
  shell: { environment: { type: 'local' } },
  custom: { name: 'c' },
  namespace: { name: 'n', description: 'Tools.', tools: [tool] },
  tool_search: {},
  apply_patch: {},
} satisfies Record<ToolType, object>

type ItemType = NonNullable<OpenAI.Responses.ResponseInputItem['type']>

const items = {
  message: { role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
  file_search_call: { id: 'i', queries: ['q'], status: 'completed' },
  computer_call: { id: 'i', call_id: 'c', action: { type: 'screenshot' } },
  computer_call_output: { call_id: 'c', output: { type: 'computer_screenshot', image_url: 'https://a.test/1.png' } },
  web_search_call: { id: 'i', action: { type: 'search', query: 'q' } },
  function_call: { call_id: 'c', name: 'f', arguments: '{"a":"b"}' },
  function_call_output: { call_id: 'c', output: 'd' },
  tool_search_call: { call_id: 'c', execution: 'client', arguments: { q: 'a' } },
  tool_search_output: { call_id: 'c', execution: 'client', tools: [tool] },
  additional_tools: { role: 'developer', tools: [tool] },
  reasoning: { id: 'i', summary: [{ type: 'summary_text', text: 'Well' }] },
  compaction: { encrypted_content: 'x' },
  image_generation_call: { id: 'i', result: PNG },
  code_interpreter_call: { id: 'i', code: '1', container_id: 'c' },
  local_shell_call: { id: 'i', call_id: 'c', action: { type: 'exec', command: ['ls'], env: {} } },
  local_shell_call_output: { id: 'c', output: 'd' },
  shell_call: { call_id: 'c', action: { commands: ['ls'] } },
  shell_call_output: { call_id: 'c', output: [{ stdout: 'd', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
  apply_patch_call: { call_id: 'c', operation: { type: 'delete_file', path: 'a' } },
  apply_patch_call_output: { call_id: 'c', status: 'completed', output: 'd' },
  mcp_list_tools: { id: 'i', server_label: 'a', tools: [] },
  mcp_approval_request: { id: 'i', name: 'f', arguments: '{}', server_label: 'a' },
  mcp_approval_response: { approval_request_id: 'i', approve: true },
  mcp_call: { id: 'i', name: 'f', arguments: '{}', server_label: 'a' },
  custom_tool_call: { call_id: 'c', name: 'c', input: 'x' },
  custom_tool_call_output: { call_id: 'c', output: 'd' },
  compaction_trigger: {},
  item_reference: { id: 'i' },
  program: { id: 'i', call_id: 'c', code: '1', fingerprint: 'x' },
  program_output: { id: 'i', call_id: 'c', result: '1' },
} satisfies Record<ItemType, object>

const parts = {
  input_text: { type: 'input_text', text: 'More' },
  'input_image.image_url': { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
  'input_image.file_id': { type: 'input_image', file_id: 'file-1' },
  'input_file.file_data': { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
  'input_file.file_url': { type: 'input_file', file_url: 'https://a.test/a.pdf' },
  'input_file.file_id': { type: 'input_file', file_id: 'file-1' },
  input_audio: { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
}

export const responses: Samples = {
  ...plain(fields),
  parallel_tool_calls: withTools({ parallel_tool_calls: false }),
  tool_choice: withTools({ tool_choice: 'required' }),
  'tool_choice.function': withTools({ tool_choice: { type: 'function', name: 'f' } }),
  'tool_choice.allowed_tools': withTools({
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
  }),
  'tool_choice.image_generation': withTools({ tool_choice: { type: 'image_generation' } }),
  top_logprobs: {
    with: { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    without: { include: ['message.output_text.logprobs'] },
  },
  'reasoning.summary': {
    with: { reasoning: { effort: 'high', summary: 'auto' } },
    without: { reasoning: { effort: 'high' } },
  },
  'text.verbosity': { with: { text: { verbosity: 'low' } } },
  'text.format.json_object': { with: { text: { format: { type: 'json_object' } } } },
  'tools.defer_loading': { with: { tools: [{ ...tool, defer_loading: true }] }, without: { tools: [tool] } },
  'tools.code_interpreter.file_ids': {
    with: { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] },
  },
  ...Object.fromEntries(
    Object.entries(tools).map(([type, more]) => [`tool ${type}`, { with: { tools: [{ type, ...more }] } }]),
  ),
  ...Object.fromEntries(
    Object.entries(items).map(([type, more]) => [`item ${type}`, { with: { input: [said, { type, ...more }] } }]),
  ),
  ...within('content part ', parts, (one) => ({
    with: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }, one] }] },
  })),
}
