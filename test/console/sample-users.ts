// People of the small site, and what the API answers about them.
import type { AuditRow } from '../../core/audit/audit.ts'
import type { ShownUser } from '../../core/users/user.ts'
import type { Handlers } from './fake-server.ts'
import { logEntry } from './sample-log.ts'
import { listed, NOW, page, type Sample } from './samples.ts'

export const person = (id: number, change: Partial<ShownUser> = {}): Sample<ShownUser, 'id'> => ({
  id,
  username: `user${id}`,
  display_name: `User ${id}`,
  role: 1,
  status: 1,
  group: 'default',
  quota: 5_000_000,
  quota_before: 5_000_000,
  used_quota: 750_000,
  request_count: 12_345,
  aff_count: 3,
  aff_history_quota: 250_000,
  inviter_id: 0,
  created_time: NOW,
  DeletedAt: null,
  version: 4,
  ...change,
})

const PEOPLE = [
  person(1, { username: 'root', display_name: 'Root', role: 100 }),
  person(2, { username: 'grace', display_name: '', role: 10, group: 'vip', inviter_id: 1 }),
  person(3, {
    ...{ username: 'ada', display_name: 'Ada', group: 'vip', email: 'ada@example.com', github_id: 'gh-ada' },
    ...{ oidc_id: 'oidc-ada', wechat_id: 'wx-ada', telegram_id: 'tg-ada', linux_do_id: 'ld-ada' },
  }),
  person(4, { username: 'bob', status: 2 }),
  person(5, { username: 'carl', status: 3 }),
  person(6, { username: 'gone', status: 1, DeletedAt: '2026-01-01T00:00:00Z' }),
  person(7, { username: 'odd', role: 5 }),
]

export const auditRow = (id: number, change: Partial<AuditRow> = {}): AuditRow => ({
  id,
  created_at: Math.floor(Date.now() / 1000) - id * 60,
  user_id: 1,
  username: 'root',
  via: 'session',
  ip: '192.0.2.7',
  request_id: `req-${id}`,
  action: 'user.edit',
  target: '3',
  before: '{"quota":1000000,"group":"default"}',
  after: '{"quota":1500000,"group":"vip","reason":"a gift"}',
  ...change,
})

const AUDIT = [
  auditRow(1),
  auditRow(2, { action: 'channel.update', target: '7', before: '{"weight":0}', after: '{"weight":5}' }),
  auditRow(3, { action: 'setting.change', target: 'SystemName', before: 'Weir', after: 'Other' }),
  auditRow(4, { action: 'token.delete', target: '9', via: 'local', user_id: 0, username: '', after: '' }),
  auditRow(5, { action: 'user.end_sessions', before: '', after: '' }),
]

const found = (id: unknown) => PEOPLE.find((one) => one.id === Number(id)) ?? person(Number(id))

const session = { ip: '192.0.2.7', user_agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', current: false }
const times = { created_time: NOW - 86_400, used_time: NOW - 60, expires_time: NOW + 86_400 }
const entry = { account_id: 3, created_at: NOW, hash: 'h' }
const DAYS = ['2026-09-20', '2026-09-21', '2026-09-22']

const usage = {
  steps: DAYS.map((date, at) => ({ at: NOW + at * 86_400, date })),
  rows: DAYS.map((date, at) => ({ at: NOW + at * 86_400, date, model_name: 'gpt-4o', calls: 3, quota: 500_000 })),
  total: { calls: 9, quota: 1_500_000 },
  ...{ from: NOW, to: NOW + 3 * 86_400, groups: 1 },
}

export const userHandlers = (): Handlers => ({
  'users.list': () => ({ data: { ...page(PEOPLE), next_cursor: '' } }),
  'users.search': ({ keyword }) => ({
    data: page(PEOPLE.filter(({ username }) => username?.includes(String(keyword ?? '')))),
  }),
  'users.get': ({ id }) => ({ data: found(id) }),
  'users.create': ({ username }) => ({ data: person(8, { username: String(username) }) }),
  'users.update': () => ({ data: null }),
  'users.updateSelf': () => ({ data: null }),
  'users.manage': ({ id, action }) => {
    const { role = 1, status = 1 } = found(id)
    return {
      data: {
        role: action === 'promote' ? 10 : action === 'demote' ? 1 : role,
        status: action === 'disable' ? 2 : action === 'enable' ? 1 : status,
      },
    }
  },
  'users.sessionsOf': () => ({ data: [{ id: 1, ...session, ...times }] }),
  'users.endSessionsOf': () => ({ data: null }),
  'users.removeProofs': () => ({ data: null }),
  'tokens.ofUser': () => listed([{ id: 31, user_id: 3, key: 'sk-ab…yz', name: 'laptop', status: 1, quota: 1 }]),
  'tokens.ofTeam': () => ({
    data: page([{ id: 31, user_id: 3, key: 'sk-ab…yz', name: 'ours', status: 1, username: 'bob' }]),
  }),
  'tokens.manage': ({ id, action }) => ({
    data: { id: Number(id), user_id: 3, name: 'laptop', status: action === 'disable' ? 2 : 1 },
  }),
  'quota.entries': () => ({
    data: {
      ...page([
        {
          ...{ ...entry, id: 2, kind: 'adjustment', amount: -500_000, balance_after: 4_500_000 },
          ...{ by_user_id: 1, by_username: 'root', reason: 'billed twice' },
        },
        {
          ...{ ...entry, id: 1, kind: 'charge', amount: -4321, balance_after: 5_000_000 },
          ...{ request_id: 'req-1', model_name: 'gpt-4o' },
        },
      ]),
      ...{ account_id: 3, account_kind: 'user', account_name: 'ada' },
    },
  }),
  'topups.list': () => ({
    data: page([
      {
        ...{ id: 1, user_id: 3, trade_no: 'T-1', provider: 'epay', method: 'wx', money: 730, currency: 'cny' },
        ...{ quota: 500_000, status: 'success', create_time: NOW },
      },
    ]),
  }),
  'teams.logs': () => ({ data: page([logEntry(1, { username: 'bob', channel: 0, channel_name: '' })]) }),
})

export const auditHandlers = (): Handlers => ({ 'audit.list': () => ({ data: page(AUDIT) }) })

/** Three days of one model; the dashboard's sample is what the small site answers. */
export const usageHandlers = (): Handlers => ({ 'usage.query': () => ({ data: usage }) })
