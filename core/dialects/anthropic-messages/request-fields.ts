// What this format's requests may hold, and what of it the reader takes.
import { memberOf, textIn } from '../json-value.ts'
import { byType, each, kept, members, taken, usual, type Shape } from '../shape.ts'

const cache_control = taken
/** Blocks of the vendor's own tools name who called them; the model itself is the usual caller. */
const caller: Shape = members({ type: usual('direct') })

const file = members({ file_id: kept('a file at Anthropic'), type: taken })
const image = members({
  type: taken,
  source: byType({ file }, '', 'image.source.'),
  cache_control,
})
const document = members({
  type: taken,
  source: byType({ file, content: members({ type: taken, content: blocks }) }, '', 'document.source.'),
  title: taken,
  context: taken,
  citations: taken,
  cache_control,
})

/** What a conversation was made shorter by: in words, or sealed. */
const compaction: Shape = (block, ...place) =>
  textIn(memberOf(block, 'content')) === undefined && sealed(block, ...place)
const sealed = kept('a conversation that Anthropic has sealed')

/** The blocks of a message by their type; what the reader does not know it names by its type. */
const BLOCKS = {
  text: members({ type: taken, text: taken, citations: taken, cache_control }),
  image,
  document,
  search_result: taken,
  thinking: members({ type: taken, thinking: taken, signature: taken }),
  redacted_thinking: members({ type: taken, data: taken }),
  tool_use: members({ type: taken, id: taken, name: taken, input: taken, caller, cache_control }),
  tool_result: members({
    type: taken,
    tool_use_id: taken,
    content: blocks,
    is_error: taken,
    cache_control,
  }),
  tool_reference: taken,
  compaction,
  container_upload: members({ type: taken, file_id: kept('a file at Anthropic'), cache_control }),
}

/** Blocks hold blocks. */
function blocks(...[value, name, untaken, spell]: Parameters<Shape>): void {
  if (Array.isArray(value)) each(byType(BLOCKS))(value, name, untaken, spell)
}

const TOOLS = {
  mcp_toolset: kept('servers that Anthropic asks for their tools'),
}

/** A request's fields. */
export const FIELDS = {
  model: taken,
  stream: taken,
  max_tokens: taken,
  system: blocks,
  messages: each(members({ role: taken, content: blocks })),
  temperature: taken,
  top_p: taken,
  top_k: taken,
  stop_sequences: taken,
  metadata: members({ user_id: taken }),
  service_tier: taken,
  thinking: members({ type: taken, budget_tokens: taken, display: usual('summarized') }),
  output_config: members({ effort: taken, format: members({ type: taken, schema: taken }) }),
  output_format: members({ type: taken, schema: taken }),
  tools: each(byType(TOOLS, 'custom', 'tools.')),
  tool_choice: members({ type: taken, name: taken, disable_parallel_tool_use: taken }),
  thread: kept('a conversation at Anthropic'),
  container: kept('a container at Anthropic'),
  mcp_servers: kept('servers that Anthropic asks for their tools'),
}
