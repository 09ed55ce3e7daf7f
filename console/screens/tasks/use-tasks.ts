// The tasks that the address selects, polled while one of them is in progress.
import type { ListedTask } from '../../../core/tasks/task.ts'
import { apiClient } from '../../data/client.ts'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import { toPageRows, type ListPaging, type PageOfRows } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { usePoll } from '../../data/follow.ts'
import { getRange, type SpanState } from '../../parts/filters/time-span.tsx'
import { isUnderWay, POLL_INTERVAL_MS } from './under-way.ts'

export const taskFilters = { task_id: '', platform: '', action: '', status: '', model: '', channel_id: '', user_id: '' }
export type TaskFilter = keyof typeof taskFilters

/** Only administrators see channels. */
export type TaskRow = Omit<ListedTask, 'channel_id'> & Partial<Pick<ListedTask, 'channel_id'>>

interface TaskQuery extends SpanState {
  search: Record<TaskFilter, string>
}

export function useTaskList(
  listQuery: TaskQuery,
  paging: ListPaging,
  isAdmin: boolean,
): LoadedEndpoint<PageOfRows<TaskRow>> {
  const list = usePagedEndpoint(['tasks.list', listQuery, isAdmin], paging, async (listPlace) => {
    const { start, end } = getRange(listQuery)
    const { channel_id, user_id, ...search } = listQuery.search
    // A span that ends now has no end, so that it includes tasks submitted later.
    const times = { start_timestamp: start, end_timestamp: listQuery.span === 'own' ? end : 0 }
    const query = { p: listPlace.page - 1, page_size: listPlace.size, ...search, ...times }
    const { data, total } = isAdmin
      ? await apiClient.tasks.list({ ...query, channel_id: Number(channel_id) || 0, user_id: Number(user_id) || 0 })
      : await apiClient.tasks.listSelf(query)
    return toPageRows<TaskRow>({ items: data, total }, listPlace)
  })
  const rows = list.data?.rows ?? []
  usePoll(
    rows.some((row) => isUnderWay(row, row.submit_time)),
    POLL_INTERVAL_MS,
    list.reload,
  )
  return list
}
