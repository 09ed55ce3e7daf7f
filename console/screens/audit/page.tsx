// The audit: changes by users, newest first, with the values before and after. Its filters are in the address.
import { IconRefresh } from '@douyinfe/semi-icons'
import type { AuditRow } from '../../../core/audit/audit.ts'
import { apiClient } from '../../data/client.ts'
import { type ListPaging, toPageRows, useCursorPaging, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { TimeSpan, getSpanTimes, type TimeSpanChoice } from '../../parts/filters/time-span.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { ALL_AUDIT_ACTIONS, useActionName } from './action.ts'
import { ChangedFieldList } from './change-list.tsx'
import { useAuditColumns } from './columns.tsx'
const filters = { username: '', action: '', target: '' }
type AuditQuery = Record<keyof typeof filters | 'span' | 'start' | 'end' | 'sort', string>

export function Page() {
  const t = useText()
  const formatAction = useActionName()
  const paging = usePaging({ above: 225 })
  const [query, find] = useUrlState({ ...filters, span: 'month', start: '', end: '', sort: '' })
  const list = useAuditList(query, paging)
  const people = [...new Set((list.data?.rows ?? []).map(({ username }) => username))].filter((name) => name !== '')
  const offered: ListFilter<keyof typeof filters>[] = [
    { name: 'username', label: t('Who'), suggested: people },
    {
      name: 'action',
      label: t('What', { context: 'action' }),
      options: ALL_AUDIT_ACTIONS.map((value) => ({ value, label: formatAction(value) })),
    },
    { name: 'target', label: t('Object'), placeholder: t('An id, or the name of a setting or model') },
  ]
  const isNarrowed = Object.keys(filters).some((name) => query[name as keyof typeof filters] !== '')
  return (
    <>
      <PageHead title={t('Audit')}>
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={list.loading} onClick={list.reload}>
          {t('Refresh')}
        </Button>
      </PageHead>
      <div className="sheet">
        <FilterBar list="audit" filters={offered} value={query} onChange={find}>
          <TimeSpan value={query} find={find} />
        </FilterBar>
        <DataTable
          name="audit"
          label={t('Audit')}
          columns={useAuditColumns()}
          rowKey={({ id }) => id}
          rowName={({ action, target }) => `${formatAction(action)} ${target}`}
          list={list}
          paging={paging}
          sort={{ by: query.sort, change: (sort) => find({ sort }) }}
          empty={{ title: isNarrowed ? t('No change matches') : t('Nothing was changed') }}
          renderDetails={(row: AuditRow) => <ChangedFieldList row={row} />}
        />
      </div>
    </>
  )
}

const getTimes = ({ span, start, end }: AuditQuery) =>
  span === 'own' ? { start: Number(start), end: Number(end) } : getSpanTimes(span as TimeSpanChoice)

function useAuditList(query: AuditQuery, paging: ListPaging) {
  const walk = useCursorPaging<{ start_timestamp: number; end_timestamp: number }>(JSON.stringify([query, paging.size]))
  return usePagedEndpoint(['audit.list', query], paging, async ({ page, size }) => {
    const { start, end } = getTimes(query)
    const { cursor, ...times } = walk.inputOf(page, { start_timestamp: start, end_timestamp: end })
    const { username, action, target, sort } = query
    const answer = await apiClient.audit.list({
      p: page,
      page_size: size,
      username,
      action,
      target,
      ...times,
      ...(sort ? { sort } : {}),
      ...(cursor ? { cursor } : {}),
    })
    walk.read(page, times, answer.next_cursor)
    return { ...toPageRows(answer, { page, size }), more: answer.next_cursor !== '' }
  })
}
