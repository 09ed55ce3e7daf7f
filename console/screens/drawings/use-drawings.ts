// The drawings that the address selects, polled while one of them is in progress.
import type { DrawingTask } from '../../../core/tasks/drawing.ts'
import { apiClient } from '../../data/client.ts'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import { toPageRows, type ListPaging, type PageOfRows } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { usePoll } from '../../data/follow.ts'
import { getRange, type SpanState } from '../../parts/filters/time-span.tsx'
import { isUnderWay, POLL_INTERVAL_MS } from '../tasks/under-way.ts'

export const drawingFilters = { mj_id: '', action: '', status: '', model: '', channel_id: '', user_id: '' }
export type DrawingFilter = keyof typeof drawingFilters

/** Only administrators see channels. */
export type DrawingRow = Omit<DrawingTask, 'channel_id'> & Partial<Pick<DrawingTask, 'channel_id'>>

interface DrawingQuery extends SpanState {
  search: Record<DrawingFilter, string>
}

export function useDrawings(
  listQuery: DrawingQuery,
  paging: ListPaging,
  isAdmin: boolean,
): LoadedEndpoint<PageOfRows<DrawingRow>> {
  const list = usePagedEndpoint(['tasks.drawings', listQuery, isAdmin], paging, async (listPlace) => {
    const { start, end } = getRange(listQuery)
    const { channel_id, user_id, ...search } = listQuery.search
    const query = {
      p: listPlace.page - 1,
      page_size: listPlace.size,
      ...search,
      start_timestamp: start * 1000,
      end_timestamp: end * 1000,
    }
    const { data, total } = isAdmin
      ? await apiClient.tasks.drawings({ ...query, channel_id: Number(channel_id) || 0, user_id: Number(user_id) || 0 })
      : await apiClient.tasks.drawingsSelf(query)
    return toPageRows<DrawingRow>({ items: data, total }, listPlace)
  })
  const rows = list.data?.rows ?? []
  usePoll(
    rows.some((row) => isUnderWay(row, row.submit_time / 1000)),
    POLL_INTERVAL_MS,
    list.reload,
  )
  return list
}
