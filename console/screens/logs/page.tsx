// The usage log: sums of the range, filters, and the rows with their detail.
import { useMemo, useState } from 'react'
import { client } from '../../data/client.ts'
import { preferences } from '../../data/preferences.ts'
import { useSession } from '../../data/session.tsx'
import { fill, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, usePaging } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { useColumnSettings } from '../../parts/column-settings.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useQuotaText } from '../../parts/quota.tsx'
import { ResourceTable } from '../../parts/resource-table.tsx'
import { SearchBar, type SearchField } from '../../parts/search-bar.tsx'
import { nowSeconds } from '../../parts/time.tsx'
import { Tag } from '../../semi.ts'
import { useLogColumns } from './columns.tsx'
import { LogDetail } from './log-detail.tsx'
import { OperationSelect, operationOf } from './operation-select.tsx'
import { TimeRange } from './time-range.tsx'
import { TypeSelect } from './type-select.tsx'
import { UserDialog } from './user-dialog.tsx'
import { words } from './texts.ts'
import './logs.css'

const own = { token_name: '', model_name: '', group: '', request_id: '' }
const filters = { ...own, channel: '', username: '' }
type Filter = keyof typeof filters

export function Page() {
  const t = useTexts(words)
  const { isAdmin } = useSession()
  const paging = usePaging()
  const today = useMemo(() => defaultRange(), [])
  const [state, find] = useUrlState({ ...filters, type: '0', operation: '', ...today })
  const [shownUser, showUser] = useState<number | null>(null)
  const { start, end, type, operation, ...search } = state
  const query = { ...search, type, operation, start_timestamp: start, end_timestamp: end }

  const list = useEndpoint(async () => {
    const input = { ...asInput(query), p: paging.page, page_size: paging.size }
    return rowsOfPage(await (isAdmin ? client.logs.list(input) : client.logs.listSelf(input)), paging)
  }, [paging.page, paging.size, state, isAdmin])
  const sums = useEndpoint(() => {
    const input = asInput(query)
    return isAdmin ? client.logs.stat(input) : client.logs.statSelf(input)
  }, [state, isAdmin])

  const { columns, button } = useColumnSettings(useLogColumns(isAdmin, showUser), preferences.logColumns)
  const fields: SearchField<Filter>[] = [
    { name: 'token_name', label: t.tokenName },
    { name: 'model_name', label: t.modelName },
    { name: 'group', label: t.groupFilter },
    { name: 'request_id', label: t.requestId },
    ...(isAdmin
      ? [
          { name: 'channel' as const, label: t.channelId },
          { name: 'username' as const, label: t.username },
        ]
      : []),
  ]
  return (
    <>
      <PageHead title={t.title} beside={<Sums sums={sums.data} />}>
        {button}
      </PageHead>
      <div className="sheet">
        <SearchBar fields={fields} value={search} onSearch={find} busy={list.loading && list.data !== undefined}>
          <TimeRange start={Number(start)} end={Number(end)} onChange={(range) => find(range)} />
          <TypeSelect value={type} onChange={(next) => find({ type: next })} />
          <OperationSelect value={operation} onChange={(next) => find({ operation: next })} />
        </SearchBar>
        <ResourceTable
          columns={columns}
          rowKey={({ id }) => id}
          list={list}
          paging={paging}
          empty={{ title: t.empty }}
          renderDetails={(entry) => <LogDetail entry={entry} isAdmin={isAdmin} />}
        />
      </div>
      {shownUser !== null && <UserDialog id={shownUser} onClose={() => showUser(null)} />}
    </>
  )
}

/** Numbers travel as numbers; what is empty does not filter. */
const asInput = (query: Record<Filter | 'type' | 'operation' | 'start_timestamp' | 'end_timestamp', string>) => ({
  ...query,
  type: Number(query.type),
  operation: operationOf(query.operation),
  channel: Number(query.channel) || 0,
  start_timestamp: Number(query.start_timestamp),
  end_timestamp: Number(query.end_timestamp),
})

/** From midnight to an hour from now. */
function defaultRange() {
  const midnight = new Date().setHours(0, 0, 0, 0)
  return { start: String(Math.floor(midnight / 1000)), end: String(nowSeconds() + 3600) }
}

function Sums({ sums }: { sums: { quota: number; rpm: number; tpm: number } | undefined }) {
  const t = useTexts(words)
  const quotaText = useQuotaText()
  if (!sums) return null
  return (
    <span className="tags log-sums">
      <Tag size="large" color="blue">
        {fill(t.usedQuota, { amount: quotaText(sums.quota) })}
      </Tag>
      <Tag size="large" color="pink">
        RPM: {sums.rpm}
      </Tag>
      <Tag size="large" color="white">
        TPM: {sums.tpm}
      </Tag>
    </span>
  )
}
