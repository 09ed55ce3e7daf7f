// The usage log: sums of the range, filters, and the rows with their details. One call opens over it at its own
// address.
import { IconRefresh } from '@douyinfe/semi-icons'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { OPERATIONS } from '../../../core/models/operation.ts'
import { preferences } from '../../data/preferences.ts'
import { useSession } from '../../data/session.tsx'
import { useTexts } from '../../data/texts.tsx'
import type { Loaded } from '../../data/use-endpoint.ts'
import { usePaging, type Rows } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { Filter } from '../../parts/filters/filter.ts'
import { SavedViews } from '../../parts/filters/saved-views.tsx'
import { TimeSpan } from '../../parts/filters/time-span.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useColumnSettings } from '../../parts/table/column-settings.tsx'
import { Table } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { useLogColumns } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import { useLikeThis } from './like-this.ts'
import { LiveBar, useLive } from './live.tsx'
import { LogDetail } from './log-detail.tsx'
import { LogSums } from './sums.tsx'
import { useTypeOptions } from './type-tag.tsx'
import { filters, useLogList, type LogFilter } from './use-log-list.ts'
import { UserDialog } from './user-dialog.tsx'
import { words } from './texts.ts'
import './logs.css'

const CallPanel = lazy(() => import('./call-panel.tsx').then(({ CallPanel }) => ({ default: CallPanel })))

export function Page() {
  const t = useTexts(words)
  const { isAdmin } = useSession()
  const paging = usePaging()
  const [state, find] = useUrlState({
    ...filters,
    type: '0',
    operation: '',
    span: 'today',
    start: '',
    end: '',
    sort: '',
    live: '',
  })
  const [shownUser, showUser] = useState<number | null>(null)
  const { span, start, end, sort, live: liveParameter, ...search } = state
  const query = { search, span, start, end, sort }
  // New rows come first, so only the unsorted first page can show them.
  const isLive = liveParameter === 'true' && paging.page === 1 && sort === ''

  const { list: read, sums } = useLogList(query, paging, isAdmin)
  const live = useLive(isLive, search, isAdmin)
  const list = useWithLive(read, live.rows)
  const call = useCallAddress()
  const allColumns = useLogColumns(isAdmin, showUser)
  const { columns, button } = useColumnSettings(allColumns, preferences.logColumns)
  const likeThis = useLikeThis(isAdmin, call.find)
  const actions = (row: LogEntry) => {
    const open: MenuItem[] = row.request_id ? [{ key: 'open', label: t.open, run: () => call.show(row) }] : []
    return {
      more: [...open, ...likeThis(row).map((item, at) => ({ ...item, divider: at === 0 && open.length > 0 }))],
    }
  }
  return (
    <>
      <PageHead title={t.title} extra={<LogSums sums={sums} />}>
        <Button
          type={isLive ? 'primary' : 'tertiary'}
          aria-pressed={isLive}
          onClick={() => find({ live: isLive ? '' : 'true', sort: '' })}
        >
          {t.goLive}
        </Button>
        <ExportButton query={query} isAdmin={isAdmin} />
        {button}
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={list.loading} onClick={list.reload}>
          {t.refresh}
        </Button>
      </PageHead>
      <div className="sheet">
        <FilterBar
          filters={useFilters(isAdmin, list.data?.rows ?? [])}
          value={search}
          onChange={find}
          after={<SavedViews storage={preferences.logViews} />}
        >
          <TimeSpan value={query} find={find} />
        </FilterBar>
        {isLive && <LiveBar live={live} />}
        <Table
          label={t.title}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ model_name, id }) => model_name || String(id)}
          list={list}
          paging={paging}
          actions={actions}
          sort={{ by: sort, change: (by) => find({ sort: by }) }}
          empty={{ title: t.empty }}
          renderDetails={(entry) => <LogDetail entry={entry} isAdmin={isAdmin} />}
        />
      </div>
      {shownUser !== null && <UserDialog id={shownUser} onClose={() => showUser(null)} />}
      {call.request_id !== null && (
        <Suspense>
          <CallPanel
            key={call.request_id}
            request_id={call.request_id}
            isAdmin={isAdmin}
            columns={allColumns}
            likeThis={likeThis}
            onClose={call.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Reads from the address which call is open. The state of the list stays in the address as well. */
function useCallAddress() {
  const { search, state } = useLocation() as { search: string; state: unknown }
  const navigate = useNavigate()
  const request_id = useMatch('/log/:request_id')?.params.request_id ?? null
  return {
    request_id,
    show: (row: Pick<LogEntry, 'request_id'>) =>
      void navigate(`/log/${encodeURIComponent(row.request_id)}${search}`, { state: { fromList: true } }),
    // Back closes it as well; a user who came by a link has no page to return to.
    close: () =>
      (state as { fromList?: boolean } | null)?.fromList ? void navigate(-1) : void navigate(`/log${search}`),
    find(change: Partial<Record<LogFilter, string>>) {
      const next = new URLSearchParams(search)
      next.delete('page')
      for (const [name, value] of Object.entries(change)) {
        if (value === '' || (name === 'type' && value === '0')) next.delete(name)
        else next.set(name, value)
      }
      void navigate(`/log?${next.toString()}`)
    },
  }
}

/** Returns the list with the rows on top that arrived since it was read. */
function useWithLive(list: Loaded<Rows<LogEntry>>, rows: LogEntry[]): Loaded<Rows<LogEntry>> {
  return useMemo(() => {
    if (!list.data || rows.length === 0) return list
    const known = new Set(list.data.rows.map(({ id }) => id))
    const fresh = rows.filter(({ id }) => !known.has(id))
    return {
      ...list,
      data: { ...list.data, rows: [...fresh, ...list.data.rows], total: list.data.total + fresh.length },
    }
  }, [list, rows])
}

/** Returns the filters of the log. Their suggestions come from the loaded rows. */
function useFilters(isAdmin: boolean, rows: readonly LogEntry[]): Filter<LogFilter>[] {
  const t = useTexts(words)
  const types = useTypeOptions()
  const listSuggestions = (of: (row: LogEntry) => string | number) => [
    ...new Set(rows.map((row) => String(of(row) || '')).filter((text) => text !== '')),
  ]
  const operations = OPERATIONS.map((name) => ({ value: name, label: t[name] }))
  return [
    { name: 'type', label: t.typeFilter, options: types, none: '0' },
    { name: 'model_name', label: t.modelName, suggested: listSuggestions(({ model_name }) => model_name) },
    { name: 'token_name', label: t.tokenName, suggested: listSuggestions(({ token_name }) => token_name) },
    { name: 'group', label: t.groupFilter, suggested: listSuggestions(({ group }) => group) },
    { name: 'operation', label: t.operation, options: operations },
    { name: 'request_id', label: t.requestId },
    ...(isAdmin
      ? ([
          { name: 'channel', label: t.channelId, suggested: listSuggestions(({ channel }) => channel) },
          { name: 'username', label: t.username, suggested: listSuggestions(({ username }) => username) },
        ] as const)
      : []),
  ]
}
