// The files of a Parquet home: few of them, and none rewritten with every batch.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { EMPTY_LOG_ROW } from '../../core/calls/log-entry.ts'
import { openHome } from './log-homes.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** As if there were so many rows in each batch. */
const SPAN = 5000
const MONTH = 1_790_000_000
const row = (id: number) => ({
  ...EMPTY_LOG_ROW,
  ...{ id, created_at: MONTH, quota: id / SPAN },
})

it('merges what is small with what is small, and leaves alone what is large already', async () => {
  const { home, address, end } = await openHome('parquet')
  ends.push(end)
  const folder = /^parquet:([^?]*)/.exec(address)![1]!
  await home.prepare()
  const COUNT = 40
  for (let id = 1; id <= COUNT; id += 1) await home.append([row(id * SPAN)], { from: (id - 1) * SPAN, to: id * SPAN })
  const month = (await readdir(folder)).find((name) => /^\d/.test(name)) ?? ''
  const spans = (await readdir(join(folder, month)))
    .map((name) => name.replace('.parquet', '').split('-').map(Number))
    .sort(([a = 0], [b = 0]) => a - b)
  expect(spans.slice(0, 2)).toEqual([
    [0, 16 * SPAN],
    [16 * SPAN, 32 * SPAN],
  ])
  expect(spans).toHaveLength(2 + 8)
  expect(await home.count({ from: 0, to: COUNT * SPAN })).toBe(COUNT)
  expect((await home.upTo(COUNT * SPAN).days()).reduce((sum, { quota }) => sum + quota, 0)).toBe(
    (COUNT * (COUNT + 1)) / 2,
  )
})
