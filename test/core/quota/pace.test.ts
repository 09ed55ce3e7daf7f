// When charges that nobody waits for are booked: the more of them come, the more go together.
import { describe, expect, it } from 'vitest'
import { createBatchTimer } from '../../../core/quota/charge-queue.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'

/** Time goes on, and what waited for it. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
}

/** A charge each `every_ms`, each booking over at once: how many went together, and how long the first of them waited. */
async function played(every_ms: number, charges: number) {
  const clock = createFakeClock()
  const pace = createBatchTimer(clock)
  const books: { count: number; waited_ms: number }[] = []
  let queued = 0
  let since = 0
  let gathering = false
  const book = async () => {
    gathering = true
    await pace.waitForBatch(queued)
    gathering = false
    books.push({ count: queued, waited_ms: clock.now() - since })
    queued = 0
    pace.onTaken()
  }
  for (let charge = 0; charge < charges; charge++) {
    if (queued === 0) since = clock.now()
    queued++
    if (gathering) pace.onQueued(queued)
    else void book()
    await pass(clock, every_ms)
  }
  return books.slice(1)
}

describe('charges that nobody waits for', () => {
  it.each([
    { every_ms: 100, most: 4, longest_ms: 350 },
    { every_ms: 10, most: 26, longest_ms: 260 },
    { every_ms: 1, most: 32, longest_ms: 40 },
    { every_ms: 0.2, most: 128, longest_ms: 30 },
    { every_ms: 0.05, most: 128, longest_ms: 10 },
  ])('one each $every_ms ms: at most $most together, none waits longer than $longest_ms ms', async (given) => {
    const books = await played(given.every_ms, 1_000)
    expect(books.length).toBeGreaterThan(3)
    expect(Math.max(...books.map(({ count }) => count))).toBeLessThanOrEqual(given.most)
    expect(Math.max(...books.map(({ count }) => count))).toBeGreaterThan(given.most / 2)
    expect(Math.max(...books.map(({ waited_ms }) => waited_ms))).toBeLessThanOrEqual(given.longest_ms)
  })

  it('are booked at once as soon as somebody waits, and those that wait by then', async () => {
    const clock = createFakeClock()
    const pace = createBatchTimer(clock)
    let over = 0
    void pace.waitForBatch(1).then(() => over++)
    await pass(clock, 1)
    expect(over).toBe(0)
    pace.urge()
    await pass(clock, 0)
    expect(over).toBe(1)
    await pace.waitForBatch(1)
    pace.onTaken()
    void pace.waitForBatch(1).then(() => over++)
    await pass(clock, 1)
    expect(over).toBe(1)
  })
})
