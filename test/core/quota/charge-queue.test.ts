// When a commit waits for others to share it, and when it does not.
import { describe, expect, test, vi } from 'vitest'
import type { Journal } from '../../../core/journal/journal.ts'
import { createChargeQueue } from '../../../core/quota/charge-queue.ts'
import type { DatabaseSink } from '../../../core/quota/charge-sink.ts'
import { createJournalSink, type JournalSink } from '../../../core/quota/journal-sink.ts'
import type { LedgerOperation } from '../../../core/quota/operation.ts'
import { createFakeClock } from '../../support/clock.ts'

const operation: LedgerOperation = { kind: 'recount', token_id: 1, keys: [] }
const logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A queue before a database that is a function here. */
function openQueue(
  database: Omit<DatabaseSink, 'grantsFromMemory' | 'databaseTime'>,
  clock = createFakeClock(),
  journal?: Journal,
) {
  const isFirst = journal !== undefined
  return createChargeQueue({
    clock,
    logger,
    database: { grantsFromMemory: isFirst, databaseTime: clock.now, ...database },
    journal: createJournalSink({ journal, isFirst, getPlace: async () => 0, logger, now: clock.now }),
  })
}

/** Submits so many at once, and as many again while they are being written. */
async function batchesOf(count: number) {
  const batches: number[] = []
  let lingered = 0
  const later: Promise<unknown>[] = []
  const { enqueue, drain } = openQueue({
    linger: async () => void lingered++,
    async write(batch) {
      batches.push(batch.length)
      if (batches.length === 2) for (let each = 0; each < count; each++) later.push(enqueue(operation))
      return batch.map(() => 'done' as const)
    },
  })
  await Promise.all(Array.from({ length: count + 1 }, () => enqueue(operation)))
  await Promise.all(later)
  await drain()
  return { batches, lingered }
}

/** Time that is not the clock's, for what would happen at once. */
const waits = () => new Promise((resolve) => setTimeout(resolve, 20))

/** One with a journal before it, whose commits are counted. */
function journaled(look: (operations: readonly LedgerOperation[]) => void = () => undefined) {
  const batches: number[] = []
  const clock = createFakeClock()
  let last = 0
  const journal: Journal = {
    name: 'own',
    async append(owed) {
      const begin = last + 1
      last += owed.length
      return begin
    },
    async *readAll() {},
    markBooked: () => undefined,
    clear: async () => undefined,
    async *adoptLeft() {},
    close: async () => undefined,
  }
  const { enqueue, flush, drain } = openQueue(
    {
      async write(batch) {
        batches.push(batch.length)
        look(batch.map(({ operation: each }) => each))
        return batch.map(() => 'done' as const)
      },
    },
    clock,
    journal,
  )
  /** Resolves when all of them are in the journal. */
  const settle = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const hold = { id: `${last + index}`, account_id: 1, by_user_id: null, token_id: null, amount: 0 }
        return enqueue({ kind: 'settle', hold, settlement: { quota: 1, channel_id: 0, billable: true } })
      }),
    )
  return { batches, clock, settle, flush, drain }
}

describe('a group commit', () => {
  test('lingers behind a busy one', async () => {
    expect(await batchesOf(8)).toEqual({ batches: [1, 8, 8], lingered: 1 })
  })

  test('books one by one without a pause where a commit of several failed', async () => {
    const { batches, clock, settle, drain } = journaled((operations) => {
      if (operations.length > 1) throw new RangeError('one of them is bad')
    })
    await settle(3)
    clock.advance(250)
    await vi.waitFor(() => expect(batches).toEqual([3, 1, 1, 1]))
    await drain()
  })

  test('of what the journal keeps waits for more, unless there is enough or somebody waits; then the next ones wait again', async () => {
    const { batches, clock, settle, flush, drain } = journaled()
    await settle(300)
    await vi.waitFor(() => expect(batches).toEqual([256]))
    await settle(10)
    await waits()
    expect(batches).toEqual([256])
    clock.advance(250)
    await vi.waitFor(() => expect(batches).toEqual([256, 54]))
    await settle(5)
    await flush()
    expect(batches).toEqual([256, 54, 5])
    await settle(7)
    await waits()
    expect(batches).toEqual([256, 54, 5])
    await settle(121)
    await vi.waitFor(() => expect(batches).toEqual([256, 54, 5, 128]))
    await settle(7)
    await drain()
    expect(batches).toEqual([256, 54, 5, 128, 7])
  })

  test('of what is read back from the journal comes after an operation that somebody waits for', async () => {
    const charge = (id: string): LedgerOperation => ({
      ...{ kind: 'settle', settlement: { quota: 1, channel_id: 0, billable: true } },
      hold: { id, account_id: 1, by_user_id: null, token_id: null, amount: 0 },
    })
    const clock = createFakeClock()
    let spilled = 300
    let waited: Promise<unknown> | undefined
    const sink: JournalSink = {
      ...createJournalSink({ isFirst: false, getPlace: async () => 0, logger, now: clock.now }),
      countSpilled: () => spilled,
      async readBack() {
        waited = enqueue(operation)
        const ignored = { since: clock.now(), resolve: () => undefined, reject: () => undefined }
        return Array.from({ length: spilled }, () => ({ operation: charge(`${spilled--}`), ...ignored }))
      },
    }
    const kinds: string[][] = []
    const { enqueue, drain } = createChargeQueue({
      ...{ clock, logger, journal: sink },
      database: {
        ...{ grantsFromMemory: false, databaseTime: clock.now },
        async write(batch) {
          kinds.push(batch.map(({ operation: { kind } }) => kind))
          return batch.map(() => 'done' as const)
        },
      },
    })
    await enqueue(operation)
    await vi.waitFor(() => expect(kinds.flat()).toHaveLength(302))
    await waited
    expect(kinds.map((each) => each.indexOf('recount'))).toEqual([0, 0, -1])
    await drain()
  })

  test('does not where few come', async () => {
    expect(await batchesOf(3)).toEqual({ batches: [1, 3, 3], lingered: 0 })
  })
})
