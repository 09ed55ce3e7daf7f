// Converts a model of LiteLLM's list to a channel and its price.
import { cleanBaseUrl } from '../../contract/base-url.ts'
import { words } from '../../errors.ts'
import { readLiteLlm } from '../../prices/litellm.ts'
import { findProvider } from '../../providers/index.ts'
import type { ChannelArrival, PriceArrival } from '../arrival.ts'
import { ancestorChannel } from '../ancestor/channel.ts'
import { cellObject, cellText, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { RuleResult, SourceFacts } from '../product.ts'
import { BY_NAME, LITELLM_PROVIDERS } from './providers.data.ts'

type Fields = Record<string, unknown>

const CUSTOM = 8
const GEMINI = 24
const VERTEX = 41
/** What LiteLLM sends to servers that need no key. */
const LOCAL_KEY = 'fake-api-key'
/** Providers that have no address of their own: the operator states it. */
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
  ...['vertex_credentials', 'extra_headers', 'stream_timeout', 'drop_params'],
])

const getText = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}
const isMissing = (text: string) => text.startsWith('os.environ/')

export function liteLlmModel(row: SourceRow, { now }: SourceFacts, id = cellText(row, 'id')): RuleResult[] {
  const notes: Notes = []
  const params = cellObject(row, 'litellm_params', notes)
  const info = cellObject(row, 'model_info', notes)
  const name = cellText(row, 'model_name').trim()
  const label = { id, name }
  const requested = getText(params, 'model')
  if (name === '' || requested === '')
    return [{ kind: 'channel', ...label, left: words('it names no model', '未指明模型') }]
  const { provider, model } = parseProvider(params, requested)
  const type = LITELLM_PROVIDERS[provider]
  const place = findAddress(type ?? 1, getText(params, 'api_base') || getText(params, 'base_url'), notes)
  const key = buildKey(type, params)
  const off = findDisableReason({ provider, type, name, key, base: place.base_url, params })
  tellLost(params, notes)
  const aliases = cellWord(row, 'aliases').split(',').filter(Boolean)
  const mapping = Object.fromEntries([name, ...aliases].filter((each) => each !== model).map((each) => [each, model]))
  const setting = buildSetting(params)
  const made = ancestorChannel(
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
  ) as ChannelArrival
  return [made, ...buildPrices(name, aliases, { ...params, ...info, litellm_provider: provider })]
}

function parseProvider(params: Fields, requested: string): { provider: string; model: string } {
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

function findAddress(type: number, address: string, notes: Notes): { type: number; base_url: string } {
  const base = isMissing(address) ? '' : cleanBaseUrl(address)
  // There, the model's path follows any address directly.
  if (type === GEMINI && base !== '') return { type, base_url: /\/v\d\w*$/.test(base) ? base : `${base}/models` }
  if (base === '' || !OPENAI_PATHS.includes(type)) return { type, base_url: base.replace(/\/v1$/, '') }
  if (base.endsWith('/v1') || new RegExp('^https?://[^/]+$').test(base))
    return { type, base_url: base.replace(/\/v1$/, '') }
  notes.push(
    words(
      'its address has another version than v1: it came as one whole address, for chat',
      '其地址的版本不是 v1：作为完整地址的对话渠道导入',
    ),
  )
  return { type: CUSTOM, base_url: `${base}/chat/completions` }
}

function buildKey(type: number | undefined, params: Fields): string {
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
const findUnsetVariables = (params: Fields): string[] =>
  [...new Set(JSON.stringify(params).match(/(?<=")os\.environ\/[^"]+/g) ?? [])].map((text) =>
    text.slice('os.environ/'.length),
  )

const getOther = (type: number | undefined, params: Fields): string =>
  type === 3 ? getText(params, 'api_version') : type === 41 ? getText(params, 'vertex_location') || 'us-central1' : ''

/** Returns why the channel cannot be used unchanged. */
function findDisableReason(of: {
  provider: string
  type: number | undefined
  name: string
  key: string
  base: string
  params: Fields
}) {
  const { provider, type, name, key, base, params } = of
  if (name.includes('*'))
    return words('it stands for many models by a *: name them, and switch it on', '以 * 代表多个模型：请写明模型后启用')
  if (type === undefined && base === '')
    return words(
      `the provider ${provider} is not served here: it came as OpenAI-compatible, switched off`,
      `此处不支持服务商 ${provider}：作为 OpenAI 兼容渠道导入，已停用`,
    )
  const known = findProvider(type ?? 1)
  const unset = findUnsetVariables(params)
  if (unset.length > 0)
    return words(
      `the variable ${unset.join(', ')} is not set where it is imported: it is switched off`,
      `导入环境中未设置变量 ${unset.join('、')}：已停用`,
    )
  if (base === '' && WITHOUT_ADDRESS.test(provider))
    return words(
      `${provider} has no address of its own, and none is stated: it is switched off`,
      `${provider} 没有默认地址，且未填写地址：已停用`,
    )
  if (type === VERTEX && key !== '' && !key.startsWith('{'))
    return words(
      'its account file cannot be read where it is imported: it is switched off without a key',
      '导入环境中无法读取其账户文件：无密钥，已停用',
    )
  return key === '' && known?.needs_key ? words('it has no key: it is switched off', '没有密钥：已停用') : undefined
}

function buildSetting(params: Fields): Fields {
  const { extra_headers: headers, stream_timeout: wait } = params
  return {
    ...(typeof headers === 'object' && headers !== null ? { headers } : {}),
    ...(typeof wait === 'number' ? { first_content_timeout_seconds: wait } : {}),
  }
}

const COST = /cost|tiered_pricing/

function tellLost(params: Fields, notes: Notes): void {
  const lost = Object.keys(params).filter((name) => !PLACED.has(name) && !COST.test(name))
  if (lost.length > 0)
    notes.push(words(`there is no place for ${lost.join(', ')}`, `此处没有对应的位置：${lost.join('、')}`))
}

/** Returns the prices of the model, in dollars at the source; empty if none is set. */
function buildPrices(name: string, aliases: readonly string[], fields: Fields): PriceArrival[] {
  if (!Object.keys(fields).some((each) => COST.test(each))) return []
  const [entry] = readLiteLlm({ [name]: fields }).entries
  if (!entry) return []
  return [name, ...aliases].map((model) => ({
    kind: 'price' as const,
    id: model,
    name: model,
    notes: [],
    price: JSON.stringify(entry.price),
  }))
}
