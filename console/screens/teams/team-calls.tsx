// The calls that a team pays for.
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import type { Team } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { toPageRows, usePagingInside } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { loadLater } from '../../parts/load-later.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { useLogColumns } from '../logs/columns.tsx'
import '../logs/logs.css'

const LogDetail = loadLater(async () => (await import('../logs/log-detail.tsx')).LogDetail)

export function TeamCallList({ team: { id } }: { team: Team }) {
  const t = useText()
  const paging = usePagingInside()
  const list = usePagedEndpoint(['teams.logs', id], paging, async ({ page, size }) =>
    toPageRows(await apiClient.teams.logs({ id, p: page, page_size: size }), { page, size }),
  )
  const [time, ...others] = useLogColumns(false, () => undefined)
  const member: TableColumn<LogEntry> = {
    key: 'member',
    title: t('Member'),
    rank: 1,
    width: 110,
    under: ['token'],
    render: ({ username }) => username,
  }
  return (
    <DataTable
      name="team-calls"
      label={t('Calls', { context: 'kind' })}
      columns={[time!, member, ...others]}
      rowKey={({ id: row }) => row}
      rowName={({ model_name, id: row }) => model_name || String(row)}
      list={list}
      paging={paging}
      empty={{ title: t('The team has paid for no calls') }}
      renderDetails={(entry) => <LogDetail entry={entry} isAdmin={false} />}
    />
  )
}
