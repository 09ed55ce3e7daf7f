// The tokens of a user as administrators see them: without keys, to be enabled, disabled and deleted.
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { useOthersTokenColumns } from '../tokens/columns.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import type { RowActions } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { deleteWithUndo, runWithUndo, useRemaining } from '../../parts/overlay/undo.ts'
import type { ShownToken } from '../tokens/budgets.tsx'
import { TokenLimitDetails } from '../tokens/limit-details.tsx'
type TokenSwitch = 'enable' | 'disable'

export function UserTokensSection({ user }: { user: User }) {
  const t = useText()
  const paging = usePaging({ above: 355 })
  const [{ sort }, setState] = useUrlState({ sort: '' })
  const from = `tokens of ${user.id}`
  const read = usePagedEndpoint(['tokens.ofUser', user.id, sort], paging, async ({ page, size }) => {
    const place = { p: page - 1, size, ...(sort ? { sort } : {}) }
    const { data, total } = await apiClient.tokens.ofUser({ user_id: user.id, ...place })
    return toPageRows({ items: data, total }, { page, size })
  })
  const list = useRemaining(from, read)
  const set = async (id: number, action: TokenSwitch) => {
    const { status } = await apiClient.tokens.manage({ id, action })
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === id ? { ...row, status } : row)) }))
  }
  const [turn] = useAction(async ({ id, name }: ShownToken, action: TokenSwitch) => {
    await runWithUndo({
      message: t(action === 'enable' ? '{name} enabled' : '{name} disabled', { name }),
      act: () => set(id, action),
      back: () => set(id, action === 'enable' ? 'disable' : 'enable'),
    })
  })
  const remove = async ({ id, name, status }: ShownToken) => {
    const question = {
      title: t('Delete the token {name}?', { name }),
      body: t('Programs that use its key stop working at once.'),
      undoable: true,
    }
    if (!(await askConfirmation(question))) return
    const works = status === TOKEN_STATUS.enabled
    deleteWithUndo({
      from,
      ids: [id],
      name,
      ...(works ? { meanwhile: { act: () => set(id, 'disable'), back: () => set(id, 'enable') } } : {}),
      async act() {
        await apiClient.tokens.manage({ id, action: 'delete' })
        showNotice.success(t('token deleted'))
        list.reload()
      },
    })
  }
  const actions = (token: ShownToken): RowActions => {
    const isOn = token.status === TOKEN_STATUS.enabled
    return {
      verb: {
        key: 'toggle',
        label: isOn ? t('Disable') : t('Enable'),
        run: () => void turn(token, isOn ? 'disable' : 'enable'),
      },
      more: [{ key: 'delete', label: t('Delete'), danger: true, run: () => void remove(token) }],
    }
  }
  return (
    <DataTable
      name="user-tokens"
      hasViews
      label={t('Tokens')}
      columns={useOthersTokenColumns<ShownToken>()}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      list={list}
      paging={paging}
      actions={actions}
      sort={{ by: sort, change: (by) => setState({ sort: by }) }}
      isShaded={({ status }) => status !== TOKEN_STATUS.enabled}
      empty={{ title: t('This user has no API token') }}
      renderDetails={(token) => <TokenLimitDetails token={token} />}
    />
  )
}
