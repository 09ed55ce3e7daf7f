// What a process that shares its database asks of it: what a crash of the database may lose, when other processes give
// back what they have leased, and what is written of a quota lease.
import { describe, expect, it, test } from 'vitest'
import { type ErrorCode, GatewayError } from '../../../core/errors.ts'
import { createCalendar } from '../../../core/quota/calendar.ts'
import { planCommit } from '../../../core/quota/commit-plan.ts'
import type { Hold, Payer } from '../../../core/quota/hold.ts'
import { type LedgerOperation, NOT_JOURNALED } from '../../../core/quota/operation.ts'
import { createPostgresSink } from '../../../core/quota/postgres-sink.ts'
import { createQuotaLeases, LEASE_PREFIX } from '../../../core/quota/quota-leases.ts'
import type { LedgerStore } from '../../../core/quota/store.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { createFakeRandom } from '../../support/random.ts'
import { ledgerWrite } from '../../storage/samples.ts'
import { costs } from './world.ts'

const payer: Payer = { account_id: 1, by_user_id: null, token: null }
const newHold = (id: string, more: Partial<Hold> = {}): Hold => ({
  ...{ id, account_id: 1, by_user_id: null, token_id: null, amount: 10 },
  ...more,
})

/** What is due runs. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A sink before a store that only notes what it is asked. */
async function openSink(refusal: Error = new GatewayError('quota.insufficient')) {
  const clock = createFakeClock()
  const asked: { passing: boolean | undefined; counted: number } = { passing: undefined, counted: 0 }
  const store = {
    exclusive: false,
    renewLease: async () => clock.now(),
    async countLeases() {
      asked.counted += 1
      return 0
    },
    async transact(_work: unknown, options?: { passing?: boolean }) {
      asked.passing = options?.passing === true
      // The answer of a commit, and that of a read.
      return { write: ledgerWrite(), verdicts: [], accounts: [{ id: 1, quota: 5, held: 0 }], tokens: [] }
    },
  }
  const random = createFakeRandom()
  const sink = createPostgresSink({
    store: store as unknown as LedgerStore<never>,
    ...{ clock, random, logger: silent, calendar: createCalendar(), digest: () => '' },
    debts: { written: () => undefined },
    createId: () => random.text(8),
  })
  const holds = await sink.openHolds({ enqueue: () => Promise.reject(refusal), flush: () => undefined })
  return { sink, holds, clock, asked }
}

describe('a crash of the database', () => {
  const hold = newHold('h')
  const operations: Record<LedgerOperation['kind'], LedgerOperation> = {
    hold: { kind: 'hold', hold, payer, free: false },
    lease: { kind: 'lease', hold, payer, requested: 10, least: 1 },
    trim: { kind: 'trim', hold, keep: 0 },
    settle: { kind: 'settle', hold, settlement: costs(5) },
    release: { kind: 'release', hold },
    credit: {
      ...{ kind: 'credit', account_id: 1, entry: 'gift', amount: 1 },
      ...{ reference: null, by_user_id: null, detail: null, logs: [] },
    },
    budget: { kind: 'budget', budget: { id: 1 } },
    recount: { kind: 'recount', token_id: 1, keys: [] },
  }
  const batchOf = (...some: LedgerOperation[]) =>
    some.map((operation) => ({ operation, since: 0, resolve: () => undefined, reject: () => undefined }))

  it.each(Object.values(operations))(
    'may lose what was written last only if it is a hold: $kind',
    async (operation) => {
      const { sink, asked } = await openSink()
      await sink.write(batchOf(operation), NOT_JOURNALED)
      expect(asked.passing).toBe(operation.kind === 'hold')
      await sink.write(batchOf(operations.hold, operation), NOT_JOURNALED)
      expect(asked.passing).toBe(operation.kind === 'hold')
    },
  )

  test('takes nothing from a look at a balance, so that the look waits for no disk', async () => {
    const { holds, asked } = await openSink()
    await holds.refuseEmpty(payer)
    expect(asked.passing).toBe(true)
  })
})

describe('leases of other processes', () => {
  const REFUSALS: [ErrorCode, number][] = [
    ['quota.insufficient', 1],
    ['quota.token_insufficient', 1],
    ['key.exhausted', 0],
    ['key.unknown', 0],
    ['limit.concurrent', 0],
    ['budget.day', 0],
    ['storage.away', 0],
  ]
  it.each(REFUSALS)('are looked for where they may have what is missing: %s, %i times', async (code, times) => {
    const { holds, asked } = await openSink(new GatewayError(code))
    await expect(holds.grant({ kind: 'hold', hold: newHold('h'), payer, free: false })).rejects.toMatchObject({ code })
    expect(asked.counted).toBe(times)
  })

  test('are looked for once in a second, however many are short', async () => {
    const { holds, asked, clock } = await openSink()
    const short = () => holds.grant({ kind: 'hold', hold: newHold('h'), payer, free: false })?.catch(() => undefined)
    await Promise.all([short(), short()])
    clock.advance(999)
    await short()
    expect(asked.counted).toBe(1)
    clock.advance(1)
    await short()
    expect(asked.counted).toBe(2)
  })
})

describe('a quota lease', () => {
  test('stays as long as it covers the next call, and what is left goes back when it does not', async () => {
    const clock = createFakeClock()
    const returned: string[] = []
    let granted = 0
    const leases = createQuotaLeases({
      queue: {
        async enqueue(operation) {
          if (operation.kind === 'trim') returned.push(operation.hold.id)
          if (operation.kind !== 'lease') return 'done'
          if (granted > 0) throw new GatewayError('quota.insufficient')
          granted = operation.hold.amount = operation.requested
          return 'done'
        },
        flush: () => undefined,
      },
      ...{ id: () => '1', isAlive: () => true, clock },
    })
    let calls = 0
    /** A call that holds 10. Returns true if a lease admits it. */
    const call = async (quota = 10): Promise<boolean> => {
      const hold = newHold(`call ${(calls += 1)}`)
      const isAdmitted = leases.grant(hold, payer)
      leases.endHold(hold, quota)
      await turn()
      return isAdmitted
    }
    while (granted === 0) expect(await call()).toBe(false)
    for (let left = granted; left > 10; left -= 10) expect(await call()).toBe(true)
    clock.advance(1_000)
    await turn()
    expect(returned).toEqual([])
    expect(await call(4)).toBe(true)
    clock.advance(1_000)
    await turn()
    expect(returned).toEqual([LEASE_PREFIX + 1])
  })

  test('that is returned in the commit that charges it has a row to delete, and none to reduce', () => {
    const lease = newHold('lease-1', { amount: 100 })
    const call = newHold('call', { lease: lease.id })
    const account = { id: 1, quota: 1000, held: 100, aff_quota: 0, entries_hash: '' }
    const plan = (...operations: LedgerOperation[]) =>
      planCommit(
        operations,
        {
          accounts: new Map([[1, { ...account }]]),
          ...{ tokens: new Map(), open: new Map([[lease.id, 100]]), charged: new Set(), references: new Set() },
        },
        ...([0, { process_id: 'p' }, () => ''] as const),
      ).write
    const charge: LedgerOperation = { kind: 'settle', hold: call, settlement: costs(10) }
    expect(plan(charge, { kind: 'trim', hold: lease, keep: 20 })).toMatchObject({
      ...{ freed: [], shrunk: [{ id: lease.id, less: 80 }], accounts: [{ quota: -10, held: -80 }] },
    })
    expect(plan(charge, { kind: 'trim', hold: lease, keep: 0 })).toMatchObject({
      ...{ freed: [{ id: lease.id }], shrunk: [], accounts: [{ quota: -10, held: -100 }] },
    })
  })
})
