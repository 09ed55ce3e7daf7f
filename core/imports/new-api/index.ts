// The rules for a new-api database, from its version of 2025-04 and earlier ones. Columns of later versions are read if
// present.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { ancestorTables } from '../ancestor/tables.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import {
  getCellCount,
  getCellFlag,
  getCellObject,
  getCellText,
  getCellTime,
  getCellWhole,
  getCellWord,
  parseCellMoment,
  type RowChangeNotes,
  type SourceRow,
} from '../cells.ts'
import { type ImportRules, isLeft, type LeftRow, type SourceFacts } from '../product.ts'
import { newApiChannel } from './channel.ts'
import { convertDrawing, convertTask } from './task.ts'
import { newApiOrder } from './order.ts'
import { newApiPrices } from './prices.ts'
import type { ImportedLogRow, ImportedOption, ImportedToken } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { findDeclaration } from '../../settings/index.ts'
import { convertAncestorToken } from '../ancestor/token.ts'

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
      rule: newApiOrder,
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
  prices: newApiPrices,
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

function newApiOption(row: SourceRow): ImportedOption | LeftRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const key = id
  if (findDeclaration(key) === undefined) return { ...label, left: words('there is no such setting here') }
  return { ...label, notes: [], key, value: getCellText(row, 'value') }
}

// Reports the subscriptions of users, which Weir does not have, with their remaining quota, so that an administrator
// can grant it.

function newApiSubscription(row: SourceRow): LeftRow {
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

function newApiToken(row: SourceRow, facts: SourceFacts): ImportedToken | LeftRow {
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
  if (!isLeft(token) && group === AUTO)
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
  const groups = parse(options.get('AutoGroups')) ?? ['default']
  const usable = parse(options.get('UserUsableGroups')) ?? { default: '', vip: '' }
  if (!Array.isArray(groups) || typeof usable !== 'object') return []
  return groups.filter((group): group is string => typeof group === 'string' && Object.hasOwn(usable, group))
}

function parse(text: string | undefined): object | undefined {
  try {
    return (JSON.parse(text ?? '') as object | null) ?? undefined
  } catch {
    return undefined
  }
}
