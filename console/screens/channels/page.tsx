// Channels: search, list, tags and editors. The editors have their own addresses and open over the list.
import { IconBranch, IconChevronDown, IconPlus, IconRefresh } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link, useLocation, useMatch, useNavigate } from 'react-router'
import { CHANNEL_STATUS, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import { apiClient, quietClient } from '../../data/client.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useTouched } from '../../data/touched.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { buildMenuAttributes } from '../../parts/overlay/menu.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ColumnSettings } from '../../parts/table/column-settings.tsx'
import type { RowSelection } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { Button, Switch } from '../../semi.ts'
import { useChannelColumns } from './list.tsx'
import { isTagRow, type TagRow, useChannelFilters, useChannelList } from './use-channels.ts'
import { useBatch } from './use-batch.tsx'
import { useChannelActions, useRowActions } from './use-row-actions.ts'
import { useTagActions } from './use-tag-actions.ts'
import './channels.css'

const ChannelEditor = loadLater(async () => (await import('./editor.tsx')).ChannelEditor)
const TagEditor = loadLater(async () => (await import('./tag-editor.tsx')).TagEditor)
const ModelTest = loadLater(async () => (await import('./model-test.tsx')).ModelTest)
const ModelDiff = loadLater(async () => (await import('./model-diff.tsx')).ModelDiff)

export function Page() {
  const t = useText()
  const shown = useChannelList()
  const { channels, list, search, setSearch, reload } = shown
  const inBatch = usePreference(storedPreferences.channelsInBatch)
  const editor = useEditorAddress()
  const [tested, setTested] = useState<Channel | null>(null)
  const [fetched, setFetched] = useState<Channel | null>(null)
  const [chosen, setChosen] = useState<readonly Channel[]>([])
  const groups = useEndpoint(['groups.list'], () => apiClient.groups.list(), useTouched())
  const types = useEndpoint(['channels.types'], () => apiClient.channels.types())

  const acts = useRowActions(channels, shown.health.reload)
  const tagActs = useTagActions(reload, editor.editTag)
  const batch = useBatch({ chosen, clear: () => setChosen([]), reload })
  const actions = useChannelActions({
    ...acts,
    edit: editor.edit,
    route: editor.route,
    fetch: setFetched,
    testModels: setTested,
    tags: tagActs,
  })
  const columns = useChannelColumns({
    order: acts.order,
    balance: acts.balance,
    types: types.data ?? [],
    healthOf: shown.healthOf,
    tags: { ...shown.tags, order: tagActs.order },
  })
  const selection: RowSelection = {
    keys: chosen.map(({ id }) => id),
    has: (key) => typeof key === 'number',
    select(keys) {
      const known = new Map([...chosen, ...(channels.data?.rows ?? [])].map((one) => [one.id, one]))
      setChosen(keys.flatMap((key) => known.get(Number(key)) ?? []))
    },
    actions: batch.bulk,
  }
  const filters = useChannelFilters(types.data ?? [], groups.data ?? [], channels.data?.rows ?? [])
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={editor.add}>
      {t('Add channel')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Channels', { context: 'title' })}>
        <Link className="head-link" to="/channel/route">
          <IconBranch aria-hidden />
          <span>{t('Routes')}</span>
        </Link>
        <Button
          type="tertiary"
          icon={<IconChevronDown aria-hidden />}
          iconPosition="right"
          {...buildMenuAttributes(t('Batch operations'), () =>
            inBatch ? [...batch.ofAll, ...batch.ofChosen] : batch.ofAll,
          )}
        >
          {t('Batch operations')}
        </Button>
        <ColumnSettings list="channels" columns={columns} />
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={list.loading} onClick={reload}>
          {t('Refresh')}
        </Button>
        {add}
      </PageHead>
      <div className="sheet">
        <FilterBar
          list="channels"
          search={{ name: 'keyword', label: t('Keyword', { context: 'channel' }), placeholder: t('ID, name or key') }}
          filters={filters}
          value={search}
          onChange={setSearch}
          after={
            <div className="list-options">
              <Option label={t('Sort by ID')} on={shown.byId} set={storedPreferences.channelsById.write} />
              <Option label={t('Tag mode')} on={shown.byTag} set={shown.setByTag} />
              <Option
                label={t('Batch mode')}
                on={inBatch}
                set={(on) => {
                  storedPreferences.channelsInBatch.write(on)
                  setChosen([])
                }}
              />
            </div>
          }
        />
        <DataTable
          name="channels"
          label={t('Channels', { context: 'title' })}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={(row) => (isTagRow(row) ? row.tag || t('No tag') : row.name)}
          list={list}
          paging={shown.paging}
          actions={actions}
          selection={inBatch ? selection : undefined}
          sort={{ by: shown.sort, change: (by) => setSearch({ sort: by }) }}
          isShaded={(row) => !isTagRow(row) && row.status !== CHANNEL_STATUS.enabled}
          empty={shown.searching ? { title: t('No channel matches') } : { title: t('No channel yet'), action: add }}
        />
      </div>
      {batch.dialogs}
      {editor.open && types.data && (
        <ChannelEditor
          key={editor.open}
          id={editor.open === 'new' ? null : Number(editor.open)}
          types={types.data}
          groups={groups.data ?? []}
          onClose={editor.close}
          onSaved={reload}
        />
      )}
      {editor.tag !== null && (
        <TagEditor
          key={editor.tag}
          tag={editor.tag}
          types={types.data ?? []}
          groups={groups.data ?? []}
          onClose={editor.close}
          onSaved={reload}
        />
      )}
      {tested && (
        <ModelTest
          id={tested.id}
          name={tested.name}
          models={parseNameList(tested.models)}
          onTested={reload}
          onClose={() => setTested(null)}
        />
      )}
      {fetched && (
        <ModelDiff
          name={fetched.name}
          current={parseNameList(fetched.models)}
          mapping={fetched.model_mapping}
          of={[fetched.id]}
          load={() => quietClient.channels.fetchModels({ id: fetched.id })}
          onApply={(models) => acts.setModels(fetched, models)}
          onClose={() => setFetched(null)}
        />
      )}
    </>
  )
}

const Option = ({ label, on, set }: { label: string; on: boolean; set(on: boolean): void }) => (
  <label className="switch-label">
    <span>{label}</span>
    <Switch size="small" aria-label={label} checked={on} onChange={set} />
  </label>
)

/**
 * Reads from the address which editor is open, and returns the functions that open and close it. The list's state stays
 * in the address.
 */
function useEditorAddress() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const adding = useMatch('/channel/add')
  const editing = useMatch('/channel/edit/:id')
  const tag = useMatch('/channel/tag/:tag')
  const go = (path: string) => void navigate(path + search)
  return {
    open: adding ? 'new' : (editing?.params.id ?? null),
    tag: tag?.params.tag ?? null,
    add: () => go('/channel/add'),
    edit: ({ id }: Channel) => go(`/channel/edit/${id}`),
    editTag: (row: TagRow) => go(`/channel/tag/${encodeURIComponent(row.tag)}`),
    close: () => go('/channel'),
    route({ models, group }: Channel) {
      const [model = ''] = parseNameList(models)
      const [first = ''] = parseNameList(group)
      void navigate(`/channel/route?${new URLSearchParams({ model, group: first }).toString()}`)
    },
  }
}
