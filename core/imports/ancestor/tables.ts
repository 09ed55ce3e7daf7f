// The tables that one-api and its descendants share, without their rules: names, order, and the columns that an import needs.
import type { SourceTable } from '../product.ts'

type SharedTable = Omit<SourceTable, 'rule'>

const past = { order: 'id', optional: true, past: true } as const

export const ancestorTables = {
  users: {
    table: 'users',
    kind: 'user',
    order: 'id',
    needs: ['id', 'username', 'password', 'role', 'status', 'quota'],
  },
  channels: { table: 'channels', kind: 'channel', order: 'id', needs: ['id', 'type', 'key', 'models', 'group'] },
  tokens: {
    table: 'tokens',
    kind: 'token',
    order: 'id',
    needs: ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota'],
  },
  options: { table: 'options', kind: 'option', order: 'key', needs: ['key', 'value'] },
  redemptions: {
    table: 'redemptions',
    kind: 'redemption',
    order: 'id',
    needs: ['id', 'key', 'status', 'quota'],
    optional: true,
  },
  logs: { ...past, table: 'logs', kind: 'log', needs: ['id', 'user_id', 'created_at', 'type', 'quota'] },
  drawings: { ...past, table: 'midjourneys', kind: 'drawing', needs: ['id', 'user_id', 'mj_id', 'status'] },
  tasks: { ...past, table: 'tasks', kind: 'task', needs: ['id', 'user_id', 'task_id', 'status'] },
} as const satisfies Record<string, SharedTable>
