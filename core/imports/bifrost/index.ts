// The rules for a Bifrost `config.json`: a channel for each key of a provider, a token for each virtual key.
import { words, fillTemplate, joinList, type Words } from '../../errors.ts'
import { getCellText, parseCellJson, parseCellMoment, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { ImportRules, SkippedRow, RuleResult, SourceFacts } from '../product.ts'
import { asList, asFiniteNumber, asObject, asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { TOKEN_STATUS } from '../../tokens/token.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { getRemainingBudget, parseUnits } from '../litellm/money.ts'
import type { ImportedUser } from '../imported-rows.ts'
import { buildAccount } from '../litellm/people.ts'
import { ChannelPatch } from '../../channels/channel.ts'
import { cleanBaseUrl } from '../../contract/url.ts'
import { findProvider } from '../../providers/index.ts'
import { buildBasePrices } from '../base-price.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'
import { findChannelType, type KeyModels } from './models.ts'

// Converts a key of a Bifrost provider to a channel, since each key has its own models and its own weight.

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

function convertBifrostChannel(row: SourceRow, { now }: SourceFacts): RuleResult[] {
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
  noteUnsupportedKeyFields(key, config, notes)
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

function noteUnsupportedKeyFields(key: JsonObject, config: JsonObject, notes: RowChangeNotes): void {
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

// Converts a virtual key of Bifrost to a token. Such a key has dashes, so that Weir knows it by its SHA-256 until its
// first call.

/** The budgets with a period, by its length. */
const PERIODS: Readonly<Record<string, 'budget_day' | 'budget_week' | 'budget_month'>> = {
  '1d': 'budget_day',
  '24h': 'budget_day',
  '1w': 'budget_week',
  '7d': 'budget_week',
  '1M': 'budget_month',
  '30d': 'budget_month',
}
const MINUTE = ['1m', '60s']

const PLACED = [
  ...['id', 'name', 'value', 'is_active', 'expires_at', 'team_id', 'customer_id', 'provider_configs'],
  ...['budgets', 'budget_id', 'budget_ids', 'rate_limits', 'rate_limit', 'rate_limit_id', 'description'],
]

function bifrostVirtualKey(row: SourceRow, facts: SourceFacts): RuleResult[] {
  const notes: RowChangeNotes = []
  const entry = asObject(parseCellJson(row, 'key')) ?? {}
  const [id, value] = [getCellText(row, 'id'), asText(entry.value) ?? '']
  const label = { kind: 'token' as const, id, name: asText(entry.name) ?? id }
  if (value === '' || value.startsWith('os.environ/'))
    return [
      {
        ...label,
        left: words('its value is not in the file, or its variable is not set: it cannot be imported'),
      },
    ]
  const owner = facts.users.has(getCellText(row, 'owner')) ? getCellText(row, 'owner') : OWNERLESS_USER_ID
  const models = (asList(parseCellJson(row, 'models')) ?? []).filter((name) => typeof name === 'string')
  const limits = convertLimits(entry, facts.units, notes)
  noteUnsupportedTokenFields(entry, models, notes)
  const made = convertAncestorToken(
    {
      id,
      key_digest: getCellText(row, 'key_digest'),
      name: label.name,
      user_id: owner,
      status: String(entry.is_active === false ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled),
      created_time: String(facts.now),
      expired_time: String(parseCellMoment({ at: asText(entry.expires_at) ?? '' }, 'at') ?? ''),
      remain_quota: limits.quota,
      unlimited_quota: limits.quota === '' ? '1' : '0',
    },
    { ...facts, users: new Set([owner]) },
    { models: models.join(','), limited: true, addresses: '', group: '', deleted_at: null },
  )
  if ('left' in made) return [made]
  const { quota: _, ...periods } = limits
  const whole = { ...made, notes: [...made.notes, ...notes], ...periods }
  return owner === OWNERLESS_USER_ID ? [buildOwnerlessAccount(facts), whole] : [whole]
}

/** Returns the budgets in quota units, and the limits of a minute. `quota` is empty for no limit. */
function convertLimits({ budgets, rate_limits }: JsonObject, units: number, notes: RowChangeNotes) {
  const limits: Record<string, number> = {}
  let quota = ''
  for (const budget of (asList(budgets) ?? []).map((each) => asObject(each) ?? {})) {
    const span = asText(budget.reset_duration) ?? ''
    const row = { max_budget: String(budget.max_limit ?? ''), spend: String(asFiniteNumber(budget.current_usage) ?? 0) }
    const period = PERIODS[span]
    if (period !== undefined) {
      limits[period] = Number(parseUnits(row, 'max_budget', units))
      continue
    }
    quota = getRemainingBudget(row, units)
    if (span !== '')
      notes.push(fillTemplate(words('its budget renewed every {span}: the remainder was imported, once'), { span }))
  }
  for (const rate of (asList(rate_limits) ?? []).map((each) => asObject(each) ?? {}))
    for (const [kind, limit] of [
      ['request', 'requests_per_minute'],
      ['token', 'tokens_per_minute'],
    ] as const) {
      const most = asFiniteNumber(rate[`${kind}_max_limit`])
      if (most === undefined) continue
      const span = asText(rate[`${kind}_reset_duration`]) ?? ''
      if (MINUTE.includes(span)) limits[limit] = Math.max(0, Math.floor(most))
      else notes.push(fillTemplate(LIMITS[kind], { most, span }))
    }
  return { quota, ...limits }
}

const LIMITS = {
  request: words('its limit of {most} requests in {span} has no place'),
  token: words('its limit of {most} tokens in {span} has no place'),
}

function noteUnsupportedTokenFields(entry: JsonObject, models: readonly unknown[], notes: RowChangeNotes): void {
  if (models.length === 0) notes.push(words('no provider is allowed: it accepts no model'))
  const configs = (asList(entry.provider_configs) ?? []).map((each) => asObject(each) ?? {})
  const inside = ['key_ids', 'keys', 'weight', 'budgets', 'budget_id', 'budget_ids', 'rate_limit', 'rate_limit_id']
  const isGiven = (value: unknown) => value !== undefined && value !== null && JSON.stringify(value) !== '["*"]'
  const lost = [
    ...Object.keys(entry).filter((name) => !PLACED.includes(name) && isGiven(entry[name]) && entry[name] !== false),
    ...inside
      .filter((name) => configs.some((config) => isGiven(config[name]) && !(name === 'weight' && configs.length === 1)))
      .map((name) => `provider_configs.${name}`),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
}

// Converts the paying parties of Bifrost: customers and teams, whose virtual keys become those of a user.

/** The user who receives virtual keys without an owner. */
const OWNERLESS_USER_ID = 'keys of nobody'

function convertBifrostOwner(row: SourceRow, facts: SourceFacts): ImportedUser | SkippedRow {
  const notes: RowChangeNotes = [
    words('it is a user of its name here, who pays for its keys and has them; it cannot sign in yet'),
  ]
  const [first, ...others] = (asList(parseCellJson(row, 'budget')) ?? []).map((each) => asObject(each) ?? {})
  if (others.length > 0) notes.push(words('only the first of its budgets came'))
  return buildAccount(
    {
      max_budget: first === undefined ? '' : String(first.max_limit ?? ''),
      spend: String(asFiniteNumber(first?.current_usage) ?? 0),
      budget_duration: asText(first?.reset_duration) ?? '',
    },
    { id: getCellText(row, 'id'), username: getCellText(row, 'name') },
    facts,
    notes,
  )
}

/** Builds the account for virtual keys without an owner, at the first such key. */
const buildOwnerlessAccount = (facts: SourceFacts): ImportedUser | SkippedRow =>
  buildAccount({}, { id: OWNERLESS_USER_ID, username: 'bifrost-keys' }, facts, [
    words('it has the virtual keys without an owner'),
  ])

export const bifrostImportRules: ImportRules = {
  product: 'bifrost',
  tables: [
    { table: 'owners', kind: 'user', order: 'id', needs: ['id', 'name'], rule: convertBifrostOwner },
    {
      table: 'provider_keys',
      kind: 'channel',
      order: 'id',
      needs: ['id', 'provider', 'key'],
      rule: convertBifrostChannel,
    },
    {
      table: 'virtual_keys',
      kind: 'token',
      order: 'id',
      needs: ['id', 'owner', 'key_digest'],
      rule: bifrostVirtualKey,
    },
    {
      table: 'settings',
      kind: 'option',
      order: 'key',
      needs: ['key'],
      rule: (row) => ({
        kind: 'option',
        id: getCellText(row, 'key'),
        name: getCellText(row, 'key'),
        left: words('Weir has no such setting'),
      }),
    },
  ],
  derived: {},
  isOwn: (tables) => tables.has('provider_keys') && tables.has('virtual_keys'),
  // The file has no installation id, so its entries are identified by their names.
  marks: () => ['config.json'],
}
