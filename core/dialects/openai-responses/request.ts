// Converts a Responses request, as the caller wrote it, to the neutral form.
import type { ModelRequest } from '../model-request.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, omitUndefinedMembers } from '../json/json-value.ts'
import { INCLUDE_LOGPROBS, FORMAT_NAME, INCLUDE_ENCRYPTED_REASONING } from './extras.ts'
import { readResponseFormat } from '../openai-chat/tools.ts'
import type { FieldCheck } from '../requests/shape.ts'
import {
  findUnsupportedFields,
  byType,
  each,
  flagField,
  storedByVendor,
  members,
  reportLost,
  number,
  object,
  acceptAny,
  textField,
  textOr,
  refuseUnknownType,
  acceptDefaults,
  oneOf,
} from '../requests/shape.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import { readInput } from './input.ts'
import { readToolChoice, readToolDeclarations } from './tools.ts'

// Declares the fields of this format's requests and how the reader handles each of them.

/** Fields of all items: ids and states are for their vendor, and the model itself is the default caller. */
const plain = {
  type: textField,
  id: textField,
  status: textField,
  call_id: textField,
  caller: members({ type: acceptDefaults('direct') }),
}
const item = (more: Record<string, FieldCheck>): FieldCheck => members({ ...plain, ...more })

/** Google's files have their own names and may be referenced in this format. */
const file_id: FieldCheck = (id, ...place) => (asText(id)?.startsWith('files/') ? atGoogle : atOpenAI)(id, ...place)
const atOpenAI = storedByVendor('a file at OpenAI', 'openai-chat')
const atGoogle = storedByVendor('a file at Google', 'gemini-generate')

const words = members({ type: acceptAny, text: textField, annotations: acceptAny, logprobs: acceptAny })
const PARTS = {
  text: words,
  input_text: words,
  output_text: words,
  refusal: members({ type: acceptAny, refusal: textField }),
  input_audio: members({ type: acceptAny, input_audio: members({ data: textField, format: textField }) }),
  input_image: members({
    type: acceptAny,
    image_url: textField,
    detail: textField,
    file_id: storedByVendor('a picture at OpenAI'),
  }),
  input_file: members({
    type: acceptAny,
    file_data: textField,
    file_url: textField,
    filename: textField,
    file_id,
  }),
}
const parts = textOr(each(byType(PARTS, '', '', refuseUnknownType)))

const messageItem = item({ role: oneOf('system', 'developer', 'user', 'assistant'), content: parts, phase: acceptAny })
const answered = item({ output: parts })
/** Tools that an item declares or loads are read with the other tools. */
const loaded = item({ tools, execution: acceptAny, role: acceptAny })

/** The items of the input by type. An item of an unknown type is reported by its type. */
const ITEMS = {
  message: messageItem,
  reasoning: item({ summary: acceptAny, content: acceptAny, encrypted_content: acceptAny }),
  function_call: item({ name: textField, namespace: textField, arguments: textField }),
  function_call_output: answered,
  custom_tool_call: item({ name: textField, namespace: textField, input: textField }),
  custom_tool_call_output: answered,
  local_shell_call: item({ action: object }),
  local_shell_call_output: answered,
  shell_call: item({ action: object, environment: members({ type: acceptDefaults('local') }) }),
  shell_call_output: item({ output: acceptAny, max_output_length: acceptAny }),
  apply_patch_call: item({ operation: object }),
  apply_patch_call_output: item({ output: acceptAny }),
  tool_search_call: item({ arguments: acceptAny, execution: acceptAny }),
  tool_search_output: loaded,
  additional_tools: loaded,
  compaction: storedByVendor('a conversation that OpenAI has sealed'),
  compaction_summary: storedByVendor('a conversation that OpenAI has sealed'),
  item_reference: storedByVendor('a part of a conversation at OpenAI'),
}
const items = textOr(each(byType(ITEMS, 'message', 'input.')))

const container = storedByVendor('a container at OpenAI')
const mask = members({ file_id: storedByVendor('a picture at OpenAI') }, acceptAny)

const functionTool = members(
  { name: textField, description: textField, parameters: object, strict: flagField },
  acceptAny,
)

/** Tools that the caller runs, and tools that OpenAI runs on its stored data. */
const TOOLS = {
  function: functionTool,
  custom: members({ name: textField, description: textField, format: object }, acceptAny),
  namespace: members({ name: textField, description: textField, tools }, acceptAny),
  file_search: storedByVendor('a store of files at OpenAI'),
  mcp: storedByVendor('servers that OpenAI asks for their tools'),
  code_interpreter: members({ container: inContainer }, acceptAny),
  shell: members({ environment: inContainer }, acceptAny),
  image_generation: members({ input_image_mask: mask }, acceptAny),
}

function tools(...given: Parameters<FieldCheck>): void {
  each(byType(TOOLS, '', 'tools.', members({ type: textField }, acceptAny)))(...given)
}

/** A new container only has the files that it is given. */
function inContainer(...[value, name, untaken, spell]: Parameters<FieldCheck>): void {
  const type = asText(getMember(value, 'type'))
  if (type !== 'auto' && type !== 'container_auto' && type !== 'local') return container(value, name, untaken, spell)
  members({ file_ids: storedByVendor('files at OpenAI') }, acceptAny)(value, name, untaken, spell)
}

const REQUEST_FIELDS = {
  model: acceptAny,
  stream: acceptAny,
  instructions: textField,
  input: items,
  tools,
  tool_choice: acceptAny,
  parallel_tool_calls: flagField,
  max_output_tokens: acceptAny,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  user: textField,
  safety_identifier: textField,
  service_tier: textField,
  text: object,
  reasoning: members({ effort: textField }),
  include: each(textField),
  store: acceptAny,
  truncation: acceptDefaults('disabled'),
  stream_options: reportLost,
  background: ((value, ...place) =>
    value === true && storedByVendor('an answer that OpenAI gives later')(value, ...place)) as FieldCheck,
  previous_response_id: storedByVendor('a conversation at OpenAI'),
  conversation: storedByVendor('a conversation at OpenAI'),
  prompt: storedByVendor('a prompt at OpenAI'),
}

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, vendorData } = findUnsupportedFields(request, REQUEST_FIELDS)
  const lose = (field: string) => void lost.add(field)
  const included = asList(request.include) ?? []
  for (const one of included)
    if (one !== INCLUDE_ENCRYPTED_REASONING && one !== INCLUDE_LOGPROBS) lost.add(`include.${asText(one)}`)
  const { format, ...text } = asObject(request.text) ?? {}
  const messages = readInput(request.input, lost)
  const instructions = asText(request.instructions)
  if (instructions) messages.unshift({ role: 'system', content: [{ type: 'text', text: instructions }] })
  return omitUndefinedMembers({
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages,
    ...readToolChoice(request.tool_choice, readToolDeclarations(request, lose), lose),
    parallel_tool_calls: typeof request.parallel_tool_calls === 'boolean' ? request.parallel_tool_calls : undefined,
    max_tokens: parseMaxTokens(request),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    logprobs: included.includes(INCLUDE_LOGPROBS) ? true : undefined,
    top_logprobs: asFiniteNumber(request.top_logprobs),
    user: asText(request.user) ?? asText(request.safety_identifier),
    storesAnswer: request.store === false ? undefined : true,
    service_tier: asText(request.service_tier),
    response_format: readResponseFormat(format, format),
    reasoning_effort: asText(getMember(request.reasoning, 'effort')),
    lost: lost.size > 0 ? [...lost] : undefined,
    vendorData: vendorData.length > 0 ? vendorData : undefined,
    extra: { ...extra, ...text },
  })
}
