// Model families by name, with the fields that each refuses or accepts under another name: one row per fact. Measured
// by users or documented by vendors, as of November 2026; the address behind a row is its source.
import { refusesSamplingFields } from '../anthropic-messages/thinking.ts'
import type { FamilyRow } from './family-row.ts'

const CHAT = 'openai-chat'
const RESPONSES = 'openai-responses'
const MESSAGES = 'anthropic-messages'
const GENERATE = 'gemini-generate'

/** A row may state a single fact. Of several rows about the effort, the first match counts. */
export const families: readonly FamilyRow[] = [
  // OpenAI. https://platform.openai.com/docs/guides/reasoning, /docs/guides/latest-model#parameter-compatibility
  { models: /^(?:o\d|codex-|gpt-(?:[5-9]|\d\d))/, at: [CHAT], limit: 'max_completion_tokens' },
  {
    models: /^(?:o\d|codex-|gpt-(?:[5-9]|\d\d)(?!-chat|-search))/,
    at: [CHAT, RESPONSES],
    thinking: ['temperature', 'top_p', 'logprobs', 'top_logprobs'],
    refuses: ['presence_penalty', 'frequency_penalty', 'logit_bias'],
  },
  {
    models: /^gpt-(?:[6-9]|\d\d)/,
    at: [CHAT, RESPONSES],
    refuses: ['temperature', 'top_p', 'logprobs', 'top_logprobs'],
  },
  { models: /^(?:o3(?!-mini)|o4|codex-|gpt-(?:[5-9]|\d\d)(?!-chat))/, at: [CHAT], refuses: ['stop'] },
  // "Model incompatible request arguments supplied"
  {
    models: /^gpt-.*-search/,
    at: [CHAT],
    refuses: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'n'],
  },
  // "Function tools with reasoning_effort are not supported": https://github.com/openai/openai-openapi/issues/541
  { models: /^gpt-(?:5\.(?:[4-9]|\d\d)(?!\d*-chat)|[6-9]|\d\d)/, at: [CHAT], tools: 'responses' },
  { models: /^(?:gpt-(?!.*-search)|chatgpt-|o\d|codex-)/, at: [CHAT], search: 'responses' },
  { models: /^(?:gpt-3|gpt-4(?!o|\.1)|gpt-4\.1-nano|o1|o3-mini)/, at: [RESPONSES], search: 'none' },
  // https://github.com/enricoros/big-AGI/issues/1159, https://github.com/anomalyco/models.dev/pull/2296
  { models: /^(?:gpt-[34]|chatgpt-4|gpt-5-chat|gpt-.*-search|o1-(?:mini|preview))/, efforts: '' },
  { models: /^o\d/, efforts: 'low medium high', effort: 'medium' },
  { models: /^gpt-5-pro/, efforts: 'high', effort: 'high' },
  { models: /^gpt-5\.\d+-chat/, efforts: 'medium', effort: 'medium' },
  { models: /^gpt-5\.\d+-pro/, efforts: 'medium high xhigh', effort: 'medium' },
  { models: /^(?:codex-|gpt-5-codex|gpt-5\.1-codex(?!-max))/, efforts: 'low medium high', effort: 'medium' },
  { models: /^gpt-5\.\d+-codex/, efforts: 'low medium high xhigh', effort: 'medium' },
  { models: /^gpt-5(?!\.)/, efforts: 'minimal low medium high', effort: 'medium' },
  { models: /^gpt-5\.1(?!\d)/, efforts: 'none low medium high', effort: 'none' },
  { models: /^gpt-5\.[2-4](?!\d)/, efforts: 'none low medium high xhigh', effort: 'none' },
  { models: /^gpt-5\.5(?!\d)/, efforts: 'none low medium high xhigh', effort: 'medium' },
  { models: /^gpt-5\./, at: [CHAT], efforts: 'none low medium high xhigh', effort: 'medium' },
  { models: /^gpt-5\./, efforts: 'none low medium high xhigh max', effort: 'medium' },
  // https://github.com/BerriAI/litellm-docs/pull/1173; models that need not think are named by the vendor of an SDK
  { models: /^gpt-(?:6-sol|6-luna|6\.1-terra)/, at: [CHAT], efforts: 'none low medium high xhigh', effort: 'medium' },
  { models: /^gpt-(?:6-sol|6-luna|6\.1-terra)/, efforts: 'none low medium high xhigh max', effort: 'medium' },
  { models: /^gpt-(?:[6-9]|\d\d)/, at: [CHAT], efforts: 'low medium high xhigh', effort: 'medium' },
  { models: /^gpt-(?:[6-9]|\d\d)/, efforts: 'low medium high xhigh max', effort: 'medium' },

  // Anthropic: sampling is refused from 4.7 on.
  { models: { test: refusesSamplingFields }, at: [MESSAGES], refuses: ['temperature', 'top_p', 'top_k'] },

  // Google: "Penalty is not enabled for this model".
  { models: /^gemini-2\.5/, at: [GENERATE], refuses: ['presence_penalty', 'frequency_penalty'] },
  // "Logprobs is not enabled": https://github.com/googleapis/python-genai/issues/1921
  { models: /^gemini-(?!1|2\.0)/, at: [GENERATE], refuses: ['logprobs', 'top_logprobs'] },

  // xAI: https://docs.x.ai/docs/guides/reasoning
  {
    models: /^grok-(?:3-mini|4(?!.*non-reasoning)|code|build)/,
    at: [CHAT, RESPONSES],
    refuses: ['presence_penalty', 'frequency_penalty', 'stop'],
  },
  { models: /^grok-3-mini/, efforts: 'low high', effort: 'low' },
  { models: /^grok-(?:[23]|4(?:-0709|-fast.*|-1-fast.*|-latest)?$|code)/, efforts: '' },

  // "The reasoning_content in the thinking mode must be passed back": https://api-docs.deepseek.com/guides/thinking_mode,
  // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model, https://platform.xiaomimimo.com/docs
  { models: /deepseek(?!.*distill)|kimi|mimo-v/i, at: [CHAT], thoughts: 'wants' },
  // Their templates keep the reasoning between calls if it is there.
  { models: /minimax-m\d|glm-(?:4\.[5-9]|[5-9])|qwen-?3|qw[qv]q|gpt-oss|step-3|nemotron/i, at: [CHAT], thoughts: 'takes' },

  // Their template raises "System message must be at the beginning": https://github.com/QwenLM/Qwen3.8/issues/244
  { models: /qwen-?3\.[5-9]/i, at: [CHAT], system: 'first' },

  // DeepSeek: https://api-docs.deepseek.com/guides/reasoning_model
  { models: /^deepseek-reasoner/, at: [CHAT], refuses: ['logprobs', 'top_logprobs'] },
]
