// A list with everything it needs: loading, empty and failed states, sorting, selection, paging, columns that share a
// cell when space is short, and rows of another kind on phones.
import { IconDownload } from '@douyinfe/semi-icons'
import { memo, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useFormat } from '../../data/use-format.ts'
import { type LoadedEndpoint, useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { SavedViews } from '../filters/saved-views.tsx'
import { EmptyState } from '../status/empty.tsx'
import { UnreadableTag } from '../text/tags.tsx'
import { usePrinted } from '../use-printed.ts'
import { useWidth } from '../use-width.ts'
import { TableCards } from './cards.tsx'
import type { TableColumn, RowSelection, TableProps } from './column.ts'
import { ColumnSettings, useChosenColumns } from './column-settings.tsx'
import { TablePager } from './pager.tsx'
import { RowsTable } from './rows-table.tsx'
import { SelectionContext } from './select-row.tsx'
import './table.css'
// The actions on the selected rows.

export function BulkBar({ selection }: { selection: RowSelection }) {
  const t = useText()
  return (
    <div className="bulk-bar" role="region" aria-label={t('Selected rows')}>
      <strong>{t('{n} selected', { n: selection.keys.length })}</strong>
      {selection.actions.map(({ key, label, run, danger, disabled, icon }) => (
        <Button
          key={key}
          size="small"
          type={danger ? 'danger' : 'primary'}
          disabled={disabled !== undefined}
          icon={icon}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <Button size="small" theme="borderless" type="tertiary" onClick={() => selection.select([])}>
        {t('Clear selection')}
      </Button>
    </div>
  )
}

/** A window below this width, in px, is a phone. */
const PHONE_BELOW = 600

export function DataTable<T extends object>(props: TableProps<T>) {
  const { list, paging, selection } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  // Rows are rendered at low priority from the latest props, so that typing and clicking do not wait for them.
  const deferred = useDeferredValue(props)
  const drawn = usePrinted() ? props : deferred
  const columns = useChosenColumns(props.name, drawn.columns)
  const table = useMemo(() => ({ ...drawn, columns: markUnreadable(columns) }), [drawn, columns])
  const rows = table.list.data?.rows
  // The last row of a page may have been deleted, or a shared link may lead past the end.
  const pastEnd = list.data?.rows.length === 0 && paging.page > 1 && list.data.page === paging.page && !list.loading
  useEffect(() => {
    if (pastEnd) paging.show(paging.page - 1)
  }, [pastEnd, paging])
  return (
    <div ref={box} className={`table${list.loading && rows ? ' table-loading' : ''}`} aria-busy={list.loading}>
      {!rows ? (
        list.error && !list.loading ? (
          <Failure list={list} />
        ) : (
          <LoadingRows />
        )
      ) : (
        <SelectionContext.Provider value={selection}>
          {list.error && !list.loading && <Stale list={list} />}
          {selection && selection.keys.length > 0 && <BulkBar selection={selection} />}
          {rows.length === 0 ? (
            <Nothing {...props} />
          ) : window.innerWidth < PHONE_BELOW ? (
            <CardRows table={table} rows={rows} />
          ) : (
            <TableRows table={table} rows={rows} width={width} />
          )}
          {list.data && list.data.total > 0 && (
            <TablePager paging={paging} data={list.data}>
              {props.hasViews && <SavedViews small list={props.name} />}
              <ColumnSettings small list={props.name} columns={props.columns} />
              {!props.hasOwnFile && <SaveButton name={props.name} label={props.label} list={list} />}
            </TablePager>
          )}
        </SelectionContext.Provider>
      )}
    </div>
  )
}

/** The rows do not render again while the page around them changes. */
const TableRows = memo(RowsTable) as typeof RowsTable
const CardRows = memo(TableCards) as typeof TableCards

/** Adds a mark to the naming column of rows with stored values that cannot be read. */
function markUnreadable<T extends object>(columns: TableColumn<T>[]): TableColumn<T>[] {
  const naming = columns.find(({ card }) => card === 'title') ?? columns[0]
  return columns.map((column) =>
    column !== naming
      ? column
      : {
          ...column,
          render: (row: T & { unreadable?: string[] }) =>
            row.unreadable?.length ? (
              <>
                {column.render(row)} <UnreadableTag row={row} />
              </>
            ) : (
              column.render(row)
            ),
        },
  )
}

interface SaveProps<T> {
  name: string
  label: string
  list: TableProps<T>['list']
}

/** Saves the rows of all pages as CSV; those that are shown if the list cannot read the others. */
function SaveButton<T extends object>({ name, label, list }: SaveProps<T>) {
  const [save, busy] = useAction(async () => {
    const rows = list.loadAll ? await list.loadAll() : (list.data?.rows ?? [])
    const { saveRows } = await import('./save-rows.ts')
    await saveRows(rows, name)
  })
  return (
    <button
      type="button"
      className="plain-button"
      aria-label={`CSV: ${label}`}
      data-tip="CSV"
      disabled={busy}
      onClick={() => void save()}
    >
      <IconDownload aria-hidden />
    </button>
  )
}

function Nothing<T>({ empty }: TableProps<T>) {
  const t = useText()
  return (
    <EmptyState title={empty?.title ?? t('Nothing here yet')} description={empty?.description}>
      {empty?.action}
    </EmptyState>
  )
}

function Failure<T>({ list }: { list: LoadedEndpoint<T> }) {
  const t = useText()
  return (
    <EmptyState failed title={t('This list could not be loaded')} description={list.error}>
      <Button onClick={list.reload}>{t('Retry')}</Button>
    </EmptyState>
  )
}

/** A notice that the rows could not be reloaded, with the time they were loaded. */
function Stale<T>({ list }: { list: LoadedEndpoint<T> }) {
  const t = useText()
  const format = useFormat()
  return (
    <div className="table-stale" role="status">
      <span>
        {t('These are the rows of {time}: they could not be refreshed. {why}', {
          time: format.clock(list.freshAt / 1000),
          why: list.error ?? '',
        })}
      </span>
      <Button size="small" type="tertiary" onClick={list.reload}>
        {t('Retry')}
      </Button>
    </div>
  )
}

function LoadingRows() {
  const t = useText()
  return (
    <div className="table-waiting" role="status" aria-label={t('please wait')}>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  )
}
