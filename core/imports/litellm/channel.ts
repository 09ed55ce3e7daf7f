// Converts a model of LiteLLM's list to a channel and its price.
import { cleanBaseUrl } from '../../contract/url.ts'
import { ChannelPatch } from '../../channels/channel.ts'
import { asObject } from '../../dialects/json/json-value.ts'
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import { readLiteLlm } from '../../prices/litellm.ts'
import { findProvider } from '../../providers/index.ts'
import type { ImportedChannel, ImportedPrice } from '../imported-rows.ts'
import { buildBasePrices } from '../base-price.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'
import { getCellObject, getCellText, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { RuleResult, SourceFacts } from '../product.ts'
import { describeCallParams, placeCallParams } from './call-params.ts'

// Providers as LiteLLM calls them (before the `/` of a model), and the types of our channels.
const LITELLM_PROVIDERS: Readonly<Record<string, number>> = {
  openai: 1,
  'text-completion-openai': 1,
  openai_like: 1,
  custom_openai: 1,
  litellm_proxy: 1,
  azure_ai: 1,
  hosted_vllm: 1,
  vllm: 1,
  infinity: 1,
  azure: 3,
  azure_text: 3,
  ollama: 4,
  ollama_chat: 4,
  anthropic: 14,
  anthropic_text: 14,
  dashscope: 17,
  openrouter: 20,
  gemini: 24,
  moonshot: 25,
  zai: 26,
  perplexity: 27,
  bedrock: 33,
  bedrock_converse: 33,
  cohere: 34,
  cohere_chat: 34,
  minimax: 35,
  jina_ai: 38,
  cloudflare: 39,
  siliconflow: 40,
  vertex_ai: 41,
  vertex_ai_beta: 41,
  mistral: 42,
  codestral: 42,
  deepseek: 43,
  volcengine: 45,
  xinference: 47,
  xai: 48,
  groq: 1001,
  together_ai: 1002,
  fireworks_ai: 1003,
  cerebras: 1004,
  huggingface: 1005,
  vercel_ai_gateway: 1006,
  venice: 1007,
  voyage: 1008,
  databricks: 1009,
  snowflake: 1010,
  nvidia_nim: 1011,
  sambanova: 1012,
  lm_studio: 1013,
  llamafile: 1014,
}

/** The provider of a model whose name has no provider prefix. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e-|whisper-|tts-|omni-moderation|davinci|babbage|sora)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^(command|embed-|rerank-)/, 'cohere'],
  [/^deepseek-/, 'deepseek'],
  [/^(mistral-|codestral|open-mi[sx]tral)/, 'mistral'],
]

type ChannelParamFields = Record<string, unknown>

const CUSTOM = 8
const GEMINI = 24
const VERTEX = 41
/** The key that LiteLLM sends to servers that need none. */
const LOCAL_KEY = 'fake-api-key'
/** Providers without a default address: the operator states it. */
const WITHOUT_ADDRESS =
  /^(openai_like|custom_openai|litellm_proxy|azure_ai|hosted_vllm|vllm|infinity|llamafile|lm_studio)$/
/** LiteLLM's addresses end before the path of the call, Weir's before `/v1`. */
const OPENAI_PATHS = [1, 17, 20, 25, 26, 42, 43, 45, 48]

/** Members that have their place in a channel, or that are not needed. */
const PLACED = new Set([
  ...[
    'model',
    'api_key',
    'api_base',
    'base_url',
    'api_version',
    'organization',
    'custom_llm_provider',
    'weight',
    'order',
  ],
  ...['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name', 'vertex_project', 'vertex_location'],
  ...['vertex_credentials', 'extra_headers', 'headers', 'stream_timeout', 'drop_params'],
])

/** Members that concern LiteLLM itself. Every other member is a field of its calls. */
const CONTROLS = new RegExp(
  '^(?:rpm|tpm|max_parallel_requests|timeout|request_timeout|max_retries|num_retries|cooldown_time|model_info|base_model' +
    '|tags|metadata|litellm_.*|mock_.*|id|created_at|updated_at|created_by|updated_by|team_id|max_budget|budget_duration' +
    '|use_in_pass_through|use_litellm_proxy|use_chat_completions_api|merge_reasoning_content_in_choices|additional_drop_params' +
    '|allowed_openai_params|configurable_clientside_auth_params|supports_system_message|max_file_size_mb|guardrails' +
    '|cache_control_injection_points|region_name|allowed_model_region|aws_.*|azure_.*|vertex_.*|tenant_id|client_id' +
    '|client_secret|watsonx_.*|s3_.*|gcs_.*|hf_model_name|default_api_key_.*|ssl_verify|cache|caching|no-log|ttl' +
    '|model_list|fallbacks|context_window_fallback_dict|auto_router_.*|complexity_router_.*|callbacks)$',
)
/** Controls without which the channel would do something else. */
const NEEDED_CONTROLS = ['mock_response', 'litellm_credential_name']

const getText = (fields: ChannelParamFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}
const isMissing = (text: string) => text.startsWith('os.environ/')

export function convertLiteLlmModel(row: SourceRow, { now }: SourceFacts, id = getCellText(row, 'id')): RuleResult[] {
  const notes: RowChangeNotes = []
  const params = getCellObject(row, 'litellm_params', notes)
  const info = getCellObject(row, 'model_info', notes)
  const name = getCellText(row, 'model_name').trim()
  const label = { id, name }
  const requested = getText(params, 'model')
  if (name === '' || requested === '') return [{ kind: 'channel', ...label, left: words('it names no model') }]
  const { provider, model } = parseProvider(params, requested)
  const type = LITELLM_PROVIDERS[provider]
  const place = findAddress(type ?? 1, getText(params, 'api_base') || getText(params, 'base_url'), notes)
  const key = buildKey(type, params)
  const aliases = getCellWord(row, 'aliases').split(',').filter(Boolean)
  const listedModels = [name, ...aliases]
  const calls = placeCallParams(place.type ?? 1, model, findCallFields(params), listedModels)
  const setting = buildSetting(params)
  const off =
    findDisableReason({ provider, type, name, key, base: place.base_url, params }) ??
    describeCallParams(calls, notes) ??
    findUnusable(params, setting)
  tellLost(params, notes)
  const mapping = Object.fromEntries(
    listedModels.filter((each) => each !== calls.model).map((each) => [each, calls.model]),
  )
  const made = convertAncestorChannel(
    {
      id: label.id,
      name: `${name} (${provider})`.slice(0, 100),
      status: '1',
      created_time: String(now),
      models: [name, ...aliases].join(','),
      group: 'default',
      auto_ban: '1',
      weight: getText(params, 'weight'),
      priority: params.order === undefined ? '0' : `-${getText(params, 'order')}`,
      model_mapping: Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
      param_override: Object.keys(calls.override).length === 0 ? '' : JSON.stringify(calls.override),
    },
    {
      ...place,
      key: isMissing(key) || (type === VERTEX && !key.startsWith('{')) ? '' : key,
      openai_organization: getText(params, 'organization'),
      other: getOther(type, params),
      ...(Object.keys(setting).length === 0 ? {} : { setting: JSON.stringify(setting) }),
      ...(off ? { off } : {}),
    },
    notes,
  ) as ImportedChannel
  const fields = { ...params, ...info, litellm_provider: provider }
  return [made, ...buildPrices(listedModels, [getText(info, 'base_model'), model], fields)]
}

/** Returns the provider and its name of the model, as LiteLLM derives them. */
export function parseProvider(params: ChannelParamFields, requested: string): { provider: string; model: string } {
  const named = getText(params, 'custom_llm_provider')
  const slash = requested.indexOf('/')
  const prefix = slash > 0 ? requested.slice(0, slash) : ''
  if (named) return { provider: named, model: prefix === named ? requested.slice(slash + 1) : requested }
  if (Object.hasOwn(LITELLM_PROVIDERS, prefix)) {
    // `bedrock/converse/…` and similar prefixes name an API, not a model.
    const model = requested.slice(slash + 1).replace(/^(converse|invoke|responses|chat)\//, '')
    return { provider: prefix, model }
  }
  const found = BY_NAME.find(([pattern]) => pattern.test(requested))?.[1]
  return { provider: found ?? (prefix || 'openai'), model: requested }
}

function findAddress(type: number, address: string, notes: RowChangeNotes): { type: number; base_url: string } {
  const base = isMissing(address) ? '' : cleanBaseUrl(address)
  // There, the model's path follows any address directly.
  if (type === GEMINI && base !== '') return { type, base_url: /\/v\d\w*$/.test(base) ? base : `${base}/models` }
  if (base === '' || !OPENAI_PATHS.includes(type)) return { type, base_url: base.replace(/\/v1$/, '') }
  if (base.endsWith('/v1') || new RegExp('^https?://[^/]+$').test(base))
    return { type, base_url: base.replace(/\/v1$/, '') }
  notes.push(words('its address has another version than v1: it came as one whole address, for chat'))
  return { type: CUSTOM, base_url: `${base}/chat/completions` }
}

function buildKey(type: number | undefined, params: ChannelParamFields): string {
  if (type === 33 && getText(params, 'aws_access_key_id') !== '') {
    const parts = ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name'].map((name) => getText(params, name))
    return parts.find(isMissing) ?? parts.join('|')
  }
  if (type === 41 && params.vertex_credentials !== undefined) {
    const { vertex_credentials: account } = params
    return typeof account === 'string' ? account.trim() : JSON.stringify(account)
  }
  const isLocal = (type ?? 1) === 1 && (getText(params, 'api_base') || getText(params, 'base_url')) !== ''
  return getText(params, 'api_key') || (isLocal ? LOCAL_KEY : '')
}

/** Returns the environment variables that the parameters name and that are not set. */
const findUnsetVariables = (params: ChannelParamFields): string[] =>
  [...new Set(JSON.stringify(params).match(/(?<=")os\.environ\/[^"]+/g) ?? [])].map((text) =>
    text.slice('os.environ/'.length),
  )

const getOther = (type: number | undefined, params: ChannelParamFields): string =>
  type === 3 ? getText(params, 'api_version') : type === 41 ? getText(params, 'vertex_location') || 'us-central1' : ''

/** Returns why the channel cannot be used unchanged. */
function findDisableReason(of: {
  provider: string
  type: number | undefined
  name: string
  key: string
  base: string
  params: ChannelParamFields
}) {
  const { provider, type, name, key, base, params } = of
  if (name.includes('*')) return words('its * matches many models: list them, then switch it on')
  if (type === undefined && base === '')
    return fillTemplate(
      words('the provider {provider} is not served here: it came as OpenAI-compatible, switched off'),
      { provider },
    )
  const known = findProvider(type ?? 1)
  const unset = findUnsetVariables(params)
  if (unset.length > 0)
    return fillTemplate(words('the variable {unset} is not set where it is imported: it is switched off'), {
      unset: joinList(unset),
    })
  if (base === '' && WITHOUT_ADDRESS.test(provider))
    return fillTemplate(words('{provider} has no default address, and none is given: it is switched off'), { provider })
  if (type === VERTEX && key !== '' && !key.startsWith('{'))
    return words('its account file cannot be read where it is imported: it is switched off without a key')
  return key === '' && known?.needs_key ? words('it has no key: it is switched off') : undefined
}

function buildSetting(params: ChannelParamFields): ChannelParamFields {
  const { extra_headers, headers, stream_timeout: wait } = params
  const added = { ...asObject(headers), ...asObject(extra_headers) }
  return {
    ...(Object.keys(added).length === 0
      ? {}
      : { headers: Object.fromEntries(Object.entries(added).map(([name, value]) => [name, String(value)])) }),
    ...(typeof wait === 'number' ? { first_content_timeout_seconds: wait } : {}),
  }
}

const COST = /cost|tiered_pricing/

const findCallFields = (params: ChannelParamFields): ChannelParamFields =>
  Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) => !PLACED.has(name) && !COST.test(name) && !CONTROLS.test(name) && value !== null,
    ),
  )

/** Returns why the calls would not be what they were; undefined if they are. */
function findUnusable(params: ChannelParamFields, setting: ChannelParamFields): Words | undefined {
  if (!ChannelPatch.shape.setting.safeParse(JSON.stringify(setting)).success)
    return words('its headers cannot be stored here: it is switched off')
  const needed = NEEDED_CONTROLS.filter((name) => params[name] !== undefined).join(', ')
  return needed === ''
    ? undefined
    : fillTemplate(words('{needed} cannot be followed here: it is switched off'), { needed })
}

function tellLost(params: ChannelParamFields, notes: RowChangeNotes): void {
  const lost = Object.keys(params).filter((name) => CONTROLS.test(name) && !PLACED.has(name) && !COST.test(name))
  if (lost.length > 0) notes.push(fillTemplate(words('there is no place for {lost}'), { lost: joinList(lost) }))
}

/**
 * Returns the prices of the names: that of the file, in dollars, otherwise the built-in one of the model behind them,
 * which LiteLLM charges by.
 */
function buildPrices(names: readonly string[], models: readonly string[], fields: ChannelParamFields): ImportedPrice[] {
  if (!Object.keys(fields).some((each) => COST.test(each))) return buildBasePrices(names, models)
  const [first = ''] = names
  const [entry] = readLiteLlm({ [first]: fields }).entries
  if (!entry) return []
  return names.map((model) => ({
    kind: 'price' as const,
    id: model,
    name: model,
    notes: [],
    price: JSON.stringify(entry.price),
  }))
}
