// The log with rows in two places: those up to an id in a separate home, later ones in the database. Each row is read
// from one place only, even if both have it for a while.
import type { ListOrder, RowPage, ListSlice } from '../contract/page.ts'
import type { StoredLogRow, LogEntry } from '../calls/log-entry.ts'
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { LogHomeQueries, LogHome, RowFilter } from './home.ts'
import { MAX_SORTED_ROWS, MAX_COUNTED_TOTAL, type LogFilter, type LogStatistics } from './log.ts'
import type { LogStore } from './store.ts'

type Ordered = Pick<LogEntry, 'created_at' | 'id'>
const newestFirst = (a: Ordered, b: Ordered) => b.created_at - a.created_at || b.id - a.id
const largestIdFirst = (a: Ordered, b: Ordered) => b.id - a.id
const smallestIdFirst = (a: Ordered, b: Ordered) => a.id - b.id

const NO_STATISTICS: LogStatistics = { calls: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, rpm: 0, tpm: 0 }
/** The results of a home without rows, which need not be queried. */
const NOTHING: LogHomeQueries = {
  list: async () => ({ items: [], total: 0 }),
  newest: async () => [],
  search: async () => [],
  oldest: async () => null,
  after: async () => [],
  newestIds: async () => [],
  extent: async () => ({ rows: 0, oldest: 0, newest: 0 }),
  ofRequests: async () => [],
  statistics: async () => NO_STATISTICS,
  days: async () => [],
}

const NEWEST: ListOrder = { column: 'created_at', descending: true }

/** @returns the log of both; rows begin in the database */
export function createLogsInTwoPlaces(
  storage: Pick<Storage, 'databaseLogs' | 'logPlaces'>,
  home: Pick<LogHome, 'name' | 'upTo' | 'deleteOutdated'>,
): LogStore {
  const { databaseLogs: database, logPlaces } = storage

  /** Read for each query, since another process may move rows. */
  async function places(): Promise<{ here: LogStore; there: LogHomeQueries }> {
    const { place } = await logPlaces.of(home.name)
    return { here: database.behind(place), there: place > 0 ? home.upTo(place) : NOTHING }
  }

  /** The first rows of both in their order. */
  const together = async (
    here: readonly LogEntry[],
    there: readonly StoredLogRow[],
    order: (a: LogEntry, b: LogEntry) => number,
    limit = Infinity,
  ): Promise<LogEntry[]> => [...here, ...(await database.named(there))].sort(order).slice(0, limit)

  async function list(filter: LogFilter, slice: ListSlice): Promise<RowPage<LogEntry>> {
    const rows = await database.rowFilter(filter)
    if (!rows) return { items: [], total: 0 }
    const { here, there } = await places()
    const { offset, limit, order = NEWEST } = slice
    // Both places are read up to the page, so the depth is limited as for other orders. Cursors have no such limit.
    if (offset + limit > MAX_SORTED_ROWS) {
      const first = await list(filter, { ...slice, offset: 0, limit: 1 })
      if (first.total === MAX_COUNTED_TOTAL) fail('list.too_far', { max: MAX_SORTED_ROWS })
      return { ...first, items: [] }
    }
    const own = await here.list(filter, { ...slice, offset: 0, limit: offset + limit })
    // If the number of database rows is exact, that many fewer are needed from the home, since all of them may come
    // first.
    const before = own.total < MAX_COUNTED_TOTAL ? Math.min(offset, own.total) : offset
    const others = await there.list(rows, { ...slice, offset: offset - before, limit: before + limit })
    if (order.column !== NEWEST.column && own.total + others.total > MAX_SORTED_ROWS)
      fail('list.too_many', { max: MAX_SORTED_ROWS, column: order.column })
    const items = await together(own.items, others.items, byOrder(order))
    return {
      items: items.slice(before, before + limit),
      total: Math.min(own.total + others.total, MAX_COUNTED_TOTAL),
      ...(slice.sums ? { sums: added(own.sums ?? {}, others.sums ?? {}) } : {}),
    }
  }

  /** A question with a filter to both. */
  async function both<Here, There>(
    filter: LogFilter,
    nothing: Here,
    ask: (here: LogStore) => Promise<Here>,
    askThere: (there: LogHomeQueries, rows: RowFilter) => Promise<There>,
    join: (here: Here, there: There) => Here | Promise<Here>,
  ): Promise<Here> {
    const rows = await database.rowFilter(filter)
    if (!rows) return nothing
    const { here, there } = await places()
    const [own, others] = await Promise.all([ask(here), askThere(there, rows)])
    return join(own, others)
  }

  return {
    insert: (entries) => database.insert(entries),
    list,
    newest: (filter, limit, row) =>
      both<LogEntry[], StoredLogRow[]>(
        filter,
        [],
        (here) => here.newest(filter, limit, row),
        (there, rows) => there.newest(rows, limit, row),
        (own, others) => together(own, others, newestFirst, limit),
      ),
    search: (keyword, limit) =>
      both<LogEntry[], StoredLogRow[]>(
        {},
        [],
        (here) => here.search(keyword, limit),
        (there) => there.search(keyword, limit),
        (own, others) => together(own, others, largestIdFirst, limit),
      ),
    async after(id, limit, only) {
      const { place } = await logPlaces.of(home.name)
      // Following new rows does not depend on the place of the old ones.
      if (id >= place) return database.behind(place).after(id, limit, only)
      return both<LogEntry[], StoredLogRow[]>(
        only?.filter ?? {},
        [],
        (here) => here.after(id, limit, only),
        (there, rows) => there.after(id, limit, only && { until: only.until, filter: rows }),
        (own, others) => together(own, others, smallestIdFirst, limit),
      )
    },
    async oldest() {
      const { here, there } = await places()
      const found = (await Promise.all([here.oldest(), there.oldest()])).filter((at) => at !== null)
      return found.length === 0 ? null : Math.min(...found)
    },
    async newestIds(limit) {
      const { here, there } = await places()
      const own = await here.newestIds(limit)
      // Smaller ids are all there.
      return own.length < limit ? [...own, ...(await there.newestIds(limit - own.length))] : own
    },
    async extent(outdated) {
      const { here, there } = await places()
      const [a, b] = await Promise.all([here.extent(outdated), there.extent(outdated)])
      if (a.rows === 0 || b.rows === 0) return a.rows === 0 ? b : a
      return {
        rows: a.rows + b.rows,
        oldest: Math.min(a.oldest, b.oldest),
        newest: Math.max(a.newest, b.newest),
      }
    },
    async deleteOutdated(outdated, limit) {
      const removed = await database.deleteOutdated(outdated, limit)
      return removed < limit ? removed + (await home.deleteOutdated(outdated)) : removed
    },
    async ofRequests(requestIds) {
      const { here, there } = await places()
      const [own, others] = await Promise.all([here.ofRequests(requestIds), there.ofRequests(requestIds)])
      return together(own, others, smallestIdFirst)
    },
    statistics: (filter, now) =>
      both<LogStatistics, LogStatistics>(
        filter,
        NO_STATISTICS,
        (here) => here.statistics(filter, now),
        (there, rows) => there.statistics(rows, now),
        (own, others) => added(own, others),
      ),
  }
}

/** Compares rows by a numeric column, equal ones by id in the same direction. */
function byOrder({ column, descending }: ListOrder): (a: LogEntry, b: LogEntry) => number {
  const way = descending ? -1 : 1
  const getSortValue = (row: LogEntry) => Number((row as Record<string, unknown>)[column])
  return (a, b) => way * (getSortValue(a) - getSortValue(b) || a.id - b.id)
}

const added = <Sums extends object>(a: Sums, b: Sums): Sums =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, Number(value) + Number((b as Record<string, unknown>)[name] ?? 0)]),
  ) as Sums
