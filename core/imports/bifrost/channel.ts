// Converts a key of a Bifrost provider to a channel, since each key has its own models and its own weight.
import { ChannelPatch } from '../../channels/channel.ts'
import { cleanBaseUrl } from '../../contract/base-url.ts'
import { asList, asFiniteNumber, asObject, asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import { findProvider } from '../../providers/index.ts'
import { buildBasePrices } from '../base-price.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'
import { parseCellJson, getCellText, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { RuleResult, SourceFacts } from '../product.ts'
import { findChannelType, type KeyModels } from './models.ts'

const AZURE = 3
const BEDROCK = 33
const VERTEX = 41
const UNSET = 'os.environ/'

/** Members that have their place in a channel, or that are not needed. */
const PLACED_KEY = [
  ...['id', 'name', 'value', 'models', 'blacklisted_models', 'weight', 'enabled', 'aliases', 'deployments'],
  ...['azure_key_config', 'bedrock_key_config', 'vertex_key_config', 'ollama_key_config', 'vllm_key_config'],
  ...['sgl_key_config', 'use_for_batch_api', 'config_hash', 'description'],
]
const PLACED_PROVIDER = ['network_config', 'custom_provider_config', 'proxy_config', 'concurrency_and_buffer_size']

export function convertBifrostChannel(row: SourceRow, { now }: SourceFacts): RuleResult[] {
  const notes: RowChangeNotes = []
  const [key, config] = [asObject(parseCellJson(row, 'key')) ?? {}, asObject(parseCellJson(row, 'config')) ?? {}]
  const provider = getCellText(row, 'provider')
  const models = parseCellJson(row, 'models') as KeyModels
  const type = findChannelType(provider, config)
  const address = findAddress(key, config)
  const secret = buildKey(type, key)
  const setting = buildSetting(config)
  const off = findDisableReason({ provider, type, address, secret, models, key, config, setting })
  if (models.isAll && !models.isEmpty)
    notes.push(words('it served every model of its provider: it lists those that are offered here, add others'))
  tellLost(key, config, notes)
  const names = models.names.flatMap((name) => [name, `${provider}/${name}`])
  const mapping = Object.fromEntries(
    models.names.flatMap((name) => {
      const target = models.deployments[name] ?? name
      return [...(target === name ? [] : [[name, target]]), [`${provider}/${name}`, target]]
    }),
  )
  const name = asText(key.name)
  const made = convertAncestorChannel(
    {
      id: getCellText(row, 'id'),
      name: (name ? `${name} (${provider})` : provider).slice(0, 100),
      status: key.enabled === false ? '2' : '1',
      created_time: String(now),
      models: names.join(','),
      group: 'default',
      auto_ban: '1',
      // Weights are fractions there, and whole numbers here.
      weight: String(Math.round((asFiniteNumber(key.weight) ?? 1) * 100)),
      priority: '0',
      model_mapping: Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping),
    },
    {
      type: type ?? 1,
      key: isUnset(secret) ? '' : secret || (isKeyless(provider, config) ? NO_KEY : ''),
      base_url: isUnset(address) ? '' : cleanBaseUrl(address).replace(/\/v1$/, ''),
      other: getOther(type, key),
      ...(Object.keys(setting).length === 0 ? {} : { setting: JSON.stringify(setting) }),
      ...(off ? { off } : {}),
    },
    notes,
  )
  const prices = models.names.flatMap((model) =>
    buildBasePrices([model, `${provider}/${model}`], [model, models.deployments[model] ?? model]),
  )
  return [made, ...prices]
}

const isUnset = (text: string): boolean => text.includes(UNSET)

/** Returns the address of the key, or else of the provider; empty for the provider's public one. */
function findAddress(key: JsonObject, config: JsonObject): string {
  const places = [key.azure_key_config, key.ollama_key_config, key.vllm_key_config, key.sgl_key_config]
  const own = places.map((place) => asText(asObject(place)?.endpoint) ?? asText(asObject(place)?.url)).find(Boolean)
  return own ?? asText(asObject(config.network_config)?.base_url) ?? ''
}

function buildKey(type: number | undefined, key: JsonObject): string {
  const [bedrock, vertex] = [asObject(key.bedrock_key_config), asObject(key.vertex_key_config)]
  if (type === BEDROCK && asText(bedrock?.access_key)) {
    const parts = [bedrock?.access_key, bedrock?.secret_key, bedrock?.region].map((part) => asText(part) ?? '')
    return parts.find(isUnset) ?? parts.join('|')
  }
  if (type === VERTEX) {
    const account = vertex?.auth_credentials
    return asObject(account) ? JSON.stringify(account) : (asText(account) ?? '')
  }
  return asText(key.value) ?? ''
}

function getOther(type: number | undefined, key: JsonObject): string {
  if (type === AZURE) return asText(asObject(key.azure_key_config)?.api_version) ?? ''
  return type === VERTEX ? (asText(asObject(key.vertex_key_config)?.region) ?? 'us-central1') : ''
}

function buildSetting(config: JsonObject): JsonObject {
  const network = asObject(config.network_config) ?? {}
  const headers = asObject(network.extra_headers) ?? {}
  const wait = asFiniteNumber(network.default_request_timeout_in_seconds)
  const { url, username, password } = asObject(config.proxy_config) ?? {}
  const proxy = asText(url) && URL.canParse(String(url)) ? new URL(String(url)) : undefined
  if (proxy && asText(username)) proxy.username = String(username)
  if (proxy && asText(password)) proxy.password = String(password)
  return {
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(wait === undefined ? {} : { head_timeout_seconds: wait }),
    ...(proxy === undefined ? {} : { proxy: proxy.href.replace(/\/$/, '') }),
  }
}

interface Facts {
  provider: string
  type: number | undefined
  address: string
  secret: string
  models: KeyModels
  key: JsonObject
  config: JsonObject
  setting: JsonObject
}

/** Returns why the channel cannot be used as it was; undefined if it can. */
function findDisableReason({
  provider,
  type,
  address,
  secret,
  models,
  key,
  config,
  setting,
}: Facts): Words | undefined {
  const unset = /os\.environ\/([\w.-]+)/.exec(JSON.stringify({ key, config }))?.[1]
  if (unset !== undefined)
    return fillTemplate(words('the variable {unset} is not set where it is imported: it is switched off'), { unset })
  if (type === undefined && address === '')
    return fillTemplate(
      words('the provider {provider} is not served here: it came as OpenAI-compatible, switched off'),
      { provider },
    )
  const known = findProvider(type ?? 1)
  if (address === '' && (known?.base_url === '' || SELF_HOSTED.includes(provider)))
    return words('it has no address: it is switched off')
  if (secret === '' && known?.needs_key && !isKeyless(provider, config))
    return words('it has no key: it is switched off')
  if (type === VERTEX && !secret.trim().startsWith('{'))
    return words('its credentials are no JSON of a service account: it is switched off')
  if (!ChannelPatch.shape.setting.safeParse(JSON.stringify(setting)).success)
    return words('its headers or its proxy cannot be stored here: it is switched off')
  return models.isEmpty
    ? words(
        'its list of models is empty, which meant all of them before version 1.5, and none since: it is switched off',
      )
    : undefined
}

/** Servers without a public address; a key is optional. */
const SELF_HOSTED = ['ollama', 'sgl', 'vllm']
/** Sent to servers that need no key, because a channel here has one. */
const NO_KEY = 'none'

const isKeyless = (provider: string, config: JsonObject): boolean =>
  SELF_HOSTED.includes(provider) || asObject(config.custom_provider_config)?.is_key_less === true

function tellLost(key: JsonObject, config: JsonObject, notes: RowChangeNotes): void {
  const network = Object.keys(asObject(config.network_config) ?? {}).filter((name) => !PLACED_NETWORK.includes(name))
  const lost = [
    ...Object.keys(key).filter((name) => !PLACED_KEY.includes(name)),
    ...Object.keys(config).filter((name) => !PLACED_PROVIDER.includes(name)),
    ...network,
    ...['session_token', 'arn', 'role_arn'].filter((name) => asObject(key.bedrock_key_config)?.[name] !== undefined),
    ...(asList(asObject(config.custom_provider_config)?.request_path_overrides) ? ['request_path_overrides'] : []),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
}
const PLACED_NETWORK = ['base_url', 'extra_headers', 'default_request_timeout_in_seconds', 'allow_private_network']
