// The drawing log: filters, and the drawings as rows or as pictures.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useMemo } from 'react'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerStatus } from '../../data/status.ts'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { TimeSpan } from '../../parts/filters/time-span.tsx'
import { useRawRecord } from '../../parts/text/long-text.tsx'
import { MediaGrid } from '../../parts/media/media-grid.tsx'
import { useViewer } from '../../parts/media/use-viewer.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { TablePager } from '../../parts/table/pager.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { Button } from '../../semi.ts'
import { useTaskActs } from '../tasks/use-task-acts.ts'
import { ActionTag, ProgressCell, useDrawingColumns } from './columns.tsx'
import { DRAWING_ACTIONS, DRAWING_STATUSES } from './kinds.ts'
import { toDrawingPicture } from './picture.ts'
import { type DrawingFilter, type DrawingRow, drawingFilters, useDrawings } from './use-drawings.ts'

// The drawings as a grid of pictures; those without one show their status.

export function DrawingGrid({ rows, onOpen }: { rows: readonly DrawingRow[]; onOpen(key: string): void }) {
  const t = useText()
  const tiles = useMemo(
    () =>
      rows.map((row) => ({
        key: String(row.id),
        picture: toDrawingPicture(row),
        instead: <ProgressCell row={row} />,
        caption: (
          <>
            <ActionTag action={row.action} />
            <RelativeTime seconds={row.submit_time / 1000} />
          </>
        ),
      })),
    [rows],
  )
  return <MediaGrid label={t('Drawing log')} tiles={tiles} onOpen={onOpen} />
}

export function Page() {
  const t = useText()
  const { isAdmin } = useSignedInUser()
  const { mj_notify_enabled } = useServerStatus()
  const paging = usePaging()
  const [{ span, start, end, view, ...search }, find] = useUrlState({
    ...drawingFilters,
    span: 'month',
    start: '',
    end: '',
    view: '',
  })
  const query = { search, span, start, end }
  const list = useDrawings(query, paging, isAdmin)
  const rows = list.data?.rows
  const pictures = useMemo(() => (rows ?? []).flatMap((row) => toDrawingPicture(row) ?? []), [rows])
  const [openPicture, viewer] = useViewer(pictures)
  const columns = useDrawingColumns(isAdmin, openPicture)
  const acts = useTaskActs(isAdmin, list.reload)
  const record = useRawRecord<DrawingRow>({
    copyId: t('Copy the task ID'),
    idOf: ({ mj_id }) => mj_id,
    more: (row) => acts(row, row.mj_id),
  })
  const asGrid = view === 'grid'
  return (
    <>
      <PageHead title={t('Drawing log')}>
        <div className="segments" role="group" aria-label={t('How drawings are shown')}>
          <button type="button" className="segment" aria-pressed={!asGrid} onClick={() => find({ view: '' })}>
            {t('Table')}
          </button>
          <button type="button" className="segment" aria-pressed={asGrid} onClick={() => find({ view: 'grid' })}>
            {t('Grid')}
          </button>
        </div>
        <Button
          type="tertiary"
          icon={<IconRefresh aria-hidden />}
          data-tip={t('Refreshes automatically while tasks are running')}
          loading={list.loading}
          onClick={list.reload}
        >
          {t('Refresh')}
        </Button>
      </PageHead>
      {isAdmin && !mj_notify_enabled && (
        <InlineNote>
          {t('Midjourney callbacks are off; some results may not arrive; enable them in operation settings')}
        </InlineNote>
      )}
      <div className="sheet">
        <FilterBar
          list="drawings"
          search={{ name: 'mj_id', label: t('Task ID') }}
          filters={useFilters(isAdmin)}
          value={search}
          onChange={find}
        >
          <TimeSpan value={query} find={find} />
        </FilterBar>
        {asGrid && list.data && list.data.rows.length > 0 ? (
          <>
            <DrawingGrid rows={list.data.rows} onOpen={openPicture} />
            <TablePager paging={paging} data={list.data} />
          </>
        ) : (
          <DataTable
            name="drawings"
            label={t('Drawing log')}
            columns={columns}
            rowKey={({ id }) => id}
            rowName={({ mj_id, id }) => mj_id || String(id)}
            list={list}
            paging={paging}
            actions={record.actions}
            empty={{ title: t('No drawing in this range') }}
          />
        )}
      </div>
      {viewer}
      {record.dialog}
    </>
  )
}

function useFilters(isAdmin: boolean): ListFilter<DrawingFilter>[] {
  const t = useText()
  const options = (kinds: typeof DRAWING_ACTIONS) =>
    Object.entries(kinds).map(([value, { name }]) => ({ value, label: t(name) }))
  return [
    { name: 'action', label: t('Type'), options: options(DRAWING_ACTIONS), areTexts: true },
    { name: 'status', label: t('Task status'), options: options(DRAWING_STATUSES), areTexts: true },
    { name: 'model', label: t('Model') },
    ...(isAdmin
      ? [
          { name: 'channel_id' as const, label: t('Channel ID') },
          { name: 'user_id' as const, label: t('User ID') },
        ]
      : []),
  ]
}
