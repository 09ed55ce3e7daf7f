// The changes made to a user, with their authors.
import type { User } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { toRows, usePaging } from '../../data/use-paging.ts'
import { Table } from '../../parts/table/table.tsx'
import { useActionName } from '../audit/action.ts'
import { ChangeDetails } from '../audit/change-list.tsx'
import { useAuditColumns } from '../audit/columns.tsx'
import { words } from './texts.ts'

export function Audit({ user }: { user: User }) {
  const t = useTexts(words)
  const formatAction = useActionName()
  const paging = usePaging()
  const { page, size } = paging
  const { id, role, status, quota } = user
  // Reloads after changes on this page, so that they are listed.
  const list = useEndpoint(['audit.list', 'of', id, page, size, role, status, quota], async () => {
    const about = { action: 'user', target: String(id) }
    return toRows(await client.audit.list({ ...about, p: page, page_size: size }), paging)
  })
  return (
    <Table
      label={t.audit}
      columns={useAuditColumns().filter(({ key }) => key !== 'target')}
      rowKey={({ id: row }) => row}
      rowName={({ action }) => formatAction(action)}
      list={list}
      paging={paging}
      empty={{ title: t.noChanges }}
      renderDetails={(row) => <ChangeDetails row={row} />}
    />
  )
}
