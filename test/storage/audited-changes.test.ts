// A change and its row of the audit are one: where the row cannot be written, nothing of the change is there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import type { Caller } from '../../core/auth/caller.ts'
import type { FakeClock } from '../support/clock.ts'
import { listFailures } from '../support/list-failures.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { changes, edit, openChangesWorld, type Change, type ChangesWorld } from './changes-world.ts'

/** What a change may touch; counters and times of use move by themselves. */
const TABLES = [
  'users',
  'sessions',
  'second_factors',
  'channels',
  'login_providers',
  'options',
  'tokens',
  'teams',
  'team_members',
  'team_invitations',
  'team_views',
  'ledger_entries',
  'logs',
  'redemptions',
  'topups',
  'alert_rules',
  'tasks',
]

/** What these change is in other tables, or takes its time. */
const ELSEWHERE = ['backup.make', 'log.clean', 'usage.rebuild', 'user.remove_proofs']

/** Of administrators, and not in the audit: nothing that people set is another afterwards. */
const UNRECORDED: Record<string, string> = {
  'alerts.test': 'keeps nothing',
  'alerts.preview': 'keeps nothing',
  'channels.test': 'the outcome of a test is kept with who asked for it',
  'channels.testAll': 'the same, of all channels',
  'channels.try': 'keeps nothing',
  'channels.fetchModelsNew': 'keeps nothing',
  'channels.consequences': 'keeps nothing',
  'channels.updateBalance': 'a measurement: what the provider says is left',
  'channels.updateBalances': 'the same, of all channels; those that go off by it say why',
  'quota.retry': 'recorded with each charge that is booked: test/http/storage-away.test.ts',
  'prices.preview': 'keeps nothing',
  'state.plan': 'takes everything back',
  'state.export': 'changes nothing; where secrets leave sealed, that is recorded',
  'imports.history': 'what was before, behind imports.bring, which is recorded',
  'settings.testMail': 'keeps nothing',
  'settings.readWellKnown': 'keeps nothing',
  // It needs a place for rows outside of a database in memory: test/storage/log-moves.long.test.ts has one.
  'logs.move': 'recorded with where to',
  'topups.verifyNotice': 'keeps nothing: what a notice says of itself',
  // It needs a channel that a release before this one left untidy: test/attacks/channel-keys.test.ts has one.
  'channels.repair': 'recorded, channel by channel',
}

it('whatever administrators change is recorded, or says why not', () => {
  const changing = [...endpointsByName].filter(
    ([, { access, method, changes }]) => ['admin', 'root'].includes(access) && (method !== 'GET' || changes),
  )
  const recorded = new Set(changes.map(([, operation]) => operation))
  expect(
    changing
      .map(([name]) => name)
      .filter((name) => !recorded.has(name))
      .sort(),
  ).toEqual(Object.keys(UNRECORDED).sort())
})

/** A database without a table is one that is away, for a moment longer. */
async function onceBack(clock: FakeClock, ask: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const code = await ask().then(
      () => '',
      (error: unknown) => {
        if ((error as { code?: string }).code !== 'storage.away') throw error
        return 'storage.away'
      },
    )
    if (code === '') return
    clock.advance(50)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

describe.each(listDatabaseKinds())('a change that is recorded, on %s', (kind) => {
  let world: ChangesWorld
  beforeAll(async () => {
    world = await openChangesWorld(kind)
    ;({ weir, raw, root } = world)
  })
  afterAll(() => world.close())
  let weir: ChangesWorld['weir']
  let raw: ChangesWorld['raw']
  let root: Caller

  const everything = () => Promise.all(TABLES.map(async (table) => [table, await raw.read(table).select()]))
  const recorded = async () => (await raw.read<{ action: string }>('audit').orderBy('id', 'desc').first())?.action

  it('is made with its row, or not at all, whichever it is', { timeout: 300_000 }, async () => {
    const nameChange = ([action, operation]: Change) => `${action} by ${operation}`
    expect(await listFailures(changes, nameChange, checkChange)).toEqual([])
  })

  async function checkChange([action, operation, input, by]: Change): Promise<void> {
    const before = await everything()
    const given = await world.inputOf(input)
    const caller = by === 'carl' ? world.carl : root
    await raw.write.schema.renameTable('audit', 'audit_gone')
    await expect(weir.ask(caller, operation, given)).rejects.toThrow()
    await raw.write.schema.renameTable('audit_gone', 'audit')
    expect(await everything()).toEqual(before)
    await onceBack(weir.clock, () => weir.ask(caller, operation, given))
    expect(await recorded()).toBe(action)
    if (!ELSEWHERE.includes(action)) expect(await everything()).not.toEqual(before)
    expect(await weir.ask(root, 'quota.verify')).toMatchObject({ ok: true })
  }

  it('a balance is not moved where a name is refused, and no name is changed where a balance is', async () => {
    await weir.ask(root, 'users.create', { username: 'bob', password: 'long enough' })
    const { id } = (await weir.storage.users.findByLogin('bob'))!.user
    const bob = async () => {
      const { username, quota } = (await weir.storage.users.find(id))!
      return { username, quota }
    }
    const form = { ...edit(id, { username: 'the-root', quota: 50, quota_before: 0 }), display_name: 'Bob' }
    expect(await weir.refusal(root, 'users.update', form)).toBe('user.name_taken')
    expect(await bob()).toEqual({ username: 'bob', quota: 0 })
    // Others who share the transaction are not held up by it.
    const names = Array.from({ length: 5 }, (_, at) => ({ ...form, username: at === 2 ? 'the-root' : `bob${at}` }))
    const outcomes = await Promise.allSettled(names.map((each) => weir.ask(root, 'users.update', each)))
    expect(outcomes.map(({ status }) => status)).toEqual(names.map((_, at) => (at === 2 ? 'rejected' : 'fulfilled')))
    expect((await bob()).quota).toBe(200)
    expect(await weir.ask(root, 'quota.verify')).toMatchObject({ ok: true })
  })
})
