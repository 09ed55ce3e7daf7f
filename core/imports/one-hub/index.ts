// The rules for a one-hub database, by the schema of its versions of 2024 to 2026. Columns that a version lacks are
// empty.
import { fillTemplate, words } from '../../errors.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import { getCellAmount, getCellCount, parseCellMoment, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import { newApiOrder } from '../new-api/order.ts'
import { convertDrawing, convertTask } from '../new-api/task.ts'
import type { ImportRules, SourceFacts } from '../product.ts'
import { oneHubChannel } from './channel.ts'
import { oneHubOption } from './option.ts'
import { oneHubPrice } from './price.ts'
import { oneHubToken } from './token.ts'

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
    {
      table: 'users',
      kind: 'user',
      order: 'id',
      rule: oneHubUser,
      needs: ['id', 'username', 'password', 'role', 'status', 'quota'],
    },
    {
      table: 'channels',
      kind: 'channel',
      order: 'id',
      needs: ['id', 'type', 'key', 'models', 'group'],
      rule: oneHubChannel,
    },
    {
      table: 'tokens',
      kind: 'token',
      order: 'id',
      rule: oneHubToken,
      needs: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota'],
    },
    { table: 'options', kind: 'option', order: 'key', needs: ['key', 'value'], rule: oneHubOption },
    { table: 'prices', kind: 'price', order: 'model', needs: ['model', 'type', 'input', 'output'], rule: oneHubPrice },
    {
      table: 'redemptions',
      kind: 'redemption',
      order: 'id',
      needs: ['id', 'key', 'status', 'quota'],
      optional: true,
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
    {
      table: 'logs',
      kind: 'log',
      order: 'id',
      needs: ['id', 'user_id', 'created_at', 'type', 'quota'],
      optional: true,
      past: true,
      rule: oneHubLog,
    },
    {
      table: 'midjourneys',
      kind: 'drawing',
      order: 'id',
      needs: ['id', 'user_id', 'mj_id', 'status'],
      optional: true,
      past: true,
      rule: convertDrawing,
    },
    {
      table: 'tasks',
      kind: 'task',
      order: 'id',
      needs: ['id', 'user_id', 'task_id', 'status'],
      optional: true,
      past: true,
      rule: convertTask,
    },
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
