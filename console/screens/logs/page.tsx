// The usage log: sums of the range, filters, and the rows with their details. One call opens over it at its own
// address.
import { IconDownload, IconRefresh } from '@douyinfe/semi-icons'
import { useMemo, useState } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router'
import { loadLater } from '../../parts/load-later.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { LOG_EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import type { LogStatistics } from '../../../core/logs/log.ts'
import { OPERATIONS } from '../../../core/models/operation.ts'
import { apiClient } from '../../data/client.ts'
import { downloadEndpointFile } from '../../data/download.ts'
import { useFormat } from '../../data/use-format.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useText, texts } from '../../data/texts.tsx'
import { type LoadedEndpoint, useAction, useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { type PageOfRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { TimeSpan } from '../../parts/filters/time-span.tsx'
import { type MenuItem, buildMenuAttributes } from '../../parts/overlay/menu.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { ColumnSettings } from '../../parts/table/column-settings.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { useCallActs } from './call-acts.tsx'
import { useLogColumns } from './columns.tsx'
import { LiveBar, useLive } from './live.tsx'
import { LogHistogram } from './histogram.tsx'
import './logs.css'
import { OPERATION_TEXTS } from './operation.tsx'
import { useTypeOptions } from './type-tag.tsx'
import { useLeastFilters } from './least-filters.ts'
import { logFilters, type LogFilter, type LogQuery, toTimedInput, useLogList } from './use-log-list.ts'

const SIMILAR_TEXTS = texts({
  sameModel: 'Same model',
  sameToken: 'Same token',
  sameUser: 'Same user',
  sameChannel: 'Same channel',
  sameGroup: 'Same group',
  sameError: 'Errors of this model and channel',
})

// Saves the filtered rows of the list as a file.

const NAMES: Record<ExportFormat, string> = { csv: 'CSV', jsonl: 'JSON lines' }

export function ExportButton({ query, isAdmin }: { query: LogQuery; isAdmin: boolean }) {
  const t = useText()
  const [save, busy] = useAction(async (format: ExportFormat) => {
    const name = isAdmin ? 'export' : 'exportSelf'
    await downloadEndpointFile('logs', name, { ...toTimedInput(query), format }, `weir-log.${format}`)
  })
  return (
    <Button
      type="tertiary"
      icon={<IconDownload aria-hidden />}
      loading={busy}
      {...buildMenuAttributes(t('Export'), () =>
        LOG_EXPORT_FORMATS.map((format) => ({ key: format, label: NAMES[format], run: () => void save(format) })),
      )}
    >
      {t('Export')}
    </Button>
  )
}

// Links from a row to similar ones: filters built from its fields.

type LogRows = Partial<Record<LogFilter, string>>

interface Like {
  label: 'sameModel' | 'sameToken' | 'sameUser' | 'sameChannel' | 'sameGroup' | 'sameError'
  /** Only administrators filter by channels and users. */
  admin?: boolean
  /** null if the row lacks the field. */
  of(row: LogEntry): LogRows | null
}

const LIKE: readonly Like[] = [
  { label: 'sameModel', of: ({ model_name }) => (model_name ? { model_name } : null) },
  { label: 'sameToken', of: ({ token_name }) => (token_name ? { token_name } : null) },
  { label: 'sameUser', admin: true, of: ({ username }) => (username ? { username } : null) },
  { label: 'sameChannel', admin: true, of: ({ channel }) => (channel ? { channel: String(channel) } : null) },
  { label: 'sameGroup', of: ({ group }) => (group ? { group } : null) },
  {
    label: 'sameError',
    of: ({ type, model_name, channel }) =>
      type === LOG_ROW_TYPE.error
        ? { type: String(LOG_ROW_TYPE.error), model_name, ...(channel ? { channel: String(channel) } : {}) }
        : null,
  },
]

/** Shows only the similar rows: earlier filters are reset. */
export function useLikeThis(isAdmin: boolean, find: (change: LogRows) => void) {
  const t = useText()
  const nothing = { ...logFilters, type: '0', operation: '' }
  return (row: LogEntry): MenuItem[] =>
    LIKE.flatMap(({ label, admin, of }) => {
      const found = admin && !isAdmin ? null : of(row)
      return found ? [{ key: label, label: t(SIMILAR_TEXTS[label]), run: () => find({ ...nothing, ...found }) }] : []
    })
}

// The sum of the charged calls that match the filters, and the rates of the last minute.

export function LogSums({ sums }: { sums: LogStatistics | undefined }) {
  const t = useText()
  const format = useFormat()
  const short = (value: number | undefined) => (value === undefined ? '…' : format.shortNumber(value))
  const rate = (value: number | undefined) => (value === undefined ? '…' : format.rate(value))
  const exact = (value: number | undefined) =>
    value === undefined || format.shortNumber(value) === format.number(value) ? undefined : format.number(value)
  // The tags keep their places until the sums arrive.
  return (
    <span className="tags log-sums">
      <StateTag color="blue">{t('Used quota: {amount}', { amount: sums ? format.quota(sums.quota) : '…' })}</StateTag>
      <StateTag color="white" tip={exact(sums?.calls)}>
        {t('Calls: {n}', { n: short(sums?.calls) })}
      </StateTag>
      <StateTag color="white" tip={exact(sums?.prompt_tokens)}>
        {t('Tokens in: {n}', { n: short(sums?.prompt_tokens) })}
      </StateTag>
      <StateTag color="white" tip={exact(sums?.completion_tokens)}>
        {t('Tokens out: {n}', { n: short(sums?.completion_tokens) })}
      </StateTag>
      <StateTag color="white" tip={t('In the last 60 seconds, with the same filters')}>
        RPM: {rate(sums?.rpm)}
      </StateTag>
      <StateTag color="white" tip={t('In the last 60 seconds, with the same filters')}>
        TPM: {rate(sums?.tpm)}
      </StateTag>
    </span>
  )
}

// The user of a call: name, balance and usage, for administrators.

export function UserDialog({ id, onClose }: { id: number; onClose(): void }) {
  const t = useText()
  const read = useEndpointWithFirstError(['users.get', id], () => apiClient.users.get({ id }))
  const { data } = read
  return (
    <ModalDialog title={t('User information')} onClose={onClose} foot={<Button onClick={onClose}>{t('Close')}</Button>}>
      {data ? (
        <dl className="lines">
          <div>
            <dt>{t('Username', { context: 'name' })}</dt>
            <dd>{data.username}</dd>
          </div>
          <div>
            <dt>{t('Balance')}</dt>
            <dd>
              <QuotaText value={data.quota} />
            </dd>
          </div>
          <div>
            <dt>{t('Used')}</dt>
            <dd>
              <QuotaText value={data.used_quota} />
            </dd>
          </div>
          <div>
            <dt>{t('Requests')}</dt>
            <dd>
              <CountText value={data.request_count} />
            </dd>
          </div>
        </dl>
      ) : read.error ? (
        <p role="alert">{read.error}</p>
      ) : (
        <LoadingIndicator />
      )}
    </ModalDialog>
  )
}

const LogDetail = loadLater(async () => (await import('./log-detail.tsx')).LogDetail)
const CallPanel = loadLater(async () => (await import('./call-panel.tsx')).LogCallPanel)

export function Page() {
  const t = useText()
  const { isAdmin } = useSignedInUser()
  const paging = usePaging({ above: 345, lines: 2 })
  const [state, find] = useUrlState({
    ...logFilters,
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
  const likeThis = useLikeThis(isAdmin, call.find)
  const [callActs, callDialogs] = useCallActs()
  const actions = (row: LogEntry) => {
    const open: MenuItem[] = row.request_id ? [{ key: 'open', label: t('Open'), run: () => call.show(row) }] : []
    const first = [...open, ...callActs(row)]
    return {
      more: [...first, ...likeThis(row).map((item, at) => ({ ...item, divider: at === 0 && first.length > 0 }))],
    }
  }
  return (
    <>
      <PageHead title={t('Usage log')} extra={<LogSums sums={sums} />}>
        <Button
          type={isLive ? 'primary' : 'tertiary'}
          aria-pressed={isLive}
          onClick={() => find({ live: isLive ? '' : 'true', sort: '' })}
        >
          {t('Live')}
        </Button>
        <ExportButton query={query} isAdmin={isAdmin} />
        <ColumnSettings list="logs" columns={allColumns} />
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={list.loading} onClick={list.reload}>
          {t('Refresh')}
        </Button>
      </PageHead>
      <div className="sheet">
        <FilterBar list="logs" filters={useFilters(isAdmin, list.data?.rows ?? [])} value={search} onChange={find}>
          <TimeSpan value={query} find={find} />
        </FilterBar>
        <LogHistogram query={query} isAdmin={isAdmin} find={find} />
        {isLive && <LiveBar live={live} />}
        <DataTable
          name="logs"
          hasOwnFile
          label={t('Usage log')}
          columns={allColumns}
          rowKey={({ id }) => id}
          rowName={({ model_name, id }) => model_name || String(id)}
          list={list}
          paging={paging}
          actions={actions}
          sort={{ by: sort, change: (by) => find({ sort: by }) }}
          empty={{ title: t('No log in this range') }}
          renderDetails={(entry) => <LogDetail entry={entry} isAdmin={isAdmin} />}
        />
      </div>
      {callDialogs}
      {shownUser !== null && <UserDialog id={shownUser} onClose={() => showUser(null)} />}
      {call.request_id !== null && (
        <CallPanel
          key={call.request_id}
          request_id={call.request_id}
          isAdmin={isAdmin}
          columns={allColumns}
          likeThis={likeThis}
          onClose={call.close}
        />
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
function useWithLive(
  list: LoadedEndpoint<PageOfRows<LogEntry>>,
  rows: LogEntry[],
): LoadedEndpoint<PageOfRows<LogEntry>> {
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

/** Returns the channels of the rows, by their names. */
const listChannels = (rows: readonly LogEntry[]) =>
  [...new Map(rows.filter(({ channel }) => channel > 0).map((row) => [row.channel, row.channel_name]))].map(
    ([id, name]) => ({ value: String(id), label: name ? `${name} (${id})` : String(id) }),
  )

/** Returns the filters of the log. Their suggestions come from the loaded rows. */
function useFilters(isAdmin: boolean, rows: readonly LogEntry[]): ListFilter<LogFilter>[] {
  const t = useText()
  const types = useTypeOptions()
  const listSuggestions = (of: (row: LogEntry) => string | number) => [
    ...new Set(rows.map((row) => String(of(row) || '')).filter((text) => text !== '')),
  ]
  const operations = OPERATIONS.map((name) => ({ value: name, label: t(OPERATION_TEXTS[name]) }))
  return [
    { name: 'type', label: t('Type'), options: types, none: '0', areTexts: true },
    { name: 'model_name', label: t('Model name'), suggested: listSuggestions(({ model_name }) => model_name) },
    { name: 'token_name', label: t('Token name'), suggested: listSuggestions(({ token_name }) => token_name) },
    { name: 'group', label: t('Group'), suggested: listSuggestions(({ group }) => group) },
    { name: 'operation', label: t('Operation'), options: operations, areTexts: true },
    { name: 'request_id', label: t('Request ID') },
    ...useLeastFilters(),
    ...(isAdmin
      ? ([
          { name: 'channel', label: t('Channel ID'), suggested: listChannels(rows) },
          {
            name: 'username',
            label: t('Username', { context: 'name' }),
            suggested: listSuggestions(({ username }) => username),
          },
        ] as const)
      : []),
  ]
}
