// Channels: search, list and editor. The editor has its own addresses and lies over the list.
import { IconPlus, IconRefresh } from '@douyinfe/semi-icons'
import { useLocation, useMatch, useNavigate } from 'react-router'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, rowsOfWhole, usePaging } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { useColumnSettings } from '../../parts/column-settings.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceTable } from '../../parts/resource-table.tsx'
import { SearchBar } from '../../parts/search-bar.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Button, Switch } from '../../semi.ts'
import { useChannelColumns } from './columns.tsx'
import { ChannelEditor } from './editor.tsx'
import { words } from './texts.ts'
import { useRowActions } from './use-row-actions.ts'
import './channels.css'

export function Page() {
  const t = useTexts(words)
  const paging = usePaging()
  const [search, setSearch] = useUrlState({ keyword: '', model: '', group: '' })
  const byId = usePreference(preferences.channelsById)
  const editor = useEditorAddress()
  const groups = useEndpoint(() => client.groups.list(), [])
  const types = useEndpoint(() => client.channels.types(), [])
  const searching = Object.values(search).some((text) => text !== '')

  const list = useEndpoint(async () => {
    const id_sort = String(byId)
    if (searching) return rowsOfWhole(await client.channels.search({ ...search, id_sort }), paging)
    const { data: items, total } = await client.channels.list({ p: paging.page - 1, page_size: paging.size, id_sort })
    return rowsOfPage({ items, total }, paging)
  }, [paging.page, paging.size, search, byId])

  const actions = useRowActions(list)
  const { columns, button } = useColumnSettings(
    useChannelColumns({ ...actions, edit: editor.edit, types: types.data ?? [] }),
    preferences.channelColumns,
  )
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} onClick={editor.add}>
      {t.add}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title}>
        <label className="switch-label">
          <span>{t.sortById}</span>
          <Switch aria-label={t.sortById} checked={byId} onChange={preferences.channelsById.write} />
        </label>
        {button}
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={list.loading} onClick={list.reload}>
          {t.refresh}
        </Button>
        {add}
      </PageHead>
      <div className="sheet">
        <SearchBar
          fields={[
            { name: 'keyword', label: t.keyword, placeholder: t.keywordHint },
            { name: 'model', label: t.model },
          ]}
          value={search}
          onSearch={setSearch}
        >
          <Choice
            label={t.group}
            placeholder={t.group}
            showClear
            value={search.group || undefined}
            optionList={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
            onChange={(group) => setSearch({ group: typeof group === 'string' ? group : '' })}
          />
        </SearchBar>
        <ResourceTable
          columns={columns}
          rowKey={({ id }) => id}
          list={list}
          paging={paging}
          isShaded={({ status }) => status !== CHANNEL_STATUS.enabled}
          empty={searching ? { title: t.notFound } : { title: t.empty, action: add }}
        />
      </div>
      {editor.open && types.data && (
        <ChannelEditor
          key={editor.open}
          id={editor.open === 'new' ? null : Number(editor.open)}
          types={types.data}
          groups={groups.data ?? []}
          onClose={editor.close}
          onSaved={list.reload}
        />
      )}
    </>
  )
}

/** Which editor the address asks for, and the ways to open and close it; the list's own state stays in the address. */
function useEditorAddress() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const adding = useMatch('/channel/add')
  const editing = useMatch('/channel/edit/:id')
  const go = (path: string) => void navigate(path + search)
  return {
    open: adding ? 'new' : (editing?.params.id ?? null),
    add: () => go('/channel/add'),
    edit: ({ id }: Channel) => go(`/channel/edit/${id}`),
    close: () => go('/channel'),
  }
}
