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
  acceptDefaults,
  oneOf,
} from '../requests/shape.ts'

const cache_control = acceptAny
/** Blocks of built-in tools name their caller; the model itself is the default. */
const caller: FieldCheck = members({ type: acceptDefaults('direct') })

const file = members({ file_id: storedByVendor('a file at Anthropic'), type: acceptAny })
const image = members({
  type: acceptAny,
  source: byType({ file }, '', 'image.source.'),
  cache_control,
})
const document = members({
  type: acceptAny,
  source: byType({ file, content: members({ type: acceptAny, content: blocks }) }, '', 'document.source.'),
  title: textField,
  context: textField,
  citations: acceptAny,
  cache_control,
})

/** The summary of a compacted conversation, as text or encrypted. */
const compaction: FieldCheck = (block, ...place) =>
  asText(getMember(block, 'content')) === undefined && sealed(block, ...place)
const sealed = storedByVendor('a conversation that Anthropic has sealed')

/** The blocks of a message by type. A block of an unknown type is reported by its type. */
const BLOCKS = {
  text: members({ type: acceptAny, text: textField, citations: acceptAny, cache_control }),
  image,
  document,
  search_result: acceptAny,
  thinking: members({ type: acceptAny, thinking: textField, signature: textField }),
  redacted_thinking: members({ type: acceptAny, data: textField }),
  tool_use: members({ type: acceptAny, id: textField, name: textField, input: object, caller, cache_control }),
  tool_result: members({
    type: acceptAny,
    tool_use_id: textField,
    content: blocks,
    is_error: flagField,
    cache_control,
  }),
  tool_reference: acceptAny,
  compaction,
  container_upload: members({ type: acceptAny, file_id: storedByVendor('a file at Anthropic'), cache_control }),
}

/** Blocks may be nested. */
function blocks(...[value, name, untaken, spell]: Parameters<FieldCheck>): void {
  textOr(each(byType(BLOCKS)))(value, name, untaken, spell)
}

const TOOLS = {
  custom: members({ name: textField, description: textField, input_schema: object, strict: flagField }, acceptAny),
  mcp_toolset: storedByVendor('servers that Anthropic asks for their tools'),
}

export const REQUEST_FIELDS = {
  model: acceptAny,
  stream: acceptAny,
  max_tokens: acceptAny,
  system: blocks,
  messages: each(members({ role: oneOf('user', 'assistant', 'system'), content: blocks })),
  temperature: number,
  top_p: number,
  top_k: number,
  stop_sequences: each(textField),
  metadata: members({ user_id: textField }),
  service_tier: textField,
  thinking: members({ type: textField, budget_tokens: number, display: acceptDefaults('summarized') }),
  output_config: members({ effort: textField, format: members({ type: textField, schema: object }) }),
  output_format: members({ type: textField, schema: object }),
  tools: each(byType(TOOLS, 'custom', 'tools.', members({ type: textField, name: textField }, acceptAny))),
  tool_choice: members({ type: textField, name: textField, disable_parallel_tool_use: flagField }),
  thread: storedByVendor('a conversation at Anthropic'),
  container: storedByVendor('a container at Anthropic'),
  mcp_servers: storedByVendor('servers that Anthropic asks for their tools'),
}
