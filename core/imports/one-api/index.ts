// The rules for a one-api database, from its version of 2025-02 and earlier ones. Columns of later versions are read if
// present.
import { fillTemplate, words, type Words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import { getCellCount, getCellText, getCellWhole, getCellWord, getCellObject } from '../cells.ts'
import type { ImportRules, SkippedRow, SourceFacts } from '../product.ts'
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import type { ImportedLogRow, ImportedOption, ImportedChannel } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { findDeclaration } from '../../settings/index.ts'
import { Decimal } from 'decimal.js'
import type { PriceFields } from '../../settings/channel-price.ts'
import type { BuiltInPrices, PriceFacts } from '../built-in-prices.ts'
import { describeEvidence, findNewestMarker, findRatio, readRatioOption, toOwnRatio } from '../built-in-prices.ts'
import {
  ONE_API_COMPLETION,
  ONE_API_MARKERS,
  ONE_API_NAMED_COMPLETION,
  ONE_API_PICTURES,
  ONE_API_RATIO,
  ONE_API_UNKNOWN_RATIO,
} from './ratios.data.ts'
import { cleanBaseUrl } from '../../contract/url.ts'
import { convertAncestorChannel, type OwnFields } from '../ancestor/channel.ts'

// Converts a channel of one-api. Its types have other numbers than Weir's, and `config` holds everything except the
// key.

// The types of one-api's channels, by its numbers: ours, the address that it had by default where ours has another, and
// why one cannot be used.

interface KnownType {
  type: number
  base_url?: string
  why?: Words
}

const same = (...types: number[]) => Object.fromEntries(types.map((type) => [type, { type }]))
const openai = (base_url: string): KnownType => ({ type: 1, base_url })
const none = (name: string): KnownType => ({
  type: 1,
  why: fillTemplate(words('{name} is not served here: it came as OpenAI-compatible, switched off'), { name }),
})

const ONE_API_TYPES: Readonly<Record<number, KnownType>> = {
  ...same(1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33),
  2: openai('https://oa.api2d.net'),
  4: openai('https://api.closeai-proxy.xyz'),
  5: openai('https://api.openai-sb.com'),
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 42 },
  29: { type: 1001 },
  30: { type: 4 },
  32: openai('https://api.stepfun.com'),
  34: { type: 49 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  38: none('DeepL'),
  39: { type: 1002 },
  40: { type: 45 },
  41: openai('https://api.novita.ai/openai'),
  42: { type: 41 },
  43: none('Proxy'),
  44: { type: 40 },
  45: { type: 48 },
  46: none('Replicate'),
  47: { type: 46 },
  48: openai('https://spark-api-open.xf-yun.com'),
  49: openai('https://dashscope.aliyuncs.com/compatible-mode'),
  50: { type: 1 },
  51: { type: 24 },
}

type Config = Record<string, unknown>

const getText = (config: Config, name: string): string => (typeof config[name] === 'string' ? config[name] : '')

/** Only the types whose address contains a version are called without the usual `/v1`. */
const COMPATIBLE = [50, 51]
const FULL_ADDRESS = 8

function oneApiChannel(row: SourceRow): ImportedChannel | SkippedRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  const config = getCellObject(row, 'config', notes)
  const known = ONE_API_TYPES[sourceType]
  const base_url = getCellWord(row, 'base_url') || (known?.base_url ?? '')
  const prompt = getCellText(row, 'system_prompt')
  const placed = COMPATIBLE.includes(sourceType) ? compatible(base_url, notes) : { base_url }
  return convertAncestorChannel(
    row,
    {
      type: known?.type ?? sourceType,
      key: buildKey(sourceType, getCellText(row, 'key'), config),
      other: getOther(sourceType, getCellText(row, 'other'), config),
      setting: prompt === '' ? '' : JSON.stringify({ system_prompt: prompt, system_prompt_override: true }),
      ...placed,
      ...(known === undefined ? { type: UNKNOWN, off: unknown(sourceType) } : {}),
      ...(known?.why ? { off: known.why } : {}),
    },
    notes,
  )
}

const UNKNOWN = 1
const unknown = (type: number) =>
  fillTemplate(words('type {type} is not known here: it came as OpenAI-compatible, switched off'), { type })

/** one-api's address ends before `/chat/completions`, Weir's before `/v1`. */
function compatible(base: string, notes: RowChangeNotes): Pick<OwnFields, 'base_url'> & { type?: number } {
  const address = cleanBaseUrl(base)
  if (address.endsWith('/v1')) return { base_url: address.slice(0, -'/v1'.length) }
  if (address === '' || new RegExp('^https?://[^/]+$').test(address)) return { base_url: address }
  notes.push(words('its address has another version than v1: it came as one whole address, for chat'))
  return { base_url: `${address}/chat/completions`, type: FULL_ADDRESS }
}

function buildKey(type: number, key: string, config: Config): string {
  if (type === 33 && !key.includes('|') && getText(config, 'ak') !== '')
    return [getText(config, 'ak'), getText(config, 'sk'), getText(config, 'region')].join('|')
  const account = getText(config, 'vertex_ai_adc')
  return type === 42 && !key.trim().startsWith('{') && account.startsWith('{') ? account : key
}

/** Returns the value of `config` that Weir stores in the field `other`. */
function getOther(type: number, other: string, config: Config): string {
  const named: Readonly<Record<number, string>> = {
    3: 'api_version',
    18: 'api_version',
    17: 'plugin',
    21: 'library_id',
    34: 'user_id',
    37: 'user_id',
    42: 'region',
  }
  const from = named[type]
  return (from === undefined ? '' : getText(config, from)) || other
}

// The prices of one-api: its options, then its built-in ratios and rules, then one ratio for all others.

/** The completion ratios of families. First match wins. */
const FAMILIES: readonly (readonly [test: RegExp, ratio: number])[] = [
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^gpt-4o-2024-05-13$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4-turbo|^gpt-4.*preview$/, 3],
  [/^gpt-4/, 2],
  [/^o1/, 4],
  [/^claude-3/, 5],
  [/^(claude|mistral|gemini)-/, 3],
  [/^deepseek-/, 2],
]

/** The last month whose ratios are known. */
const KNOWN_SINCE = '2025-02'
/** A picture counts as this many tokens. */
const PICTURE_TOKENS = 1000

export function buildOneApiPrices({ tables, options, units }: PriceFacts): BuiltInPrices {
  const marker = findNewestMarker(ONE_API_MARKERS, tables)
  const since = marker?.[0] ?? ''
  const ratios = readRatioOption(options, 'ModelRatio') ?? {}
  const completions = readRatioOption(options, 'CompletionRatio') ?? {}

  function statePrice(model: string): PriceFields {
    const name = model.replace(/^(qwen-.*|command-.*)-internet$/, '$1')
    const picture = findRatio(ONE_API_PICTURES, name)
    const ratio = findRatio(ratios, name) ?? picture ?? findRatio(ONE_API_RATIO, name) ?? ONE_API_UNKNOWN_RATIO
    if (picture !== undefined)
      return { model_price: new Decimal(ratio).times(PICTURE_TOKENS).dividedBy(units).toNumber() }
    const completion =
      findRatio(completions, name) ??
      findRatio(ONE_API_COMPLETION, name) ??
      FAMILIES.find(([test]) => test.test(name))?.[1] ??
      findRatio(ONE_API_NAMED_COMPLETION, name) ??
      1
    return {
      model_ratio: toOwnRatio(ratio, units),
      completion_ratio: completion,
      cache_ratio: 1,
      create_cache_ratio: 1,
    }
  }

  return {
    version: since === '' ? 'one-api' : `one-api, ${since} or later`,
    evidence: describeEvidence(marker),
    state(model) {
      const isStated = findRatio(ratios, model) !== undefined
      return { price: statePrice(model), notes: isStated || since >= KNOWN_SINCE ? [] : [MAY_DIFFER] }
    },
  }
}

const MAY_DIFFER = words('it may have been charged otherwise there, as only the ratios of 2025-02 are known')

// Converts an option of one-api: most keys are the same, some have other names.

const NAMED: Readonly<Record<string, string>> = {
  OidcEnabled: 'oidc.enabled',
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
}

function oneApiOption(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const value = getCellText(row, 'value')
  if (id === 'ChatLink' && value !== '')
    return {
      ...label,
      notes: [words('it is a link among the chats here')],
      key: 'Chats',
      value: JSON.stringify([{ Chat: value }]),
    }
  const key = Object.hasOwn(NAMED, id) ? (NAMED[id] ?? id) : id
  if (findDeclaration(key) === undefined) return { ...label, left: words('there is no such setting here') }
  const notes = key === id ? [] : [fillTemplate(words('it is called {key} here'), { key })]
  return { ...label, notes, key, value }
}

// Converts a log row of one-api. Its type 5 is a test of a channel; Weir's is a failure.

const CHANNEL_TEST = 5

function oneApiLog(row: SourceRow, facts: SourceFacts): ImportedLogRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  if (sourceType === CHANNEL_TEST) notes.push(words('a test of a channel, which is a row of the system here'))
  const ms = getCellCount(row, 'elapsed_time')
  return convertAncestorEvent(
    row,
    facts,
    {
      type: sourceType === CHANNEL_TEST ? LOG_ROW_TYPE.system : sourceType,
      token: '',
      group: '',
      use_time: Math.round(ms / 1000),
      other: JSON.stringify({ imported: 'one-api', ...(ms > 0 ? { elapsed_ms: ms } : {}) }),
      request_id: getCellWord(row, 'request_id'),
    },
    notes,
  )
}

const DELETED = 3

/** A deleted user keeps the row, under a name that no user can choose. */
const oneApiUser = (row: SourceRow, { now }: SourceFacts) =>
  convertAncestorUser(row, getCellWhole(row, 'status') === DELETED ? now : null)

/** The limits of a token are in `models` and `subnet`. A token limited to an amount that was never set is unlimited. */
const oneApiToken = (row: SourceRow, facts: SourceFacts) =>
  convertAncestorToken(row, facts, {
    limited: getCellWord(row, 'models') !== '',
    models: getCellText(row, 'models'),
    addresses: getCellText(row, 'subnet'),
    group: '',
    deleted_at: null,
  })

export const oneApiImportRules: ImportRules = {
  product: 'one-api',
  tables: [
    { ...ancestorTables.users, rule: oneApiUser },
    { ...ancestorTables.channels, rule: oneApiChannel },
    { ...ancestorTables.tokens, rule: oneApiToken },
    { ...ancestorTables.options, rule: oneApiOption },
    {
      ...ancestorTables.redemptions,
      rule: (row: SourceRow, facts: SourceFacts) => convertAncestorCode(row, facts, false),
    },
    { ...ancestorTables.logs, rule: oneApiLog },
  ],
  derived: { abilities: words('rebuilt from the channels') },
  isOwn: (tables) =>
    tables.get('tokens')?.has('model_limits_enabled') === false &&
    tables.get('users')?.has('aff_count') === false &&
    tables.has('abilities') &&
    tables.has('channels'),
  prices: buildOneApiPrices,
  marks: ({ users }) =>
    users
      .filter((row) => getCellWord(row, 'aff_code') !== '')
      .map((row) => `user ${getCellWord(row, 'id')} ${getCellWord(row, 'aff_code')}`),
}
