// The rows of the log that the address selects, and their sums.
import { client } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, type Paging } from '../../data/use-paging.ts'
import { useWalk } from '../../data/use-walk.ts'
import { rangeOf, type SpanState } from '../../parts/filters/time-span.tsx'
import { operationOf } from './operation.tsx'

const own = { token_name: '', model_name: '', group: '', request_id: '' }
/** Filters for the rows of all users. */
export const filters = { ...own, channel: '', username: '' }
export type Filtered = keyof typeof filters | 'type' | 'operation'
export type Search = Record<Filtered, string>

/** The filters and the order of the rows, as the address holds them. */
export interface Asked extends SpanState {
  search: Search
  sort: string
}

/** Converts the filters to a request: numbers are sent as numbers, and empty values do not filter. */
export const inputOf = (search: Search) => ({
  ...search,
  type: Number(search.type),
  operation: operationOf(search.operation),
  channel: Number(search.channel) || 0,
})

/** Adds the times. A span ends at the time of the request, so that a reload has the newest rows. */
export const timedInputOf = (listQuery: Asked) => {
  const { start, end } = rangeOf(listQuery)
  return { ...inputOf(listQuery.search), start_timestamp: start, end_timestamp: end }
}

export function useLogList(listQuery: Asked, paging: Paging, isAdmin: boolean) {
  const { page, size } = paging
  const mark = JSON.stringify([listQuery, size, isAdmin])
  const walk = useWalk<ReturnType<typeof timedInputOf>>(mark)
  const list = useEndpoint(['logs.list', page, size, listQuery, isAdmin], async () => {
    const place = { p: page, page_size: size, ...(listQuery.sort ? { sort: listQuery.sort } : {}) }
    const { cursor, ...input } = walk.inputOf(page, timedInputOf(listQuery))
    const query = { ...input, ...place, ...(cursor ? { cursor } : {}) }
    const answer = await (isAdmin ? client.logs.list(query) : client.logs.listSelf(query))
    walk.read(page, input as ReturnType<typeof timedInputOf>, answer.next_cursor)
    return { ...rowsOfPage(answer, paging), more: answer.next_cursor !== '' }
  })
  const sums = useEndpoint(['logs.stat', listQuery, isAdmin], () =>
    isAdmin ? client.logs.stat(timedInputOf(listQuery)) : client.logs.statSelf(timedInputOf(listQuery)),
  )
  return { list, sums: sums.data }
}
