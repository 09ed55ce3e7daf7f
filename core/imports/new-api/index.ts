// The rules for a new-api database, from its version of 2025-04 and earlier ones. Columns of later versions are read if
// present.
import { words } from '../../errors.ts'
import { convertAncestorCode } from '../ancestor/code.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import { parseCellMoment, getCellWord } from '../cells.ts'
import type { ImportRules } from '../product.ts'
import { newApiChannel } from './channel.ts'
import { convertDrawing, convertTask } from './task.ts'
import { newApiLog } from './log.ts'
import { newApiOption } from './option.ts'
import { newApiToken } from './token.ts'
import { newApiOrder } from './order.ts'
import { newApiPrices } from './prices.ts'
import { newApiSubscription } from './subscription.ts'

export const newApiImportRules: ImportRules = {
  product: 'new-api',
  tables: [
    {
      table: 'users',
      kind: 'user',
      order: 'id',
      needs: ['id', 'username', 'password', 'role', 'status', 'quota'],
      immaterial: ['created_at', 'updated_at', 'last_login_at'],
      rule: (row) => convertAncestorUser(row, parseCellMoment(row, 'deleted_at')),
    },
    {
      table: 'channels',
      kind: 'channel',
      order: 'id',
      needs: ['id', 'type', 'key', 'models', 'group'],
      rule: newApiChannel,
    },
    {
      table: 'tokens',
      kind: 'token',
      order: 'id',
      rule: newApiToken,
      needs: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota'],
    },
    { table: 'options', kind: 'option', order: 'key', needs: ['key', 'value'], rule: newApiOption },
    {
      table: 'redemptions',
      kind: 'redemption',
      order: 'id',
      needs: ['id', 'key', 'status', 'quota'],
      optional: true,
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
    {
      table: 'logs',
      kind: 'log',
      order: 'id',
      needs: ['id', 'user_id', 'created_at', 'type', 'quota'],
      optional: true,
      past: true,
      immaterial: ['channel_name'],
      rule: newApiLog,
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
