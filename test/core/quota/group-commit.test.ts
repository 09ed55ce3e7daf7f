// When a commit waits for others to share it, and when it does not.
import { describe, expect, test, vi } from 'vitest'
import type { Journal } from '../../../core/journal/journal.ts'
import { createGroupCommit } from '../../../core/quota/group-commit.ts'
import type { LedgerOperation } from '../../../core/quota/operation.ts'
import { createFakeClock } from '../../support/clock.ts'

const operation: LedgerOperation = { kind: 'recount', token_id: 1, keys: [] }
const logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Submits so many at once, and as many again while they are being written. */
async function batchesOf(count: number) {
  const batches: number[] = []
  let lingered = 0
  const later: Promise<unknown>[] = []
  const { submit, close } = createGroupCommit({
    clock: createFakeClock(),
    logger,
    grants: false,
    first: false,
    placeOf: async () => 0,
    linger: async () => void lingered++,
    async transact(operations) {
      batches.push(operations.length)
      if (batches.length === 2) for (let each = 0; each < count; each++) later.push(submit(operation))
      return operations.map(() => 'done' as const)
    },
  })
  await Promise.all(Array.from({ length: count + 1 }, () => submit(operation)))
  await Promise.all(later)
  await close()
  return { batches, lingered }
}

describe('a group commit', () => {
  test('lingers behind a busy one', async () => {
    expect(await batchesOf(8)).toEqual({ batches: [1, 8, 8], lingered: 1 })
  })

  test('books one by one without a pause where a commit of several failed', async () => {
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
      async *kept() {},
      passed: () => undefined,
      clear: async () => undefined,
      async *left() {},
      close: async () => undefined,
    }
    const { submit, close } = createGroupCommit({
      ...{ clock, logger, grants: true, first: true, journal, placeOf: async () => 0 },
      async transact(operations) {
        batches.push(operations.length)
        if (operations.length > 1) throw new RangeError('one of them is bad')
        return ['done']
      },
    })
    const settles = ['a', 'b', 'c'].map((id): LedgerOperation => {
      const hold = { id, account_id: 1, by_user_id: null, token_id: null, amount: 0 }
      return { kind: 'settle', hold, settlement: { quota: 1, channel_id: 0, billable: true } }
    })
    await Promise.all(settles.map(submit))
    clock.advance(100)
    await vi.waitFor(() => expect(batches).toEqual([3, 1, 1, 1]))
    await close()
  })

  test('does not where few come', async () => {
    expect(await batchesOf(3)).toEqual({ batches: [1, 3, 3], lingered: 0 })
  })
})
