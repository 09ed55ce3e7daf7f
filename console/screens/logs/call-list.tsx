// The calls of one user, channel or team, newest first, on the page about it.
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { toPageRows, usePaging } from '../../data/use-paging.ts'
import { loadLater } from '../../parts/load-later.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { buildCallPath } from './call-path.ts'
import { useLogColumns } from './columns.tsx'
import { useCallActs } from './call-acts.tsx'
import { useText } from '../../data/texts.tsx'
import './logs.css'

const LogDetail = loadLater(async () => (await import('./log-detail.tsx')).LogDetail)

interface Props {
  /** Name of the list, under which its columns are stored. */
  name: string
  label: string
  filter: { username?: string; channel?: number; type?: number }
  /** Keys of columns that would be the same in every row. */
  hidden: readonly string[]
  empty: string
  /** Shown above the list, such as a link to the whole log. */
  children?: ReactNode
}

export function CallList({ name, label, filter, hidden, empty, children }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const paging = usePaging({ above: 400, lines: 2 })
  const [acts, dialogs] = useCallActs()
  const list = usePagedEndpoint(['logs.list', 'of', filter], paging, async ({ page, size }) =>
    toPageRows(await apiClient.logs.list({ ...filter, p: page, page_size: size }), { page, size }),
  )
  const columns = useLogColumns(true, () => undefined).filter(({ key }) => !hidden.includes(key))
  return (
    <>
      {children}
      <DataTable
        name={name}
        label={label}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ model_name, id }) => model_name || String(id)}
        list={list}
        paging={paging}
        empty={{ title: empty }}
        actions={(entry) => {
          const path = buildCallPath(entry)
          return {
            ...(path ? { verb: { key: 'open', label: t('Open'), run: () => void navigate(path) } } : {}),
            more: acts(entry),
          }
        }}
        renderDetails={(entry) => <LogDetail entry={entry} isAdmin />}
      />
      {dialogs}
    </>
  )
}
