// The rules for a one-hub database, by the schema of its versions of 2024 to 2026. Columns that a version lacks are
// empty.
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import {
  getCellAmount,
  getCellCount,
  getCellObject,
  getCellText,
  getCellWord,
  parseCellJson,
  parseCellMoment,
  getCellDecimal,
  getCellFlag,
  getCellWhole,
} from '../cells.ts'
import { convertNewApiOrder } from '../new-api/order.ts'
import { convertDrawing, convertTask } from '../new-api/task.ts'
import type { ImportRules, SkippedRow, SourceFacts } from '../product.ts'
import { findDeclaration } from '../../settings/index.ts'
import type { ImportedOption, ImportedToken, ImportedPrice, ImportedChannel } from '../imported-rows.ts'
import { asList, asObject, asText } from '../../dialects/json/json-value.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { Decimal } from 'decimal.js'
import { ChannelPatch } from '../../channels/channel.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'

// Converts a channel of one-hub. Its types have other numbers than Weir's, and it keeps a proxy, headers and fields of
// the body in separate columns.

// The types of one-hub's channels, by its numbers: ours, and the address that it had by default where ours has another.
interface OneHubType {
  type: number
  base_url?: string
}

const openai = (base_url: string): OneHubType => ({ type: 1, base_url })

/** Types that are not named here are not served. */
const ONE_HUB_TYPES: Readonly<Record<number, OneHubType>> = {
  1: { type: 1 },
  3: { type: 3 },
  8: { type: 1 },
  14: { type: 14 },
  15: { type: 15 },
  16: { type: 26 },
  17: { type: 17 },
  18: { type: 18 },
  19: { type: 19 },
  20: { type: 20 },
  23: { type: 23 },
  25: { type: 24 },
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 43 },
  29: { type: 25 },
  30: { type: 42 },
  31: { type: 1001 },
  32: { type: 33 },
  33: { type: 31 },
  34: { type: 2 },
  35: { type: 39 },
  36: { type: 34 },
  38: { type: 49 },
  39: { type: 4 },
  41: { type: 36 },
  42: { type: 41 },
  45: { type: 40 },
  47: { type: 38 },
}

const MIDJOURNEY = 34
const BEDROCK = 32
const CLOUDFLARE = 35
const VERTEX = 42

/** Members of `custom_parameter` that control the use of the others. */
const CONTROLS = ['overwrite', 'per_model', 'pre_add']

function oneHubChannel(row: SourceRow): ImportedChannel | SkippedRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  if (getCellWord(row, 'deleted_at') !== '')
    return {
      kind: 'channel',
      id: getCellWord(row, 'id'),
      name: getCellText(row, 'name'),
      left: words('it was deleted there'),
    }
  const known = ONE_HUB_TYPES[sourceType]
  const setting = buildSetting(row, notes)
  const parameters = getCellObject(row, 'custom_parameter', notes)
  const off = findDisableReason(sourceType, setting, parameters)
  tellLost(row, notes)
  if (parameters.overwrite !== true && Object.keys(parameters).some((name) => !CONTROLS.includes(name)))
    notes.push(words('its further fields apply to every call here, also where the client sends its own value'))
  const override = Object.entries(parameters).filter(([name]) => !CONTROLS.includes(name))
  return convertAncestorChannel(
    {
      ...row,
      model_mapping: JSON.stringify(convertMapping(row, notes)),
      param_override: parameters.per_model === true ? '' : JSON.stringify(Object.fromEntries(override)),
    },
    {
      type: known?.type ?? 1,
      ...convertKey(sourceType, getCellText(row, 'key'), getCellText(row, 'other')),
      base_url: getCellWord(row, 'base_url') || (known?.base_url ?? ''),
      setting: JSON.stringify(setting),
      ...(off ? { off } : {}),
    },
    notes,
  )
}

/** Returns why the channel cannot be used unchanged. */
function findDisableReason(type: number, setting: object, parameters: Record<string, unknown>): Words | undefined {
  if (ONE_HUB_TYPES[type] === undefined)
    return fillTemplate(words('type {type} is not served here: it came as OpenAI-compatible, switched off'), { type })
  if (parameters.per_model === true)
    return words('its further fields differ by model, which has no place here: it is switched off')
  return ChannelPatch.shape.setting.safeParse(JSON.stringify(setting)).success
    ? undefined
    : words('its proxy or its headers cannot be stored here: it is switched off')
}

function buildSetting(row: SourceRow, notes: RowChangeNotes): Record<string, unknown> {
  const [proxy, headers] = [getCellWord(row, 'proxy'), getCellObject(row, 'model_headers', notes)]
  return {
    ...(proxy === '' ? {} : { proxy }),
    ...(Object.keys(headers).length === 0
      ? {}
      : { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) }),
  }
}

/**
 * Returns the mapping. A target with a plus was charged as the name that was asked for, as here; any other as the
 * target.
 */
function convertMapping(row: SourceRow, notes: RowChangeNotes): Record<string, string> {
  const pairs = Object.entries(getCellObject(row, 'model_mapping', notes)).map(
    ([name, to]) => [name, String(to)] as const,
  )
  const charged = pairs.filter(([name, to]) => !to.startsWith('+') && to !== name).map(([name]) => name)
  if (charged.length > 0)
    notes.push(
      fillTemplate(
        words(
          '{charged}: was charged as the model that it is mapped to, and is charged by its own name here: check its price',
        ),
        { charged: joinList(charged) },
      ),
    )
  return Object.fromEntries(pairs.map(([name, to]) => [name, to.replace(/^\+/, '')]))
}

/** Returns the key and `other` in the order that Weir's provider has. */
function convertKey(type: number, key: string, other: string): { key: string; other: string } {
  const parts = key.trim().split('|')
  if (type === BEDROCK && parts.length >= 3) return { key: [parts[1], parts[2], parts[0]].join('|'), other }
  if (type === CLOUDFLARE && parts.length === 2) return { key: parts[1] ?? '', other: parts[0] ?? '' }
  return type === VERTEX ? { key, other: other.split('|', 1)[0] ?? '' } : { key, other }
}

/** Reports the columns that have no counterpart in Weir, if their value is not the default. */
function tellLost(row: SourceRow, notes: RowChangeNotes): void {
  const flags = ['only_chat', 'compatible_response', 'allow_extra_body'].filter((column) => getCellFlag(row, column))
  const texts = ['plugin', 'disabled_stream'].filter(
    (column) => !['', '{}', '[]', 'null'].includes(getCellWord(row, column)),
  )
  const lost = [
    ...flags,
    ...texts,
    ...(getCellWhole(row, 'pre_cost') > 1 ? ['pre_cost'] : []),
    ...(getCellWhole(row, 'type') === BEDROCK && getCellText(row, 'key').split('|').length > 3
      ? ['session token']
      : []),
    ...(getCellWhole(row, 'type') === MIDJOURNEY && getCellWord(row, 'other') !== '' ? ['other'] : []),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
}

// Converts a price of one-hub: 1 is one quota unit for a token, or 1000 units for a call.

/** Quota units of a call at price 1. */
const UNITS_BY_CALL = 1000
/** Quota units of one unit of the currency that Weir's ratios are counted for. */
const RATIO_UNITS = 500_000

/** one-hub's shares of the input price for cached tokens where a price names none; Claude's are written and read. */
const CACHED = 0.5
const CLAUDE_READ = 0.1
const CLAUDE_WRITTEN = 1.25

function oneHubPrice(row: SourceRow, { units }: SourceFacts): ImportedPrice | SkippedRow {
  const model = getCellWord(row, 'model')
  const label = { kind: 'price' as const, id: model, name: model }
  if (model === '' || model.includes('*'))
    return {
      ...label,
      left: words('it covers many models: set the price of each'),
    }
  const notes: RowChangeNotes = []
  const [input, output] = ['input', 'output'].map((column) => new Decimal(getCellDecimal(row, column) || 0))
  if (!input || !output || input.isNegative() || output.isNegative())
    return { ...label, left: words('its price is below 0') }
  if (getCellWord(row, 'type') === 'times') {
    const price = { model_price: input.times(UNITS_BY_CALL).dividedBy(units).toNumber() }
    return { ...label, notes, price: JSON.stringify(price) }
  }
  if (input.isZero() && !output.isZero())
    return {
      ...label,
      left: words('its input was free and its output was not: set its price'),
    }
  return { ...label, notes, price: JSON.stringify(buildRatios(row, { input, output, units }, notes)) }
}

function buildRatios(
  row: SourceRow,
  { input, output, units }: { input: Decimal; output: Decimal; units: number },
  notes: RowChangeNotes,
): Record<string, number> {
  const extra = getCellObject(row, 'extra_ratios', notes)
  const find = (name: string) => (typeof extra[name] === 'number' ? extra[name] : undefined)
  const isClaude = /claude/i.test(getCellWord(row, 'model'))
  const known = [
    'cached_tokens',
    'cached_read_tokens',
    'cached_write_tokens',
    'input_audio_tokens',
    'output_audio_tokens',
  ]
  const lost = Object.keys(extra).filter((name) => !known.includes(name))
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
  const [audioInput, audioOutput] = [find('input_audio_tokens'), find('output_audio_tokens')]
  return {
    model_ratio: input.times(RATIO_UNITS).dividedBy(units).toNumber(),
    completion_ratio: input.isZero() ? 1 : output.dividedBy(input).toNumber(),
    cache_ratio: (isClaude ? find('cached_read_tokens') : find('cached_tokens')) ?? (isClaude ? CLAUDE_READ : CACHED),
    ...(isClaude ? { create_cache_ratio: find('cached_write_tokens') ?? CLAUDE_WRITTEN } : {}),
    ...(audioInput === undefined ? {} : { audio_ratio: audioInput }),
    // It counts the output's ratio against the output price, Weir against that of the audio input.
    ...(audioInput && audioOutput !== undefined && !input.isZero()
      ? { audio_completion_ratio: output.times(audioOutput).dividedBy(input.times(audioInput)).toNumber() }
      : {}),
  }
}

// Converts a token of one-hub, whose limits are in `setting`.

function oneHubToken(row: SourceRow, facts: SourceFacts): ImportedToken | SkippedRow {
  const notes: RowChangeNotes = []
  const { limits, heartbeat, billing_tag, ...others } = getCellObject(row, 'setting', notes)
  const { limit_model_setting, limits_ip_setting } = asObject(limits) ?? {}
  const [models, addresses] = [asObject(limit_model_setting), asObject(limits_ip_setting)]
  const made = convertAncestorToken(row, facts, {
    limited: models?.enabled === true,
    models: listTexts(models?.models).join(','),
    addresses: addresses?.enabled === true ? listTexts(addresses.whitelist).join('\n') : '',
    group: getCellWord(row, 'group'),
    deleted_at: parseCellMoment(row, 'deleted_at'),
  })
  if ('left' in made) return made
  const lost = [
    ...(getCellWord(row, 'backup_group') === '' ? [] : ['backup_group']),
    ...(asObject(heartbeat)?.enabled === true ? ['heartbeat'] : []),
    ...(asText(billing_tag) ? ['billing_tag'] : []),
    ...Object.keys(others),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
  return { ...made, notes: [...made.notes, ...notes] }
}

const listTexts = (value: unknown): string[] => (asList(value) ?? []).map(String)

// Converts an option of one-hub: most keys are the same, some have other names.

const NAMED: Readonly<Record<string, string>> = {
  OIDCAuthEnabled: 'oidc.enabled',
  OIDCClientId: 'oidc.client_id',
  OIDCClientSecret: 'oidc.client_secret',
  OIDCIssuer: 'oidc.well_known',
}
const WELL_KNOWN = '/.well-known/openid-configuration'

function oneHubOption(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const value = getCellText(row, 'value')
  if ((id === 'ChatLink' || id === 'ChatLinks') && value !== '')
    return {
      ...label,
      notes: [words('it is among the chat links here')],
      key: 'Chats',
      value: JSON.stringify(id === 'ChatLink' ? [{ Chat: value }] : convertChatLinks(parseCellJson(row, 'value'))),
    }
  const key = Object.hasOwn(NAMED, id) ? (NAMED[id] ?? id) : id
  if (findDeclaration(key) === undefined) return { ...label, left: words('Weir has no such setting') }
  const notes = key === id ? [] : [fillTemplate(words('it is called {key} here'), { key })]
  const address = id === 'OIDCIssuer' && value !== '' ? value.replace(/\/+$/, '') + WELL_KNOWN : value
  return { ...label, notes, key, value: address }
}

/** Its links name the address of the site `{server}`. */
function convertChatLinks(links: unknown): Record<string, string>[] {
  return (Array.isArray(links) ? links : []).map((link: { name?: unknown; url?: unknown } | null) => ({
    [String(link?.name ?? 'Chat')]: String(link?.url ?? '').replaceAll('{server}', '{address}'),
  }))
}

/** Everybody who has no Telegram account has the number 0. */
const oneHubUser = (row: SourceRow) =>
  convertAncestorUser(
    { ...row, telegram_id: getCellWord(row, 'telegram_id') === '0' ? '' : (row.telegram_id ?? '') },
    parseCellMoment(row, 'deleted_at'),
  )

/** An order contains its value, and the currency in which it was paid. */
function oneHubOrder(row: SourceRow, facts: SourceFacts) {
  const notes: RowChangeNotes = []
  const status = getCellWord(row, 'status')
  const isOpen = status === 'pending' || status === 'success'
  const made = convertNewApiOrder(
    {
      ...row,
      money: row.order_amount ?? '',
      create_time: row.created_at ?? '',
      status: isOpen ? status : 'expired',
    },
    facts,
  )
  if ('left' in made) return made
  const currency = getCellWord(row, 'order_currency').toUpperCase()
  if (currency !== '' && currency !== 'CNY')
    notes.push(fillTemplate(words('it was paid in {currency}, and is shown in CNY'), { currency }))
  if (!isOpen) notes.push(fillTemplate(words('its state "{status}" is "expired" here'), { status }))
  return { ...made, quota: getCellAmount(row, 'quota', notes), notes: [...made.notes, ...notes] }
}

/** `request_time` is in ms. */
function oneHubLog(row: SourceRow, facts: SourceFacts) {
  const ms = getCellCount(row, 'request_time')
  return convertAncestorEvent(
    row,
    facts,
    {
      type: getCellCount(row, 'type'),
      token: '',
      group: '',
      use_time: Math.round(ms / 1000),
      other: JSON.stringify({ imported: 'one-hub', ...(ms > 0 ? { elapsed_ms: ms } : {}) }),
      request_id: '',
    },
    [],
  )
}

const SUMS = words('rebuilt from the log')

export const oneHubImportRules: ImportRules = {
  product: 'one-hub',
  tables: [
    { ...ancestorTables.users, rule: oneHubUser },
    { ...ancestorTables.channels, rule: oneHubChannel },
    { ...ancestorTables.tokens, rule: oneHubToken },
    { ...ancestorTables.options, rule: oneHubOption },
    { table: 'prices', kind: 'price', order: 'model', needs: ['model', 'type', 'input', 'output'], rule: oneHubPrice },
    {
      ...ancestorTables.redemptions,
      rule: (row, facts) => convertAncestorCode(row, facts, getCellWord(row, 'deleted_at') !== ''),
    },
    {
      table: 'orders',
      kind: 'topup',
      order: 'id',
      needs: ['id', 'user_id', 'trade_no', 'quota'],
      optional: true,
      rule: oneHubOrder,
    },
    { ...ancestorTables.logs, rule: oneHubLog },
    { ...ancestorTables.drawings, rule: convertDrawing },
    { ...ancestorTables.tasks, rule: convertTask },
  ],
  derived: {
    abilities: words('rebuilt from the channels'),
    statistics: SUMS,
    statistics_months: SUMS,
    user_groups: words('is in the settings GroupRatio and UserUsableGroups'),
  },
  isOwn: (tables) =>
    tables.has('prices') &&
    tables.has('channels') &&
    tables.has('users') &&
    tables.get('tokens')?.has('model_limits_enabled') === false,
  marks: ({ users }) =>
    users
      .filter((row) => getCellWord(row, 'aff_code') !== '')
      .map((row) => `user ${getCellWord(row, 'id')} ${getCellWord(row, 'aff_code')}`),
}
