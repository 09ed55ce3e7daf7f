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
  usual,
  word,
  type Shape,
} from '../shape.ts'

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
  title: text,
  context: text,
  citations: taken,
  cache_control,
})

/** What a conversation was made shorter by: in words, or sealed. */
const compaction: Shape = (block, ...place) =>
  textIn(memberOf(block, 'content')) === undefined && sealed(block, ...place)
const sealed = kept('a conversation that Anthropic has sealed')

/** The blocks of a message by their type; what the reader does not know it names by its type. */
const BLOCKS = {
  text: members({ type: taken, text, citations: taken, cache_control }),
  image,
  document,
  search_result: taken,
  thinking: members({ type: taken, thinking: text, signature: text }),
  redacted_thinking: members({ type: taken, data: text }),
  tool_use: members({ type: taken, id: text, name: text, input: object, caller, cache_control }),
  tool_result: members({
    type: taken,
    tool_use_id: text,
    content: blocks,
    is_error: flag,
    cache_control,
  }),
  tool_reference: taken,
  compaction,
  container_upload: members({ type: taken, file_id: kept('a file at Anthropic'), cache_control }),
}

/** Blocks hold blocks. */
function blocks(...[value, name, untaken, spell]: Parameters<Shape>): void {
  textOr(each(byType(BLOCKS)))(value, name, untaken, spell)
}

const TOOLS = {
  custom: members({ name: text, description: text, input_schema: object, strict: flag }, taken),
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
  stop_sequences: each(text),
  metadata: members({ user_id: text }),
  service_tier: text,
  thinking: members({ type: text, budget_tokens: number, display: usual('summarized') }),
  output_config: members({ effort: text, format: members({ type: text, schema: object }) }),
  output_format: members({ type: text, schema: object }),
  tools: each(byType(TOOLS, 'custom', 'tools.', members({ type: text, name: text }, taken))),
  tool_choice: members({ type: text, name: text, disable_parallel_tool_use: flag }),
  thread: kept('a conversation at Anthropic'),
  container: kept('a container at Anthropic'),
  mcp_servers: kept('servers that Anthropic asks for their tools'),
}
