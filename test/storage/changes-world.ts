// Every change that administrators make, and a gateway in which all of them find what they change.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { getKeyFingerprint } from '../../core/channels/keys.ts'
import type { Caller } from '../../core/auth/caller.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { silent } from '../support/databases.ts'
import type { DatabaseKind } from '../support/database-kinds.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { signedIn } from '../support/signed-in.ts'
import { newTask } from './samples.ts'

const CHANNEL = { name: 'one', type: 1, key: 'k', base_url: 'https://a.example', models: 'm', tag: 't' }
const PROVIDER = { id: 'acme', name: 'Acme', well_known: 'https://acme.example', client_id: 'c', scopes: 'openid' }
export const edit = (id: number, more: object) => ({ id, username: 'ann', display_name: 'Ann', password: '', ...more })

/** Who joins a team: the third account that is made. */
export const CARL = 3
const LEAVER = 4
/** The first, and whose it is. */
const [TOKEN, ROOT] = [1, 1]

/** By the id of a user, and of the channels, teams and codes there are. */
export type Input = (
  user: number,
  channels: number[],
  teams: number[],
  codes: number[],
  alerts: number[],
  invitations: number[],
  views: number[],
) => Record<string, unknown>

/** Every action that is recorded, and the calls that make it, in an order in which all of them find what they change. */
export type Change = [action: string, operation: string, input: Input, by?: 'carl']
export const changes: Change[] = [
  ['user.end_sessions', 'users.endSessionsOf', (id) => ({ user_id: id })],
  ['user.edit', 'users.update', (id) => edit(id, { quota: 70, quota_before: 0, password: 'another password' })],
  ['user.edit', 'users.update', (id) => edit(id, { display_name: 'Anna' })],
  ['user.edit', 'users.topUp', (id) => ({ user_id: id, quota: 5 })],
  ['user.promote', 'users.manage', (id) => ({ id, action: 'promote' })],
  ['user.demote', 'users.manage', (id) => ({ id, action: 'demote' })],
  ['user.disable', 'users.manage', (id) => ({ id, action: 'disable' })],
  ['user.enable', 'users.manage', (id) => ({ id, action: 'enable' })],
  ['user.remove_proofs', 'users.removeProofs', (id) => ({ id })],
  ['user.delete', 'users.manage', (id) => ({ id, action: 'delete' })],
  ['channel.create', 'channels.create', () => CHANNEL],
  ['channel.update', 'channels.update', (_, [id]) => ({ id, weight: 5 })],
  ['channel.add_keys', 'channels.addKeys', (_, [id]) => ({ id, key: 'k2\nk3' })],
  [
    'channel.disable_keys',
    'channels.manageKeys',
    (_, [id]) => ({ id, keys: [getKeyFingerprint('k2')], action: 'disable' }),
  ],
  [
    'channel.enable_keys',
    'channels.manageKeys',
    (_, [id]) => ({ id, keys: [getKeyFingerprint('k2')], action: 'enable' }),
  ],
  [
    'channel.remove_keys',
    'channels.manageKeys',
    (_, [id]) => ({ id, keys: [getKeyFingerprint('k2')], action: 'remove' }),
  ],
  ['channel.copy', 'channels.copy', (_, [id]) => ({ id })],
  ['channel.update', 'channels.tagMany', (_, ids) => ({ ids, tag: 'u' })],
  ['channel.update', 'channels.updateTag', () => ({ tag: 'u', weight: 9 })],
  ['channel.update', 'channels.disableTag', () => ({ tag: 'u' })],
  ['channel.update', 'channels.enableTag', () => ({ tag: 'u' })],
  ['channel.update', 'channels.switchMany', (_, ids) => ({ ids, status: 2 })],
  ['channel.delete', 'channels.deleteMany', (_, [, id]) => ({ ids: [id] })],
  ['channel.delete', 'channels.delete', (_, [id]) => ({ id })],
  ['provider.create', 'auth.providerCreate', () => ({ ...PROVIDER, enabled: true, client_secret: 's' })],
  ['provider.update', 'auth.providerUpdate', () => ({ ...PROVIDER, name: 'A', enabled: true, client_secret: 's' })],
  ['provider.delete', 'auth.providerDelete', () => ({ provider_id: 'acme' })],
  ['setting.change', 'settings.update', () => ({ key: 'SystemName', value: 'Other' })],
  ['setting.change', 'groups.set', () => ({ name: 'gold', ratio: 2 })],
  ['setting.change', 'groups.remove', () => ({ name: 'gold' })],
  [
    'import.bring',
    'imports.bring',
    () => ({
      ...{ product: 'new-api', marks: ['a mark'] },
      rows: [{ kind: 'option', id: 'Footer', name: 'Footer', key: 'Footer', value: 'Theirs' }],
    }),
  ],
  ['state.apply', 'state.apply', () => ({ document: { weir: 1, groups: { silver: { ratio: 3 } } } })],
  ['team.create', 'teams.create', () => ({ name: 'crew' })],
  ['team.rename', 'teams.update', (_, __, [id]) => ({ id, name: 'team' })],
  ['team.invite', 'teams.putMember', (_, __, [id]) => ({ id, username: 'carl' })],
  ['team.accept', 'teams.accept', (_1, _2, _3, _4, _5, [invitation_id]) => ({ invitation_id }), 'carl'],
  ['team.member', 'teams.putMember', (_, __, [id]) => ({ id, username: 'carl', budget_day: 5 })],
  ['team.share_view', 'teams.shareView', (_, __, [id]) => ({ id, list: 'logs', name: 'Errors', query: '?type=5' })],
  [
    'team.rename_view',
    'teams.renameView',
    (_1, _2, [id], _4, _5, _6, [view_id]) => ({ id, view_id, name: 'Failures' }),
  ],
  ['team.delete_view', 'teams.deleteView', (_1, _2, [id], _4, _5, _6, [view_id]) => ({ id, view_id })],
  ['team.adjust', 'teams.adjust', (_, __, [id]) => ({ id, amount: 7 })],
  ['team.transfer', 'teams.transfer', (_, __, [id]) => ({ id, amount: -7 })],
  ['team.remove_member', 'teams.removeMember', (_, __, [id]) => ({ id, user_id: CARL })],
  ['team.delete', 'teams.delete', (_, __, [id]) => ({ id })],
  ['token.create', 'tokens.createOf', () => ({ user_id: CARL, name: 'given' })],
  ['token.update', 'tokens.updateOf', () => ({ user_id: ROOT, id: TOKEN, name: 'two' })],
  ['token.disable', 'tokens.manage', () => ({ id: TOKEN, action: 'disable' })],
  ['token.enable', 'tokens.manage', () => ({ id: TOKEN, action: 'enable' })],
  ['token.delete', 'tokens.manage', () => ({ id: TOKEN, action: 'delete' })],
  ['user.create', 'users.create', () => ({ username: 'dora', password: 'long enough' })],
  ['redemption.create', 'redemptions.create', () => ({ name: 'spring', quota: 5, count: 2 })],
  ['redemption.update', 'redemptions.update', (_, __, ___, [id]) => ({ id, name: 'summer' })],
  ['redemption.update', 'redemptions.update', (_, __, ___, [id]) => ({ id, status: 2, status_only: 'true' })],
  ['redemption.delete', 'redemptions.delete', (_, __, ___, [id]) => ({ id })],
  ['topup.note', 'topups.note', () => ({ trade_no: 'ORDER1', note: 'asked' })],
  ['topup.complete', 'topups.complete', () => ({ trade_no: 'ORDER1', reason: 'paid' })],
  ['topup.cancel', 'topups.cancel', () => ({ trade_no: 'ORDER2', reason: 'paid back' })],
  ['alert.create', 'alerts.create', () => ({ name: 'disk', kind: 'disk', threshold: 10 })],
  ['alert.update', 'alerts.update', (_ann, _channels, _teams, _codes, alerts) => ({ id: alerts[0], threshold: 20 })],
  ['alert.delete', 'alerts.delete', (_ann, _channels, _teams, _codes, alerts) => ({ id: alerts[0] })],
  ['price.change', 'prices.set', () => ({ model: 'm', price: { model_ratio: 1 } })],
  ['price.change', 'prices.undo', () => ({ change: 1 })],
  ['price.change', 'prices.apply', () => ({ changes: [{ model: 'm', channel: '', price: { model_ratio: 2 } }] })],
  ['price.change', 'prices.remove', () => ({ model: 'm' })],
  ['setting.change', 'settings.update', () => ({ key: 'ModelRatio', value: '{"m": 3}' })],
  ['setting.change', 'settings.resetPrices', () => ({})],
  ['channel.create', 'channels.create', () => CHANNEL],
  ['channel.update', 'channels.disableTag', () => ({ tag: 't' })],
  ['channel.delete', 'channels.deleteDisabled', () => ({})],
  ['user.delete', 'users.deleteMany', () => ({ ids: [LEAVER] })],
  ['user.delete', 'users.delete', () => ({ id: CARL })],
  ['user.forget', 'privacy.forget', () => ({ user_id: CARL })],
  ['task.cancel', 'tasks.manage', () => ({ id: 1, action: 'cancel' })],
  ['task.refund', 'tasks.manage', () => ({ id: 2, action: 'refund' })],
  ['usage.rebuild', 'usage.rebuild', () => ({})],
  ['log.clean', 'logs.cleanUp', () => ({ target_timestamp: 5 })],
  ['backup.make', 'backups.make', () => ({})],
]

export interface ChangesWorld {
  weir: MemoryGateway
  raw: Database
  /** The terminal on the host. */
  root: Caller
  ann: number
  carl: Caller
  /** What a change is asked with now. */
  inputOf(input: Input): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export async function openChangesWorld(kind: DatabaseKind): Promise<ChangesWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-changes-'))
  const place = kind === 'postgres' ? { database: await migratedDatabase() } : { folder }
  const weir = await openMemoryGateway({ place })
  const raw = place.database ? await connectPostgres(place.database, silent) : await connectSqlite(folder, silent)
  const root: Caller = { ...(await weir.as('root')), via: 'local' }
  await weir.ask(root, 'users.create', { username: 'ann', password: 'long enough' })
  const ann = (await weir.storage.users.findByLogin('ann'))!.user.id
  await weir.ask(root, 'users.create', { username: 'carl', password: 'long enough' })
  const carl = signedIn((await weir.storage.users.findByLogin('carl'))!.user)
  await weir.ask(root, 'users.create', { username: 'leaver', password: 'long enough' })
  await weir.ask(root, 'tokens.create', { name: 'one', unlimited_quota: true })
  await weir.storage.secondFactors.begin(ann, 'secret')
  const of = { user_id: ann, account_id: ann, quota: 5 }
  const open = { finish_time: 0, status: 'IN_PROGRESS' }
  for (const more of [open, { task_id: 'over' }]) await weir.storage.tasks.add(newTask({ ...more, ...of }))
  const times = { created_time: 1, used_time: 1, proven_time: 1, expires_time: 4_000_000_000 }
  const order = { user_id: ann, amount: 1, money: 730, currency: 'cny', quota: 5, provider: 'epay', method: 'alipay' }
  for (const trade_no of ['ORDER1', 'ORDER2']) await weir.storage.topups.insert({ ...order, trade_no, create_time: 1 })
  await weir.storage.sessions.insert({ id_hash: 'h', user_id: ann, ip: '', user_agent: '', ...times })
  return {
    ...{ weir, raw, root, ann, carl },
    async inputOf(input) {
      const ids = (table: string, column = 'id'): Promise<number[]> => raw.read(table).orderBy(column).pluck(column)
      const [channels, teams, codes, alerts, invitations, views] = [
        await ids('channels'),
        await ids('teams', 'account_id'),
        await ids('redemptions'),
        await ids('alert_rules'),
        await ids('team_invitations'),
        await ids('team_views'),
      ]
      return input(ann, channels, teams, codes, alerts, invitations, views)
    },
    async close() {
      await raw.close()
      await weir.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
