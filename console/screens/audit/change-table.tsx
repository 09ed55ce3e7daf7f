// The changes made to one thing, with their authors, on the page about it.
import { apiClient } from '../../data/client.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { toPageRows, usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { useActionName } from './action.ts'
import { ChangedFieldList } from './change-list.tsx'
import { useAuditColumns } from './columns.tsx'

interface Props {
  /** Name of the list, under which its columns are stored. */
  name: string
  /** The noun of the actions: `user`, `channel`. */
  action: string
  target: string
  /** Values after whose change the list is read again. */
  mark: readonly (string | number | null | undefined)[]
  empty: string
}

export function ChangeTable({ name, action, target, mark, empty }: Props) {
  const t = useText()
  const formatAction = useActionName()
  const paging = usePaging({ above: 390 })
  const list = usePagedEndpoint(['audit.list', 'of', action, target, ...mark], paging, async ({ page, size }) =>
    toPageRows(await apiClient.audit.list({ action, target, p: page, page_size: size }), { page, size }),
  )
  return (
    <DataTable
      name={name}
      label={t('Audit', { context: 'part' })}
      columns={useAuditColumns().filter(({ key }) => key !== 'target')}
      rowKey={({ id }) => id}
      rowName={(row) => formatAction(row.action)}
      list={list}
      paging={paging}
      empty={{ title: empty }}
      renderDetails={(row) => <ChangedFieldList row={row} />}
    />
  )
}
