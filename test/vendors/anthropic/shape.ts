// The body of /v1/messages, as Anthropic publishes it.
import { z } from 'zod'

const text = z.string()
const anything = z.unknown().optional()
const object = z.record(z.string(), z.unknown())

export const cacheMark = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
const marked = { cache_control: cacheMark.nullish() }
const id = text.regex(/^[a-zA-Z0-9_-]+$/)
const name = text.regex(/^[a-zA-Z0-9_-]{1,128}$/)

const textBlock = z.strictObject({ type: z.literal('text'), text, citations: z.array(object).nullish(), ...marked })
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: text.min(1),
    }),
    z.strictObject({ type: z.literal('url'), url: text }),
    z.strictObject({ type: z.literal('file'), file_id: text }),
  ]),
  transformations: anything,
  ...marked,
})
const documentBlock = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: text.min(1) }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: text }),
    z.strictObject({ type: z.literal('content'), content: z.union([text, z.array(object)]) }),
    z.strictObject({ type: z.literal('url'), url: text }),
    z.strictObject({ type: z.literal('file'), file_id: text }),
  ]),
  citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
  context: text.nullish(),
  title: text.max(500).nullish(),
  ...marked,
})
const searchResult = z.strictObject({
  type: z.literal('search_result'),
  content: z.array(textBlock),
  source: text,
  title: text,
  citations: z.strictObject({ enabled: z.boolean().optional() }).optional(),
  ...marked,
})
const reference = z.strictObject({ type: z.literal('tool_reference'), tool_name: text, ...marked })

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z
    .union([
      text,
      z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, searchResult, reference])),
    ])
    .optional(),
  is_error: z.boolean().optional(),
  toolset_name: text.nullish(),
  ...marked,
})

/** Of tools that run at Anthropic: as they came. */
const serverBlock = z.looseObject({
  type: z.enum([
    ...(['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'code_execution_tool_result'] as const),
    ...(['bash_code_execution_tool_result', 'text_editor_code_execution_tool_result'] as const),
    ...(['tool_search_tool_result', 'container_upload', 'mcp_tool_use', 'mcp_tool_result', 'compaction'] as const),
  ]),
})
const block = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  documentBlock,
  searchResult,
  toolResult,
  serverBlock,
  z.strictObject({ type: z.literal('thinking'), thinking: text, signature: text }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: text }),
  z.strictObject({
    type: z.literal('tool_use'),
    id,
    name,
    input: object,
    caller: anything,
    toolset_name: text.nullish(),
    ...marked,
  }),
])

const effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish()
const content = z.union([text, z.array(block)])
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['user', 'assistant']), content }),
  // "BetaSystemMessageParam" of Anthropic's own SDK: a change of effort needs no words.
  z.strictObject({
    role: z.literal('system'),
    content: content.optional(),
    output_config: z.strictObject({ effort }).nullish(),
    clear_at: z.enum(['next_user_message', 'never']).nullish(),
  }),
])

const custom = z.strictObject({
  type: z.literal('custom').nullish(),
  name,
  description: text.optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(object).optional(),
  allowed_callers: anything,
  ...marked,
})
/** Tools of Anthropic's own: `web_search_20250305`, `bash_20250124` … */
const own = z.looseObject({ type: text.regex(/_\d{8}$/), ...marked })

const shown = {
  display: z.enum(['summarized', 'omitted', 'updates']).nullish(),
  block_binding: z.strictObject({ prefix_mismatch_behavior: z.enum(['error', 'drop_block']).nullish() }).nullish(),
}

const shared = {
  model: text,
  messages: z.array(message),
  cache_control: cacheMark.nullish(),
  context_management: anything,
  mcp_servers: anything,
  output_config: z
    .strictObject({
      effort,
      format: z.strictObject({ type: z.literal('json_schema'), schema: object }).nullish(),
      task_budget: anything,
    })
    .optional(),
  output_format: anything,
  speed: z.enum(['standard', 'fast']).nullish(),
  system: z.union([text, z.array(textBlock)]).optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024), ...shown }),
      z.strictObject({ type: z.literal('adaptive'), ...shown }),
      z.strictObject({ type: z.literal('disabled') }),
      z.strictObject({ type: z.literal('between_tools'), display: anything }),
    ])
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('tool'), name: text, disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  tools: z.array(z.union([custom, own])).optional(),
}

export const countShape = z.strictObject(shared)

export const messagesShape = z.strictObject({
  ...shared,
  max_tokens: z.number().int().min(1),
  container: anything,
  diagnostics: anything,
  fallbacks: anything,
  inference_geo: text.nullish(),
  metadata: z.strictObject({ user_id: text.nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  stop_sequences: z.array(text).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  thread: anything,
  top_k: z.number().int().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  user_profile_id: text.nullish(),
  workspace_id: text.nullish(),
})

/** Fields that stand behind a beta: without its header they are unknown. A star stands for each element of a list. */
export const betas: Readonly<Record<string, RegExp>> = {
  context_management: /context-management-|compact-/,
  mcp_servers: /mcp-client-/,
  output_format: /structured-outputs-/,
  fallbacks: /fallback/,
  thread: /thread/,
  speed: /fast-mode-/,
  'messages.*.output_config': /mid-conversation-output-config-|per-turn-control-/,
  'messages.*.clear_at': /mid-conversation-system-clear-at-/,
  'thinking.block_binding': /thinking-binding-controls-/,
}

export type MessagesBody = z.infer<typeof messagesShape>
export type Block = z.infer<typeof block>
