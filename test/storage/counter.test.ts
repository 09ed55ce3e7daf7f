import { expect, test } from 'vitest'
import { describeWithStorage } from '../support/databases.ts'

describeWithStorage('the counter', (open, kind) => {
  test('counts each key and window for itself', async () => {
    const { counter } = await open()
    expect((await counter.add('a', 60)).count).toBe(1)
    const second = await counter.add('a', 60)
    expect(second.count).toBe(2)
    expect(second.left_ms).toBeGreaterThan(50_000)
    expect((await counter.add('b', 60)).count).toBe(1)
    expect((await counter.add('a', 30)).count).toBe(1)
    expect((await counter.add('a', 60)).count).toBe(3)
    await counter.giveBack('a', 60)
    expect((await counter.add('a', 60)).count).toBe(3)
    await counter.forget('a', 60)
    expect((await counter.add('a', 60)).count).toBe(1)
  })

  test('loses none of many at once', async () => {
    const { counter } = await open()
    const counts = await Promise.all(Array.from({ length: 40 }, () => counter.add('many', 60)))
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  })

  if (kind === 'sqlite') return

  test('is one for all processes on a database', async () => {
    const [here, there] = [await open(), await open()]
    await here.counter.add('shared', 60)
    expect((await there.counter.add('shared', 60)).count).toBe(2)
    await there.counter.giveBack('shared', 60)
    expect((await here.counter.add('shared', 60)).count).toBe(2)
  })
})
