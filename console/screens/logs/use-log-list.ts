// The rows of the log that the address selects, and their sums.
import { apiClient } from '../../data/client.ts'
import { useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { type ListPaging, toPageRows, useCursorPaging } from '../../data/use-paging.ts'
import { getRange, type SpanState } from '../../parts/filters/time-span.tsx'
import { parseOperation } from './operation.tsx'

const own = { token_name: '', model_name: '', group: '', request_id: '', min_ms: '', min_quota: '' }
/** Filters for the rows of all users. */
export const logFilters = { ...own, channel: '', username: '' }
export type LogFilter = keyof typeof logFilters | 'type' | 'operation'
export type LogSearch = Record<LogFilter, string>

/** The filters and the order of the rows, as the address holds them. */
export interface LogQuery extends SpanState {
  search: LogSearch
  sort: string
}

/** Converts the filters to a request: numbers are sent as numbers, and empty values do not filter. */
export const toLogInput = (search: LogSearch) => ({
  ...search,
  type: Number(search.type),
  operation: parseOperation(search.operation),
  channel: Number(search.channel) || 0,
  min_ms: Number(search.min_ms) || 0,
  min_quota: Number(search.min_quota) || 0,
})

/** Adds the times. A span ends at the time of the request, so that a reload has the newest rows. */
export const toTimedInput = (listQuery: LogQuery) => {
  const { start, end } = getRange(listQuery)
  return { ...toLogInput(listQuery.search), start_timestamp: start, end_timestamp: end }
}

export function useLogList(listQuery: LogQuery, paging: ListPaging, isAdmin: boolean) {
  const { page, size } = paging
  const mark = JSON.stringify([listQuery, size, isAdmin])
  const walk = useCursorPaging<ReturnType<typeof toTimedInput>>(mark)
  const list = useEndpointWithError(['logs.list', page, size, listQuery, isAdmin], async () => {
    const place = { p: page, page_size: size, ...(listQuery.sort ? { sort: listQuery.sort } : {}) }
    const { cursor, ...input } = walk.inputOf(page, toTimedInput(listQuery))
    const query = { ...input, ...place, ...(cursor ? { cursor } : {}) }
    const answer = await (isAdmin ? apiClient.logs.list(query) : apiClient.logs.listSelf(query))
    walk.read(page, input as ReturnType<typeof toTimedInput>, answer.next_cursor)
    return { ...toPageRows(answer, paging), more: answer.next_cursor !== '' }
  })
  const sums = useEndpoint(['logs.stat', listQuery, isAdmin], () =>
    isAdmin ? apiClient.logs.stat(toTimedInput(listQuery)) : apiClient.logs.statSelf(toTimedInput(listQuery)),
  )
  return { list, sums: sums.data }
}
