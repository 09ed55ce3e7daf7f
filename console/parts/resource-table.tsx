// A list of things with everything a list needs: loading, empty and error states, paging, and cards instead of rows on a phone.
import { useEffect } from 'react'
import type { Column, ResourceTableProps } from './resource-column.ts'
import { Button, Empty, Skeleton, Table } from '../semi.ts'
import { useTexts } from '../data/texts.tsx'
import type { Loaded } from '../data/use-endpoint.ts'
import { Pager } from './pager.tsx'
import { ResourceCards } from './resource-cards.tsx'
import { UnreadableTag } from './tags.tsx'
import { words } from './texts.ts'
import { useMobile } from './use-mobile.ts'

export function ResourceTable<T extends object>(given: ResourceTableProps<T>) {
  const props = { ...given, columns: marked(given.columns) }
  const { list, paging } = props
  const mobile = useMobile()
  const rows = list.data?.rows
  // The last row of a page may have been deleted, or a shared link may lead past the end.
  const pastEnd = rows?.length === 0 && paging.page > 1 && list.data?.page === paging.page && !list.loading
  useEffect(() => {
    if (pastEnd) paging.show(paging.page - 1)
  }, [pastEnd, paging])
  if (list.error && !list.loading) return <Failure list={list} />
  if (!rows) return <LoadingRows />
  return (
    <div className={`resource${list.loading ? ' resource-loading' : ''}`} aria-busy={list.loading}>
      {rows.length === 0 ? (
        <Nothing {...props} />
      ) : mobile ? (
        <ResourceCards {...props} rows={rows} />
      ) : (
        <DesktopTable {...props} rows={rows} />
      )}
      {list.data && list.data.total > 0 && <Pager paging={paging} data={list.data} />}
    </div>
  )
}

/** The column that names a row says, too, where something stored in it cannot be read. */
function marked<T extends object>(columns: Column<T>[]): Column<T>[] {
  const naming = columns.find(({ card }) => card === 'title') ?? columns[0]
  return columns.map((column) =>
    column !== naming
      ? column
      : {
          ...column,
          render: (row) => (
            <>
              {column.render(row)} <UnreadableTag row={row} />
            </>
          ),
        },
  )
}

function DesktopTable<T extends object>({
  columns,
  rowKey,
  rows,
  isShaded,
  renderDetails,
  selection,
}: ResourceTableProps<T> & { rows: T[] }) {
  return (
    <Table<T>
      size="middle"
      pagination={false}
      dataSource={rows}
      rowKey={(row) => String(row && rowKey(row))}
      scroll={{ x: 'max-content' }}
      columns={columns.map(({ key, title, render, width, align, card }) => ({
        key,
        title,
        dataIndex: key,
        width,
        align,
        ...(card === 'actions' ? { fixed: 'right' as const } : {}),
        render: (_value: unknown, row: T) => render(row),
      }))}
      onRow={(row) => ({ className: row && isShaded?.(row) ? 'row-shaded' : '' })}
      {...(renderDetails
        ? {
            expandedRowRender: (row?: T) => row && renderDetails(row),
            expandRowByClick: true,
            hideExpandedColumn: false,
          }
        : {})}
      {...(selection
        ? {
            rowSelection: {
              selectedRowKeys: selection.keys.map(String),
              onChange: (keys?: (string | number)[]) => selection.select(keys ?? []),
            },
          }
        : {})}
    />
  )
}

function Nothing<T>({ empty }: ResourceTableProps<T>) {
  const t = useTexts(words)
  return (
    <Empty className="list-empty" title={empty?.title ?? t.empty}>
      {empty?.action}
    </Empty>
  )
}

function Failure<T>({ list }: { list: Loaded<T> }) {
  const t = useTexts(words)
  return (
    <Empty className="list-empty" title={t.failed} description={list.error}>
      <Button onClick={list.reload}>{t.retry}</Button>
    </Empty>
  )
}

function LoadingRows() {
  const t = useTexts(words)
  return (
    <div className="list-loading" role="status" aria-label={t.wait}>
      <Skeleton active loading placeholder={<Skeleton.Paragraph rows={8} />} />
    </div>
  )
}
