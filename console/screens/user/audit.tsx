// The changes made to a user, with their authors.
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { toPageRows, usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { useActionName } from '../audit/action.ts'
import { ChangedFieldList } from '../audit/change-list.tsx'
import { useAuditColumns } from '../audit/columns.tsx'

export function UserAuditSection({ user }: { user: User }) {
  const t = useText()
  const formatAction = useActionName()
  const paging = usePaging()
  const { page, size } = paging
  const { id, role, status, quota } = user
  // Reloads after changes on this page, so that they are listed.
  const list = useEndpointWithError(['audit.list', 'of', id, page, size, role, status, quota], async () => {
    const about = { action: 'user', target: String(id) }
    return toPageRows(await apiClient.audit.list({ ...about, p: page, page_size: size }), paging)
  })
  return (
    <DataTable
      label={t('Audit', { context: 'part' })}
      columns={useAuditColumns().filter(({ key }) => key !== 'target')}
      rowKey={({ id: row }) => row}
      rowName={({ action }) => formatAction(action)}
      list={list}
      paging={paging}
      empty={{ title: t('No changes of this user yet') }}
      renderDetails={(row) => <ChangedFieldList row={row} />}
    />
  )
}
