// The rules for a new-api database, from its version of 2025-04 and earlier ones. Columns of later versions are read if
// present.
import { fillTemplate, joinList, words, type Words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import {
  getCellCount,
  getCellFlag,
  getCellObject,
  getCellText,
  getCellTime,
  getCellWhole,
  getCellWord,
  parseCellMoment,
} from '../cells.ts'
import { type ImportRules, isSkippedRow, type SkippedRow, type SourceFacts } from '../product.ts'
import { convertDrawing, convertTask } from './task.ts'
import { convertNewApiOrder } from './order.ts'
import { buildNewApiPrices } from './prices.ts'
import type { ImportedLogRow, ImportedOption, ImportedToken, ImportedChannel } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { findDeclaration } from '../../settings/index.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { parseJson } from '../../dialects/json/json-value.ts'
import { CHANNEL_KEY_MODES, ChannelSetting } from '../../channels/channel.ts'
import { type DisabledKeys, getKeyFingerprint, setDisabledKeys } from '../../channels/keys.ts'
import { HeaderName, HeaderValue } from '../../settings/headers.ts'
import { convertAncestorChannel } from '../ancestor/channel.ts'

// Converts the headers that a channel of new-api adds to its requests (`header_override`).

// Converts a channel of new-api, whose types have the same numbers as Weir's.

/** The placeholder of the channel's key in a value. */
const KEY = '{api_key}'

interface Converted {
  headers: Record<string, string>
  /** Reason for disabling the channel, if not all headers can be sent. */
  off?: Words
}

/** @param key the only key of the channel; empty for several */
function convertChannelHeaders(row: SourceRow, key: string, notes: RowChangeNotes): Converted {
  const headers: Record<string, string> = {}
  const lost: string[] = []
  for (const [name, value] of Object.entries(getCellObject(row, 'header_override', notes))) {
    const text = typeof value === 'string' ? value.replaceAll(KEY, key || KEY) : ''
    const hasPlaceholder = typeof value === 'string' && /\{.*\}/.test(key === '' ? value : value.replaceAll(KEY, ''))
    const isSendable =
      typeof value === 'string' &&
      !hasPlaceholder &&
      !PATTERN.test(name) &&
      HeaderName.safeParse(name).success &&
      HeaderValue.safeParse(text).success
    if (isSendable) headers[name] = text
    else lost.push(name)
  }
  if (lost.length === 0) return { headers }
  return {
    headers,
    off: fillTemplate(
      words('the headers {lost} of header_override cannot be sent from here: it is switched off without them'),
      { lost: joinList(lost) },
    ),
  }
}

/** `*` and patterns pass on headers of the caller. */
const PATTERN = /^(?:\*|re:|regex:)/

type ChannelJsonFields = Record<string, unknown>

function newApiChannel(row: SourceRow): ImportedChannel | SkippedRow {
  const notes: RowChangeNotes = []
  const type = getCellWhole(row, 'type')
  const info = getCellObject(row, 'channel_info', notes)
  const mode = getKeyMode(info)
  const key = mode === undefined ? getCellText(row, 'key') : splitKeys(getCellText(row, 'key')).join('\n')
  const headers = convertChannelHeaders(row, mode === undefined ? key.trim() : '', notes)
  const setting = convertSetting(row, headers.headers, notes)
  const override = getCellText(row, 'param_override')
  const hasOperations = 'operations' in getCellObject(row, 'param_override', [])
  const reasons: Words[] = [
    ...(type === 0 ? [NO_TYPE] : []),
    ...(headers.off ? [headers.off] : []),
    ...(hasOperations ? [OPERATIONS] : []),
  ]
  const [off, ...others] = reasons
  notes.push(...others)
  const arrival = convertAncestorChannel(
    row,
    {
      type,
      key,
      base_url: getCellWord(row, 'base_url'),
      other: getCellText(row, 'other'),
      openai_organization: getCellWord(row, 'open_ai_organization') || getCellWord(row, 'openai_organization'),
      other_info: withDisabledKeys(getCellObject(row, 'other_info', notes), info, key),
      setting: Object.keys(setting).length === 0 ? '' : JSON.stringify(setting),
      param_override: hasOperations ? '' : override,
      ...(mode === undefined ? {} : { key_mode: mode }),
      ...(off ? { off } : {}),
    },
    notes,
  )
  return arrival
}

const NO_TYPE = words('it had no type: it is switched off')
const OPERATIONS = words(
  'its param_override has operations, which cannot be carried out here: it is switched off without them',
)

/** Returns how several keys are used, as later versions record it. */
function getKeyMode({
  is_multi_key,
  multi_key_mode,
}: ChannelJsonFields): (typeof CHANNEL_KEY_MODES)[number] | undefined {
  if (is_multi_key !== true) return undefined
  return multi_key_mode === 'polling' ? 'turn' : 'random'
}

/** The keys of a channel with several: one a line, or a JSON list of accounts. */
function splitKeys(key: string): string[] {
  if (key.trim().startsWith('[')) {
    try {
      const list: unknown = JSON.parse(key)
      if (Array.isArray(list)) return list.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    } catch {
      // Lines that begin with a bracket.
    }
  }
  return key
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

/** new-api's states of a key: 2 was set by an administrator, 3 by a failure. */
const BY_HAND = 2
const ENABLED = 1

/** Returns the channel's `other_info` with the keys that were switched off inside the channel. */
function withDisabledKeys(otherInfo: ChannelJsonFields, info: ChannelJsonFields, key: string): string {
  const members = (name: string) => (typeof info[name] === 'object' ? ((info[name] ?? {}) as ChannelJsonFields) : {})
  const [states, reasons, times] = [
    members('multi_key_status_list'),
    members('multi_key_disabled_reason'),
    members('multi_key_disabled_time'),
  ]
  const off: DisabledKeys = {}
  for (const [place, text] of key.split('\n').entries()) {
    const state = states[place] === undefined ? ENABLED : Number(states[place])
    if (info.is_multi_key !== true || state === ENABLED || text === '') continue
    const reason = reasons[place]
    off[getKeyFingerprint(text)] = {
      reason: typeof reason === 'string' ? reason : '',
      time: Number(times[place] ?? 0) || 0,
      ...(state === BY_HAND ? { by_hand: true } : {}),
    }
  }
  return setDisabledKeys(Object.keys(otherInfo).length === 0 ? '' : JSON.stringify(otherInfo), off)
}

/** Values of `settings` that describe what Weir does anyway. */
const USUAL: Readonly<Record<string, unknown>> = { vertex_key_type: 'json', aws_key_type: 'ak_sk' }

/** Returns the members of both settings that Weir has. The others are reported if they have a value. */
function convertSetting(row: SourceRow, headers: Record<string, string>, notes: RowChangeNotes): ChannelJsonFields {
  const members = Object.entries({
    ...getCellObject(row, 'settings', notes),
    ...getCellObject(row, 'setting', notes),
  }).filter(([name, value]) => !isEmpty(value) && USUAL[name] !== value)
  const lost = members.filter(([name]) => !Object.hasOwn(ChannelSetting.shape, name)).map(([name]) => name)
  if (lost.length > 0)
    notes.push(
      fillTemplate(words('settings without a place here: {lost}', { context: 'channel' }), { lost: joinList(lost) }),
    )
  const known = Object.fromEntries(members.filter(([name]) => Object.hasOwn(ChannelSetting.shape, name)))
  return Object.keys(headers).length === 0 ? known : { ...known, headers }
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

export const newApiImportRules: ImportRules = {
  product: 'new-api',
  tables: [
    {
      ...ancestorTables.users,
      immaterial: ['created_at', 'updated_at', 'last_login_at'],
      rule: (row) => convertAncestorUser(row, parseCellMoment(row, 'deleted_at')),
    },
    { ...ancestorTables.channels, rule: newApiChannel },
    { ...ancestorTables.tokens, rule: newApiToken },
    { ...ancestorTables.options, rule: newApiOption },
    {
      ...ancestorTables.redemptions,
      rule: (row, facts) => convertAncestorCode(row, facts, parseCellMoment(row, 'deleted_at') !== null),
    },
    {
      table: 'top_ups',
      kind: 'topup',
      order: 'id',
      needs: ['id', 'user_id', 'amount', 'money', 'trade_no'],
      optional: true,
      immaterial: ['complete_time'],
      rule: convertNewApiOrder,
    },
    {
      table: 'user_subscriptions',
      kind: 'subscription',
      order: 'id',
      needs: ['id', 'user_id'],
      optional: true,
      rule: newApiSubscription,
    },
    { ...ancestorTables.logs, immaterial: ['channel_name'], rule: newApiLog },
    { ...ancestorTables.drawings, rule: convertDrawing },
    { ...ancestorTables.tasks, rule: convertTask },
  ],
  derived: {
    abilities: words('rebuilt from the channels'),
    quota_data: words('rebuilt from the log'),
    setups: words('identifies the installation'),
  },
  isOwn: (tables) => tables.get('tokens')?.has('model_limits_enabled') === true && tables.has('channels'),
  prices: buildNewApiPrices,
  marks: ({ users, setups }) => [
    ...setups.map((row) => `set up ${getCellWord(row, 'initialized_at')}`),
    ...users
      .filter((row) => getCellWord(row, 'aff_code') !== '')
      .map((row) => `user ${getCellWord(row, 'id')} ${getCellWord(row, 'aff_code')}`),
  ],
}

/** Converts a log row of new-api, whose detail has the same names as Weir's. */
function newApiLog(row: SourceRow, facts: SourceFacts): ImportedLogRow {
  const notes: RowChangeNotes = []
  const detail = getCellObject(row, 'other', notes)
  const frt = typeof detail.frt === 'number' && detail.frt < 0 ? { frt: undefined } : {}
  return convertAncestorEvent(
    row,
    facts,
    {
      type: getCellWhole(row, 'type'),
      token: getCellWhole(row, 'token_id') > 0 ? getCellWord(row, 'token_id') : '',
      group: getCellWord(row, 'group'),
      use_time: getCellCount(row, 'use_time'),
      // Before there was any content: what was never reached was written as a number below 0.
      other: JSON.stringify({ ...detail, ...frt, imported: 'new-api' }),
      request_id: getCellWord(row, 'request_id'),
    },
    notes,
  )
}

// Converts an option of new-api, which has the same keys as Weir if both have the option.

function newApiOption(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const key = id
  if (findDeclaration(key) === undefined) return { ...label, left: words('there is no such setting here') }
  return { ...label, notes: [], key, value: getCellText(row, 'value') }
}

// Reports the subscriptions of users, which Weir does not have, with their remaining quota, so that an administrator
// can grant it.

function newApiSubscription(row: SourceRow): SkippedRow {
  const [user, plan, status] = [getCellWord(row, 'user_id'), getCellWord(row, 'plan_id'), getCellWord(row, 'status')]
  const [total, end] = [getCellCount(row, 'amount_total'), getCellTime(row, 'end_time')]
  const rest = Math.max(0, total - getCellCount(row, 'amount_used'))
  const until = end > 0 ? new Date(end * 1000).toISOString() : '-'
  return {
    kind: 'subscription',
    id: getCellWord(row, 'id'),
    name: `user ${user}`,
    left: fillTemplate(
      words(
        'Weir has no subscriptions: user {user} had plan {plan} ({status}) until {until}, with {rest} of {total} units left',
      ),
      { user, plan: plan || '-', status: status || '-', until, rest, total },
    ),
  }
}

/** The group name of tokens whose calls use the first of several groups that serves the model. */
const AUTO = 'auto'

function newApiToken(row: SourceRow, facts: SourceFacts): ImportedToken | SkippedRow {
  const group = getCellWord(row, 'group')
  const autoGroups = group === AUTO ? listAutoGroups(facts.options) : []
  const [first = ''] = autoGroups
  const token = convertAncestorToken(row, facts, {
    limited: getCellFlag(row, 'model_limits_enabled'),
    models: getCellText(row, 'model_limits'),
    addresses: getCellText(row, 'allow_ips'),
    group: group === AUTO ? first : group,
    deleted_at: parseCellMoment(row, 'deleted_at'),
  })
  if (!isSkippedRow(token) && group === AUTO)
    token.notes.push(
      fillTemplate(words('its group auto tried {autoGroups} in turn: it has {first} here'), {
        autoGroups: joinList(autoGroups) || words('no group'),
        first: first || words("its user's group"),
      }),
    )
  return token
}

/** Returns the groups that `auto` tries and that users may choose, in their order. */
function listAutoGroups(options: SourceFacts['options']): string[] {
  const groups = parseJson(options.get('AutoGroups') ?? '') ?? ['default']
  const usable = parseJson(options.get('UserUsableGroups') ?? '') ?? { default: '', vip: '' }
  if (!Array.isArray(groups) || typeof usable !== 'object') return []
  return groups.filter((group): group is string => typeof group === 'string' && Object.hasOwn(usable, group))
}
