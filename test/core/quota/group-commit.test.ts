// When a commit waits for others to share it, and when it does not.
import { describe, expect, test } from 'vitest'
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

  test('does not where few come', async () => {
    expect(await batchesOf(3)).toEqual({ batches: [1, 3, 3], lingered: 0 })
  })
})
