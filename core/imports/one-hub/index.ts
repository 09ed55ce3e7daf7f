// The rules for a one-hub database, by the schema of its versions of 2024 to 2026. Columns that a version lacks are
// empty.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import {
  getCellAmount,
  getCellCount,
  getCellObject,
  getCellText,
  getCellWord,
  parseCellJson,
  parseCellMoment,
  type RowChangeNotes,
  type SourceRow,
} from '../cells.ts'
import { newApiOrder } from '../new-api/order.ts'
import { convertDrawing, convertTask } from '../new-api/task.ts'
import type { ImportRules, LeftRow, SourceFacts } from '../product.ts'
import { oneHubChannel } from './channel.ts'
import { oneHubPrice } from './price.ts'
import { findDeclaration } from '../../settings/index.ts'
import type { ImportedOption, ImportedToken } from '../imported-rows.ts'
import { asList, asObject, asText } from '../../dialects/json/json-value.ts'
import { convertAncestorToken } from '../ancestor/token.ts'

// Converts a token of one-hub, whose limits are in `setting`.

function oneHubToken(row: SourceRow, facts: SourceFacts): ImportedToken | LeftRow {
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

function oneHubOption(row: SourceRow): ImportedOption | LeftRow {
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
  const made = newApiOrder(
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
