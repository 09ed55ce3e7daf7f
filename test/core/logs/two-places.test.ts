// Pages far behind the first of a log that stands in two places: never are all rows before them read into memory.
import { expect, it } from 'vitest'
import type { ListSlice } from '../../../core/contract/page.ts'
import type { LogHomeQueries, LogHome } from '../../../core/logs/home.ts'
import { MAX_SORTED_ROWS, MAX_COUNTED_TOTAL } from '../../../core/logs/log.ts'
import { createLogsInTwoPlaces } from '../../../core/logs/two-places.ts'
import type { Storage } from '../../../core/ports/storage.ts'

/** A log of so many rows in each place, and the most that was asked of either at once. */
function logOf(total: number) {
  const seen = { most: 0 }
  const list = async (_: unknown, { limit }: ListSlice) => {
    seen.most = Math.max(seen.most, limit)
    return { items: [], total: Math.min(total, MAX_COUNTED_TOTAL) }
  }
  const databaseLogs = { rowFilter: async () => ({}), behind: () => ({ list }), named: async () => [] }
  const storage = { databaseLogs, logPlaces: { of: async () => ({ place: 9, pending: 9 }) } }
  const home = { name: 'a', upTo: () => ({ list }) as unknown as LogHomeQueries }
  return { seen, logs: createLogsInTwoPlaces(storage as unknown as Storage, home as unknown as LogHome) }
}

it.each([MAX_SORTED_ROWS, 10_000_000, 2 ** 63, 1e300])('a page behind %s rows', async (offset) => {
  const long = logOf(MAX_COUNTED_TOTAL)
  await expect(long.logs.list({}, { offset, limit: 10 })).rejects.toMatchObject({ code: 'list.too_far' })
  expect(long.seen.most).toBeLessThanOrEqual(MAX_SORTED_ROWS)
  const short = logOf(40)
  expect(await short.logs.list({}, { offset, limit: 10 })).toEqual({ items: [], total: 80 })
  expect(short.seen.most).toBeLessThanOrEqual(MAX_SORTED_ROWS)
})
