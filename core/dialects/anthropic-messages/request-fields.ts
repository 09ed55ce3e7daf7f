// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import {
  byType,
  each,
  flagField,
  kept,
  members,
  number,
  object,
  taken,
  textField,
  textOr,
  usual,
  word,
  type FieldShape,
} from '../shape.ts'

const cache_control = taken
/** Blocks of the vendor's own tools name who called them; the model itself is the usual caller. */
const caller: FieldShape = members({ type: usual('direct') })

const file = members({ file_id: kept('a file at Anthropic'), type: taken })
const image = members({
  type: taken,
  source: byType({ file }, '', 'image.source.'),
  cache_control,
})
const document = members({
  type: taken,
  source: byType({ file, content: members({ type: taken, content: blocks }) }, '', 'document.source.'),
  title: textField,
  context: textField,
  citations: taken,
  cache_control,
})

/** What a conversation was made shorter by: in words, or sealed. */
const compaction: FieldShape = (block, ...place) =>
  textIn(memberOf(block, 'content')) === undefined && sealed(block, ...place)
const sealed = kept('a conversation that Anthropic has sealed')

/** The blocks of a message by their type; what the reader does not know it names by its type. */
const BLOCKS = {
  text: members({ type: taken, text: textField, citations: taken, cache_control }),
  image,
  document,
  search_result: taken,
  thinking: members({ type: taken, thinking: textField, signature: textField }),
  redacted_thinking: members({ type: taken, data: textField }),
  tool_use: members({ type: taken, id: textField, name: textField, input: object, caller, cache_control }),
  tool_result: members({
    type: taken,
    tool_use_id: textField,
    content: blocks,
    is_error: flagField,
    cache_control,
  }),
  tool_reference: taken,
  compaction,
  container_upload: members({ type: taken, file_id: kept('a file at Anthropic'), cache_control }),
}

/** Blocks hold blocks. */
function blocks(...[value, name, untaken, spell]: Parameters<FieldShape>): void {
  textOr(each(byType(BLOCKS)))(value, name, untaken, spell)
}

const TOOLS = {
  custom: members({ name: textField, description: textField, input_schema: object, strict: flagField }, taken),
  mcp_toolset: kept('servers that Anthropic asks for their tools'),
}

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  max_tokens: taken,
  system: blocks,
  messages: each(members({ role: word('user', 'assistant', 'system'), content: blocks })),
  temperature: number,
  top_p: number,
  top_k: number,
  stop_sequences: each(textField),
  metadata: members({ user_id: textField }),
  service_tier: textField,
  thinking: members({ type: textField, budget_tokens: number, display: usual('summarized') }),
  output_config: members({ effort: textField, format: members({ type: textField, schema: object }) }),
  output_format: members({ type: textField, schema: object }),
  tools: each(byType(TOOLS, 'custom', 'tools.', members({ type: textField, name: textField }, taken))),
  tool_choice: members({ type: textField, name: textField, disable_parallel_tool_use: flagField }),
  thread: kept('a conversation at Anthropic'),
  container: kept('a container at Anthropic'),
  mcp_servers: kept('servers that Anthropic asks for their tools'),
}
