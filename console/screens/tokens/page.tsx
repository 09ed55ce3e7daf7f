// API tokens: search, list, and the panel that creates and edits them.
import { IconCopy, IconPlus } from '@douyinfe/semi-icons'
import { type ComponentProps, useState } from 'react'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useAction, useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { usePanelAddress } from '../../data/use-panel-address.ts'
import { useText } from '../../data/texts.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { PageHead } from '../../parts/page-head.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { useRemaining } from '../../parts/overlay/undo.ts'
import { Button } from '../../semi.ts'
import type { ShownToken } from './budgets.tsx'
import { useTokenActions, useTokenColumns } from './columns.tsx'
import { useTokenActs } from './use-token-acts.ts'
import './tokens.css'
import { InlineNote } from '../../parts/status/note.tsx'

const ConnectDialog = loadLater(async () => (await import('./connect.tsx')).ConnectDialog)
const TokenLimitDetails = loadLater(async () => (await import('./limit-details.tsx')).TokenLimitDetails)
const TokenEditor = loadLater(async () => (await import('./editor.tsx')).TokenEditor)

export function Page() {
  const t = useText()
  const paging = usePaging()
  const [search, setSearch] = useUrlState({ keyword: '', token: '', status: '', group: '', sort: '' })
  const panel = usePanelAddress('/token')
  const [connected, setConnected] = useState<{ tokens: Token[]; isNew: boolean } | null>(null)
  const [copy, copyDialog] = useCopy()
  const searching = [search.keyword, search.token, search.status, search.group].some((one) => one !== '')

  const all = usePagedEndpoint(['tokens.list', search], paging, async (listPlace) => {
    const { sort, status, group, keyword, token } = search
    const place = {
      p: listPlace.page - 1,
      size: listPlace.size,
      ...(sort ? { sort } : {}),
      ...(status ? { status } : {}),
      ...(group ? { group } : {}),
    }
    const sought = keyword !== '' || token !== ''
    const { data, total } = await (sought
      ? apiClient.tokens.search({ keyword, token, ...place })
      : apiClient.tokens.list(place))
    return toPageRows({ items: data, total }, listPlace)
  })

  const list = useRemaining('tokens', all)
  const teams = useEndpoint(['teams.list', 'all'], () => apiClient.teams.list({ page_size: 100 })).data?.items ?? []
  const acts = useTokenActs({ list, copy })
  const [connect] = useAction(async ({ id }: Token) => {
    setConnected({ tokens: [await apiClient.tokens.get({ id })], isNew: false })
  })

  const columns = useTokenColumns(acts, teams)
  const actions = useTokenActions(acts, { connect, edit: panel.edit })
  const states = [
    { value: String(TOKEN_STATUS.enabled), label: t('enabled') },
    { value: String(TOKEN_STATUS.disabled), label: t('disabled') },
    { value: String(TOKEN_STATUS.expired), label: t('expired') },
    { value: String(TOKEN_STATUS.exhausted), label: t('exhausted') },
  ]
  const groups = (list.data?.rows ?? []).map(({ group }) => group)
  const filters: ListFilter<'keyword' | 'token' | 'status' | 'group'>[] = [
    { name: 'token', label: t('Key') },
    { name: 'status', label: t('Status'), options: states, areTexts: true },
    { name: 'group', label: t('Token group'), suggested: [...new Set(groups)].filter((name) => name !== '') },
  ]
  usePaletteAct('create', panel.add)
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={panel.add}>
      {t('Create token', { context: 'list' })}
    </Button>
  )
  return (
    <>
      <PageHead title={t('API tokens')}>
        <Button icon={<IconCopy aria-hidden />} onClick={() => void acts.copyAll(acts.chosenTokens())}>
          {t('Copy selected tokens')}
        </Button>
        {add}
      </PageHead>
      <InlineNote warns>
        {t('tokens cannot control usage precisely, are for personal use and must not be given to others')}
      </InlineNote>
      <div className="sheet">
        <FilterBar
          list="tokens"
          search={{ name: 'keyword', label: t('Keyword'), placeholder: t('Token name') }}
          filters={filters}
          value={search}
          onChange={setSearch}
        />
        <DataTable
          name="tokens"
          label={t('API tokens')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          list={list}
          paging={paging}
          actions={actions}
          isShaded={({ status }) => status !== TOKEN_STATUS.enabled}
          renderDetails={(token) => <TokenLimitDetails token={token} />}
          selection={{
            keys: acts.chosen,
            select: acts.select,
            actions: [
              { key: 'copy', label: t('Copy selected tokens'), run: () => void acts.copyAll(acts.chosenTokens()) },
              { key: 'enable', label: t('Enable'), run: () => void acts.enable(acts.chosenTokens()) },
              { key: 'disable', label: t('Disable'), run: () => void acts.disable(acts.chosenTokens()) },
              { key: 'delete', label: t('Delete'), danger: true, run: () => void acts.remove(acts.chosenTokens()) },
            ],
          }}
          sort={{ by: search.sort, change: (sort) => setSearch({ sort }) }}
          empty={searching ? { title: t('No token matches') } : { title: t('No API token yet'), action: add }}
        />
      </div>
      {panel.shown !== null && (
        <TokenPanel
          key={panel.shown}
          id={panel.shown}
          known={list.data?.rows}
          onClose={panel.close}
          onSaved={list.reload}
          onMade={(tokens) => setConnected({ tokens, isNew: true })}
        />
      )}
      {connected && <ConnectDialog {...connected} onClose={() => setConnected(null)} />}
      {copyDialog}
    </>
  )
}

interface PanelProps extends Omit<ComponentProps<typeof TokenEditor>, 'token'> {
  id: 'new' | number
  /** The rows of the list. */
  known: readonly ShownToken[] | undefined
}

/** The panel at an address. A token that the list does not show is requested. */
function TokenPanel({ id, known, ...panel }: PanelProps) {
  const t = useText()
  const [listedToken] = useState(() => known?.find((token) => token.id === id))
  const isListed = id === 'new' || listedToken !== undefined
  const { data, error } = useEndpointWithError(['tokens.get', isListed ? 0 : id], async () =>
    isListed ? null : apiClient.tokens.get({ id }),
  )
  const token = listedToken ?? data
  if (id === 'new') return <TokenEditor token={null} {...panel} />
  if (token) return <TokenEditor token={token} {...panel} />
  return error ? (
    <ModalDialog title={t('This token cannot be shown')} onClose={panel.onClose}>
      <p role="alert">{error}</p>
    </ModalDialog>
  ) : null
}
