// The rows of the log as the address asks for them, and their sums.
import { client } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, type Paging } from '../../data/use-paging.ts'
import { useWalk } from '../../data/use-walk.ts'
import { rangeOf, type SpanState } from '../../parts/filters/time-span.tsx'
import { operationOf } from './operation.tsx'

const own = { token_name: '', model_name: '', group: '', request_id: '' }
/** What a row of everybody can be found by. */
export const filters = { ...own, channel: '', username: '' }
export type Filtered = keyof typeof filters | 'type' | 'operation'
export type Search = Record<Filtered, string>

/** Which rows, and in which order, as the address says it. */
export interface Asked extends SpanState {
  search: Search
  sort: string
}

/** Numbers travel as numbers; what is empty does not filter. */
export const inputOf = (search: Search) => ({
  ...search,
  type: Number(search.type),
  operation: operationOf(search.operation),
  channel: Number(search.channel) || 0,
})

/** With the times: a span ends when it is asked for, so that what is refreshed has the newest rows. */
export const timedInputOf = (asked: Asked) => {
  const { start, end } = rangeOf(asked)
  return { ...inputOf(asked.search), start_timestamp: start, end_timestamp: end }
}

export function useLogList(asked: Asked, paging: Paging, isAdmin: boolean) {
  const { page, size } = paging
  const mark = JSON.stringify([asked, size, isAdmin])
  const walk = useWalk<ReturnType<typeof timedInputOf>>(mark)
  const list = useEndpoint(['logs.list', page, size, asked, isAdmin], async () => {
    const place = { p: page, page_size: size, ...(asked.sort ? { sort: asked.sort } : {}) }
    const { cursor, ...input } = walk.inputOf(page, timedInputOf(asked))
    const query = { ...input, ...place, ...(cursor ? { cursor } : {}) }
    const answer = await (isAdmin ? client.logs.list(query) : client.logs.listSelf(query))
    walk.read(page, input as ReturnType<typeof timedInputOf>, answer.next_cursor)
    return { ...rowsOfPage(answer, paging), more: answer.next_cursor !== '' }
  })
  const sums = useEndpoint(['logs.stat', asked, isAdmin], () =>
    isAdmin ? client.logs.stat(timedInputOf(asked)) : client.logs.statSelf(timedInputOf(asked)),
  )
  return { list, sums: sums.data }
}
