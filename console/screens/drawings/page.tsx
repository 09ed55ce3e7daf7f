// The drawing log: filters, and the drawings as rows or as pictures.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useMemo } from 'react'
import { useSession } from '../../data/session.tsx'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { Filter } from '../../parts/filters/filter.ts'
import { TimeSpan } from '../../parts/filters/time-span.tsx'
import { useRecord } from '../../parts/long-text.tsx'
import { MediaGrid } from '../../parts/media/media-grid.tsx'
import { useViewer } from '../../parts/media/use-viewer.tsx'
import { Note } from '../../parts/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pager } from '../../parts/table/pager.tsx'
import { Table } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { Button } from '../../semi.ts'
import { useTaskActs } from '../tasks/use-task-acts.ts'
import { ActionTag, ProgressCell, useDrawingColumns } from './columns.tsx'
import { ACTIONS, STATUSES } from './kinds.ts'
import { toPicture } from './picture.ts'
import { words } from './texts.ts'
import { type DrawingFilter, type DrawingRow, filters, useDrawings } from './use-drawings.ts'

// The drawings as a grid of pictures; those without one show their status.

export function DrawingGrid({ rows, onOpen }: { rows: readonly DrawingRow[]; onOpen(key: string): void }) {
  const t = useTexts(words)
  const tiles = useMemo(
    () =>
      rows.map((row) => ({
        key: String(row.id),
        picture: toPicture(row),
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
  return <MediaGrid label={t.title} tiles={tiles} onOpen={onOpen} />
}

export function Page() {
  const t = useTexts(words)
  const { isAdmin } = useSession()
  const { mj_notify_enabled } = useStatus()
  const paging = usePaging()
  const [{ span, start, end, view, ...search }, find] = useUrlState({
    ...filters,
    span: 'month',
    start: '',
    end: '',
    view: '',
  })
  const query = { search, span, start, end }
  const list = useDrawings(query, paging, isAdmin)
  const rows = list.data?.rows
  const pictures = useMemo(() => (rows ?? []).flatMap((row) => toPicture(row) ?? []), [rows])
  const [openPicture, viewer] = useViewer(pictures)
  const columns = useDrawingColumns(isAdmin, openPicture)
  const acts = useTaskActs(isAdmin, list.reload)
  const record = useRecord<DrawingRow>({
    copyId: t.copyId,
    idOf: ({ mj_id }) => mj_id,
    more: (row) => acts(row, row.mj_id),
  })
  const asGrid = view === 'grid'
  return (
    <>
      <PageHead title={t.title}>
        <div className="segments" role="group" aria-label={t.view}>
          <button type="button" className="segment" aria-pressed={!asGrid} onClick={() => find({ view: '' })}>
            {t.table}
          </button>
          <button type="button" className="segment" aria-pressed={asGrid} onClick={() => find({ view: 'grid' })}>
            {t.grid}
          </button>
        </div>
        <Button
          type="tertiary"
          icon={<IconRefresh aria-hidden />}
          data-tip={t.live}
          loading={list.loading}
          onClick={list.reload}
        >
          {t.refresh}
        </Button>
      </PageHead>
      {isAdmin && !mj_notify_enabled && <Note>{t.callbacksOff}</Note>}
      <div className="sheet">
        <FilterBar
          search={{ name: 'mj_id', label: t.taskId }}
          filters={useFilters(isAdmin)}
          value={search}
          onChange={find}
        >
          <TimeSpan value={query} find={find} />
        </FilterBar>
        {asGrid && list.data && list.data.rows.length > 0 ? (
          <>
            <DrawingGrid rows={list.data.rows} onOpen={openPicture} />
            <Pager paging={paging} data={list.data} />
          </>
        ) : (
          <Table
            label={t.title}
            columns={columns}
            rowKey={({ id }) => id}
            rowName={({ mj_id, id }) => mj_id || String(id)}
            list={list}
            paging={paging}
            actions={record.actions}
            empty={{ title: t.empty }}
          />
        )}
      </div>
      {viewer}
      {record.dialog}
    </>
  )
}

function useFilters(isAdmin: boolean): Filter<DrawingFilter>[] {
  const t = useTexts(words)
  const options = (kinds: typeof ACTIONS) =>
    Object.entries(kinds).map(([value, { word }]) => ({ value, label: t[word] }))
  return [
    { name: 'action', label: t.type, options: options(ACTIONS) },
    { name: 'status', label: t.taskStatus, options: options(STATUSES) },
    { name: 'model', label: t.model },
    ...(isAdmin
      ? [
          { name: 'channel_id' as const, label: t.channelId },
          { name: 'user_id' as const, label: t.userId },
        ]
      : []),
  ]
}
