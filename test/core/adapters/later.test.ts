import { expect, test } from 'vitest'
import { createEventLoopYield } from '../../../core/adapters/platform.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who can wait goes in order, a few in each turn of the event loop', async () => {
  const later = createEventLoopYield()
  const gone: number[] = []
  const all = Array.from({ length: 40 }, (_, number) => later().then(() => gone.push(number)))
  await Promise.resolve()
  expect(gone).toEqual([])
  const seen: number[] = []
  while (gone.length < 40) {
    await turn()
    seen.push(gone.length)
  }
  await Promise.all(all)
  expect(gone).toEqual(Array.from({ length: 40 }, (_, number) => number))
  expect(seen.length).toBeGreaterThan(2)
})

test('who comes while others wait is not forgotten', async () => {
  const later = createEventLoopYield()
  const gone: string[] = []
  const first = later().then(() => gone.push('first'))
  await turn()
  const second = later().then(() => gone.push('second'))
  await Promise.all([first, second])
  expect(gone).toEqual(['first', 'second'])
})

test('where each needs much time, one goes at once, and other work has turns in between', async () => {
  const takeTurn = createEventLoopYield({ atOnce: 1, turnsApart: 3 })
  const began: number[] = []
  let turns = 0
  const all = Array.from({ length: 4 }, () => takeTurn().then(() => began.push(turns)))
  for (; began.length < 4; turns++) await turn()
  await Promise.all(all)
  expect(began.slice(1).map((at, index) => at - began[index]!)).toEqual([3, 3, 3])
})
