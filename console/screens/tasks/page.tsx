// The task log: filters, and the tasks with their results.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useMemo, useState } from 'react'
import { useSignedInUser } from '../../data/session.tsx'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { TimeSpan } from '../../parts/filters/time-span.tsx'
import { useRawRecord } from '../../parts/text/long-text.tsx'
import { useViewer } from '../../parts/media/use-viewer.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { useTaskColumns } from './columns.tsx'
import { TASK_ACTIONS, TASK_PLATFORMS, TASK_STATUSES } from './kinds.ts'
import { parseOutcome, formatTaskRecord } from './outcome.ts'
import { useTaskActs } from './use-task-acts.ts'
import { taskFilters, useTaskList, type TaskFilter, type TaskRow } from './use-tasks.ts'

export function Page() {
  const t = useText()
  const { isAdmin } = useSignedInUser()
  const paging = usePaging()
  const [{ span, start, end, ...search }, find] = useUrlState({ ...taskFilters, span: 'today', start: '', end: '' })
  const query = { search, span, start, end }
  const list = useTaskList(query, paging, isAdmin)
  const acts = useTaskActs(isAdmin, list.reload)
  const record = useRawRecord<TaskRow>({
    copyId: t('Copy the task ID'),
    idOf: ({ task_id }) => task_id,
    textOf: formatTaskRecord,
    more: (row) => acts(row, row.task_id),
  })
  const [seen, setSeen] = useState<TaskRow | null>(null)
  const media = useMemo(() => (seen ? parseOutcome(seen) : []), [seen])
  const [openMedium, viewer] = useViewer(media)
  const columns = useTaskColumns(isAdmin, {
    record: record.open,
    outcome(row, key) {
      setSeen(row)
      openMedium(key)
    },
  })
  return (
    <>
      <PageHead title={t('Task log')}>
        <Button
          type="tertiary"
          icon={<IconRefresh aria-hidden />}
          data-tip={t('Refreshes automatically while tasks are running')}
          loading={list.loading}
          onClick={list.reload}
        >
          {t('Refresh')}
        </Button>
      </PageHead>
      <div className="sheet">
        <FilterBar
          list="tasks"
          search={{ name: 'task_id', label: t('Task ID') }}
          filters={useFilters(isAdmin)}
          value={search}
          onChange={find}
        >
          <TimeSpan value={query} find={find} />
        </FilterBar>
        <DataTable
          name="tasks"
          label={t('Task log')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ task_id, id }) => task_id || String(id)}
          list={list}
          paging={paging}
          actions={record.actions}
          empty={{ title: t('No task in this range') }}
        />
      </div>
      {viewer}
      {record.dialog}
    </>
  )
}

function useFilters(isAdmin: boolean): ListFilter<TaskFilter>[] {
  const t = useText()
  const options = (kinds: typeof TASK_STATUSES) =>
    Object.entries(kinds)
      .filter(([value]) => value !== '')
      .map(([value, { name }]) => ({ value, label: t(name) }))
  return [
    { name: 'status', label: t('Status', { context: 'task' }), options: options(TASK_STATUSES), areTexts: true },
    { name: 'action', label: t('Action'), options: options(TASK_ACTIONS), areTexts: true },
    { name: 'platform', label: t('Platform'), options: options(TASK_PLATFORMS), areTexts: true },
    { name: 'model', label: t('Model') },
    ...(isAdmin
      ? [
          { name: 'channel_id' as const, label: t('Channel ID') },
          { name: 'user_id' as const, label: t('User ID') },
        ]
      : []),
  ]
}
