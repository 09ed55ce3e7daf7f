// The members of Anthropic's request format that other clouds which serve Claude accept, by endpoint and by version of the model.
// Sources: the clouds' documentation, and reported refusals. Anthropic itself accepts all members, so it has no list here.
import type { AcceptedFeatures, FeatureConditions } from '../dialects/anthropic-messages/accepted-features.ts'

const words = (list: string): FeatureConditions => Object.fromEntries(list.split(/\s+/).map((name) => [name, {}]))

const READ_ON = '2026-11-29'

const CONTEXT = 'context-management-2025-06-27'
const COMPACT = 'compact-2026-01-12'
const TOOL_SEARCH = 'tool-search-tool-2025-10-19'
const TOOL_EXAMPLES = 'tool-examples-2025-10-29'
const ADVANCED_TOOLS = 'advanced-tool-use-2025-11-20'
const CACHE_SCOPE = 'prompt-caching-scope-2026-01-05'

/** The members that need a beta flag, on every cloud that accepts the flag, as Anthropic's SDK declares it (`BetaSystemMessageParam` and others). */
const fieldsOfFlags: FeatureConditions = {
  'messages.output_config': { with: ['per-turn-control-2026-07-01', 'mid-conversation-output-config-2026-07-01'] },
  'messages.clear_at': { with: ['mid-conversation-system-clear-at-2026-08-21'] },
  'thinking.block_binding': { with: ['thinking-binding-controls-2026-08-01'] },
  'thinking.display.updates': { with: ['thinking-display-updates-2026-08-18'] },
}

/** The members that every cloud accepts. */
const fields: FeatureConditions = {
  ...words(`model messages system max_tokens stream stop_sequences temperature top_p top_k tools tool_choice thinking
    metadata anthropic_version tools.type tools.name tools.description tools.input_schema tools.strict
    output_config.format`),
  'cache_control.ttl': { from: 400 },
  'output_config.effort': { from: 405 },
  ...fieldsOfFlags,
}

/** Tools that the caller runs, of which Claude knows the schemas. */
const tools = words('bash text_editor computer memory')

const searchTools: FeatureConditions = {
  tool_search_tool_regex: { with: [TOOL_SEARCH] },
  tool_search_tool_bm25: { with: [TOOL_SEARCH] },
  tool_search_tool: { with: [TOOL_SEARCH] },
}

const searchFields: FeatureConditions = { 'tools.defer_loading': { with: [TOOL_SEARCH] } }

const editFields: FeatureConditions = {
  'context_management.edits.clear_tool_uses_20250919': { with: [CONTEXT] },
  'context_management.edits.compact_20260112': { with: [COMPACT] },
}
const allEdits: FeatureConditions = { ...editFields, 'context_management.edits.clear_thinking_20251015': { with: [CONTEXT] } }

/** Its longer context is no beta any more from 4.6 on, and was never there for these. */
const LONG: FeatureConditions = { 'context-1m-2025-08-07': { from: 400, except: /haiku|opus-4(?:-[0-5])?(?!-\d)(?![.\d])/ } }

const computer: FeatureConditions = {
  'computer-use-2025-01-24': { from: 307 },
  'computer-use-2025-11-24': { from: 405 },
}

/** InvokeModel. From 4.7 on it takes hardly any flag (https://github.com/anthropics/claude-code/issues/49370). */
export const bedrockInvokeWords: AcceptedFeatures = {
  read_on: READ_ON,
  pages: [
    'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-tool-use.html',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-compaction.html',
  ],
  betas: {
    ...LONG,
    ...computer,
    'computer-use-2024-10-22': { until: 305 },
    'token-efficient-tools-2025-02-19': { from: 307, until: 406 },
    'output-128k-2025-02-19': { from: 307, until: 307 },
    'interleaved-thinking-2025-05-14': { from: 400 },
    'dev-full-thinking-2025-05-14': { from: 400, until: 406 },
    'fine-grained-tool-streaming-2025-05-14': { from: 400, until: 406 },
    'effort-2025-11-24': { from: 405, until: 405 },
    [CONTEXT]: { from: 400 },
    [COMPACT]: { from: 406 },
    [TOOL_SEARCH]: { from: 405, until: 406, except: /haiku/ },
    [ADVANCED_TOOLS]: { as: TOOL_SEARCH },
    [TOOL_EXAMPLES]: { from: 405, until: 406, except: /haiku/ },
  },
  fields: {
    ...fields,
    ...searchFields,
    ...editFields,
    'cache_control.ttl': { from: 405 },
    'tools.input_examples': { with: [TOOL_EXAMPLES] },
  },
  tools: { ...tools, ...searchTools },
}

/** Bedrock's own copy of Anthropic's endpoint. */
export const bedrockMessagesWords: AcceptedFeatures = {
  read_on: READ_ON,
  pages: [
    'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html',
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-amazon-bedrock',
  ],
  betas: {
    ...words(`claude-code-20250219 interleaved-thinking-2025-05-14 context-1m-2025-08-07 effort-2025-11-24
      output-128k-2025-02-19 token-efficient-tools-2025-02-19 fine-grained-tool-streaming-2025-05-14
      structured-outputs-2025-11-13 per-turn-control-2026-07-01 thinking-binding-controls-2026-08-01
      thinking-display-updates-2026-08-18 dangerous-tool-use-2026-09-03`),
    ...computer,
    [CONTEXT]: {},
    [COMPACT]: {},
    [TOOL_SEARCH]: {},
    [ADVANCED_TOOLS]: { as: TOOL_SEARCH },
    [TOOL_EXAMPLES]: {},
  },
  fields: {
    ...fields,
    ...searchFields,
    ...allEdits,
    cache_control: {},
    output_format: { with: ['structured-outputs-2025-11-13'] },
    'tools.input_examples': { with: [TOOL_EXAMPLES] },
  },
  tools: { ...tools, ...searchTools },
}

/** Vertex AI: messages. */
export const vertexWords: AcceptedFeatures = {
  read_on: READ_ON,
  pages: [
    'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/use-claude',
    'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/prompt-caching',
    'https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai',
  ],
  betas: {
    ...LONG,
    ...computer,
    'claude-code-20250219': {},
    'interleaved-thinking-2025-05-14': { from: 400 },
    'web-search-2025-03-05': { from: 307 },
    'per-turn-control-2026-07-01': { from: 500 },
    'thinking-binding-controls-2026-08-01': { from: 500 },
    'thinking-display-updates-2026-08-18': { from: 500 },
    'dangerous-tool-use-2026-09-03': { from: 500 },
    [CONTEXT]: { from: 400 },
    [COMPACT]: { from: 406 },
    'compact-2026-09-04': { from: 500 },
    [TOOL_SEARCH]: { from: 405, except: /haiku/ },
    [ADVANCED_TOOLS]: { as: TOOL_SEARCH },
  },
  fields: { ...fields, ...searchFields, ...allEdits },
  tools: { ...tools, ...searchTools, web_search: {} },
}

/** Vertex AI: counting, which refuses flags of tools (https://github.com/anthropics/claude-code/issues/12429). */
export const vertexCountWords: AcceptedFeatures = {
  ...vertexWords,
  pages: ['https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/count-tokens'],
  betas: {
    ...LONG,
    'claude-code-20250219': {},
    'interleaved-thinking-2025-05-14': { from: 400 },
    [CONTEXT]: { from: 400 },
  },
  fields: {
    ...words(`model messages system tools tool_choice thinking anthropic_version
      tools.type tools.name tools.description tools.input_schema`),
    'cache_control.ttl': { from: 400 },
    ...allEdits,
  },
  tools,
}

/** Microsoft Foundry. */
export const foundryWords: AcceptedFeatures = {
  read_on: READ_ON,
  pages: [
    'https://learn.microsoft.com/en-us/azure/ai-foundry/foundry-models/how-to/use-foundry-models-claude',
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry',
  ],
  betas: {
    ...LONG,
    ...computer,
    ...words(`claude-code-20250219 interleaved-thinking-2025-05-14 effort-2025-11-24 code-execution-2025-08-25
      files-api-2025-04-14 mcp-client-2025-04-04 mcp-client-2025-11-20 skills-2025-10-02 structured-outputs-2025-11-13
      web-fetch-2025-09-10 web-search-2025-03-05 per-turn-control-2026-07-01 thinking-display-updates-2026-08-18
      dangerous-tool-use-2026-09-03`),
    [CONTEXT]: {},
    [ADVANCED_TOOLS]: {},
    [CACHE_SCOPE]: {},
  },
  fields: {
    ...fields,
    ...allEdits,
    cache_control: {},
    'cache_control.scope': { with: [CACHE_SCOPE] },
    container: { with: ['code-execution-2025-08-25', 'skills-2025-10-02'] },
    mcp_servers: { with: ['mcp-client-2025-04-04', 'mcp-client-2025-11-20'] },
    output_format: { with: ['structured-outputs-2025-11-13'] },
    'tools.defer_loading': { with: [ADVANCED_TOOLS] },
    'tools.input_examples': { with: [ADVANCED_TOOLS] },
    'tools.allowed_callers': { with: [ADVANCED_TOOLS] },
  },
  tools: {
    ...tools,
    ...words('web_search web_fetch code_execution'),
    tool_search_tool_regex: { with: [ADVANCED_TOOLS] },
    tool_search_tool_bm25: { with: [ADVANCED_TOOLS] },
    mcp_toolset: { with: ['mcp-client-2025-11-20'] },
  },
}

/** Databricks, which passes most of them on. */
export const databricksWords: AcceptedFeatures = {
  read_on: READ_ON,
  pages: ['https://docs.databricks.com/aws/en/machine-learning/model-serving/query-anthropic-messages'],
  betas: words(`claude-code-20250219 advanced-tool-use-2025-11-20 code-execution-2025-08-25 compact-2026-01-12
    computer-use-2025-01-24 computer-use-2025-11-24 context-1m-2025-08-07 context-management-2025-06-27
    effort-2025-11-24 fast-mode-2026-02-01 files-api-2025-04-14 fine-grained-tool-streaming-2025-05-14
    interleaved-thinking-2025-05-14 mcp-client-2025-04-04 mcp-client-2025-11-20 oauth-2025-04-20
    output-128k-2025-02-19 prompt-caching-scope-2026-01-05 skills-2025-10-02 structured-outputs-2025-11-13
    thinking-binding-controls-2026-08-01 token-efficient-tools-2025-02-19 web-fetch-2025-09-10 web-search-2025-03-05`),
}
