// The last calls of a user; the log itself has the others.
import { Link, useNavigate } from 'react-router'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { toPageRows, usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { buildCallPath } from '../logs/call-path.ts'
import { useLogColumns } from '../logs/columns.tsx'
import { LogDetail } from '../logs/log-detail.tsx'
import '../logs/logs.css'

/** The column that would be the same in every row. */
const WHO = 'username'

export function UserLogSection({ user: { username } }: { user: User }) {
  const t = useText()
  const navigate = useNavigate()
  const paging = usePaging()
  const { page, size } = paging
  const list = useEndpointWithError(['logs.list', 'of', username, page, size], async () =>
    toPageRows(await apiClient.logs.list({ username, p: page, page_size: size }), paging),
  )
  const columns = useLogColumns(true, () => undefined).filter(({ key }) => key !== WHO)
  return (
    <>
      <p>
        <Link to={`/log?${new URLSearchParams({ username, span: 'month' }).toString()}`}>
          {t('Open the whole log of this user')}
        </Link>
      </p>
      <DataTable
        label={t('Log')}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ model_name, id }) => model_name || String(id)}
        list={list}
        paging={paging}
        empty={{ title: t('This user has made no calls') }}
        actions={(entry) => {
          const path = buildCallPath(entry)
          return path
            ? { verb: { key: 'open', label: t('Open'), run: () => void navigate(path) }, more: [] }
            : { more: [] }
        }}
        renderDetails={(entry) => <LogDetail entry={entry} isAdmin />}
      />
    </>
  )
}
