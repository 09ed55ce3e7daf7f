// The fields of Messages, as Anthropic's client declares them (its beta ones too), with the kinds of its blocks and tools.
import type Anthropic from '@anthropic-ai/sdk'
import { plain, PNG, schema, within, type Sample, type Samples } from './sample.ts'

type Params = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming

const said = { role: 'user', content: 'Hello' }
const tool = { name: 'f', description: 'Does.', input_schema: schema }
const withTools = (more: object): Sample => ({ with: { tools: [tool], ...more }, without: { tools: [tool] } })
const ephemeral = { type: 'ephemeral' }

const fields = {
  billing_policy: { type: 'x' },
  cache_control: ephemeral,
  compaction: { type: 'x' },
  container: 'container_1',
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  diagnostics: { a: true },
  fallback_credit_token: 'x',
  fallbacks: [{ model: 'x' }],
  inference_geo: 'us',
  mcp_servers: [{ type: 'url', name: 'a', url: 'https://a.test' }],
  metadata: { user_id: 'someone' },
  output_config: { effort: 'low' },
  output_format: { type: 'json_schema', schema },
  service_tier: 'standard_only',
  speed: 'fast',
  stop_sequences: ['END'],
  system: 'Be brief.',
  temperature: 0.5,
  thinking: { type: 'enabled', budget_tokens: 2048 },
  thread: { type: 'create' },
  tool_choice: { type: 'any' },
  tools: [tool],
  top_k: 5,
  top_p: 0.5,
  user_profile_id: 'x',
  workspace_id: 'x',
} satisfies Record<
  Exclude<
    keyof (Params & { top_k: 0; top_p: 0; temperature: 0 }),
    'model' | 'messages' | 'max_tokens' | 'stream' | 'betas'
  >,
  unknown
>

type BlockType = Anthropic.Beta.Messages.BetaContentBlockParam['type']

const file = { type: 'file', file_id: 'file_1' }
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }

const blocks = {
  text: { text: 'More' },
  image: { source: { type: 'base64', media_type: 'image/png', data: PNG } },
  document: { source: pdf },
  search_result: { source: 'https://a.test', title: 't', content: [{ type: 'text', text: 'More' }] },
  thinking: { thinking: 'Well', signature: 's' },
  redacted_thinking: { data: 'x' },
  tool_use: { id: 'c', name: 'f', input: { a: 'b' } },
  tool_result: { tool_use_id: 'c', content: 'd' },
  server_tool_use: { id: 'c', name: 'web_search', input: { query: 'q' } },
  web_search_tool_result: { tool_use_id: 'c', content: [] },
  web_fetch_tool_result: { tool_use_id: 'c', content: {} },
  advisor_tool_result: { tool_use_id: 'c', content: {} },
  code_execution_tool_result: { tool_use_id: 'c', content: {} },
  bash_code_execution_tool_result: { tool_use_id: 'c', content: {} },
  text_editor_code_execution_tool_result: { tool_use_id: 'c', content: {} },
  tool_search_tool_result: { tool_use_id: 'c', content: {} },
  mcp_tool_use: { id: 'c', name: 'f', server_name: 'a', input: {} },
  mcp_tool_result: { tool_use_id: 'c', content: 'd' },
  container_upload: { file_id: 'file_1' },
  compaction: { content: 'Before that they met.' },
  tool_addition: { tool: { type: 'tool_reference', tool_name: 'f' } },
  tool_removal: { tool: { type: 'tool_reference', tool_name: 'f' } },
  mcp_tool_listing: { mcp_server_name: 'a', tools: [] },
  fallback: { from: {}, to: {} },
} satisfies Record<BlockType, object>

const others = {
  'text.cache_control': { type: 'text', text: 'Hello', cache_control: ephemeral },
  'text.citations': { type: 'text', text: 'Hello', citations: [{ type: 'char_location', cited_text: 'x' }] },
  'image.source.url': { type: 'image', source: { type: 'url', url: 'https://a.test/1.png' } },
  'image.source.file': { type: 'image', source: file },
  'document.source.text': { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'More' } },
  'document.source.url': { type: 'document', source: { type: 'url', url: 'https://a.test/a.pdf' } },
  'document.source.content': {
    type: 'document',
    source: { type: 'content', content: [{ type: 'text', text: 'More' }] },
  },
  'document.source.file': { type: 'document', source: file },
  'document.title': { type: 'document', source: pdf, title: 't' },
  'document.context': { type: 'document', source: pdf, context: 'c' },
  'document.citations': { type: 'document', source: pdf, citations: { enabled: true } },
  'tool_result.tool_reference': {
    type: 'tool_result',
    tool_use_id: 'c',
    content: [{ type: 'tool_reference', tool_name: 'f' }],
  },
  'tool_result.is_error': { type: 'tool_result', tool_use_id: 'c', content: 'd', is_error: true },
  'compaction.encrypted_content': { type: 'compaction', content: null, encrypted_content: 'x' },
}

const SPEAKS = /^(thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|compaction)/
const block = (one: unknown): Sample => {
  const own = SPEAKS.test((one as { type: string }).type)
  const turn = { role: own ? 'assistant' : 'user', content: [...(own ? [] : [{ type: 'text', text: 'Hello' }]), one] }
  return { with: { messages: own ? [said, turn] : [turn] } }
}

const tools = [
  ...['bash_20250124', 'code_execution_20250825', 'computer_20251124', 'memory_20250818', 'text_editor_20250728'],
  ...['web_search_20250305', 'web_fetch_20250910', 'tool_search_tool_bm25_20251119', 'advisor_20260301'],
]

export const anthropic: Samples = {
  ...plain(fields),
  tool_choice: withTools({ tool_choice: { type: 'any' } }),
  'tool_choice.tool': withTools({ tool_choice: { type: 'tool', name: 'f' } }),
  'tool_choice.disable_parallel_tool_use': withTools({
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  }),
  'thinking.adaptive': { with: { thinking: { type: 'adaptive' } } },
  'thinking.display': {
    with: { thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } },
    without: { thinking: { type: 'enabled', budget_tokens: 2048 } },
  },
  'output_config.format': { with: { output_config: { format: { type: 'json_schema', schema } } } },
  'output_config.task_budget': { with: { output_config: { task_budget: { type: 'tokens', total: 9 } } } },
  'container.skills': { with: { container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] } } },
  ...Object.fromEntries(
    Object.entries({
      ...{ cache_control: ephemeral, strict: true, defer_loading: true, eager_input_streaming: true },
      ...{ input_examples: [{ a: 'b' }], allowed_callers: ['code_execution_20250825'] },
    }).map(([name, value]) => [
      `tools.${name}`,
      { with: { tools: [{ ...tool, [name]: value }] }, without: { tools: [tool] } },
    ]),
  ),
  ...Object.fromEntries(
    tools.map((type) => [`tool ${type}`, { with: { tools: [{ type, name: type.replace(/_\d+$/, '') }] } }]),
  ),
  'tool mcp_toolset': { with: { tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] } },
  ...Object.fromEntries(Object.entries(blocks).map(([type, more]) => [`block ${type}`, block({ type, ...more })])),
  ...within('block ', others, block),
}
