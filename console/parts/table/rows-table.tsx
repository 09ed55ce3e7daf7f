// The rows of a list as a table. Of many rows, only the visible ones are rendered.
import { useWindowVirtualizer, windowScroll, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { arrangeColumns, distributeChosenWidths, listRequiredColumns, type TableProps } from './column.ts'
import { usePrinted } from '../use-printed.ts'
import { TableRow } from './row.tsx'
import { TableHead } from './table-head.tsx'
import { useContentWidths } from './use-content-widths.ts'

/** Widths of the extra cells of each row, in px. */
const EXTRA_WIDTHS = { fold: 34, check: 38, menu: 48 }
/** Width of a button around its text, and of one letter, in px. A Chinese letter is twice as wide. */
const VERB = { padding: 18, letter: 7.4 }
const LEAST_VERB = 64

const measureVerb = (verb: string): number =>
  VERB.padding + [...verb].reduce((sum, letter) => sum + VERB.letter * (letter > '\u2e80' ? 2 : 1), 0)
const ROW_HEIGHT = 37
const DRAWN_AT_ONCE = 50

export function RowsTable<T>({ table, rows, width }: { table: TableProps<T>; rows: T[]; width: number }) {
  const { columns, rowKey, actions, selection, renderDetails, sort, label } = table
  // A menu without a button next to it needs less room.
  const verbs = new Set(actions ? rows.map((row) => String(actions(row).verb?.label ?? '')) : [])
  verbs.delete('')
  const forVerb = verbs.size === 0 ? 0 : Math.ceil(Math.max(LEAST_VERB, ...[...verbs].map(measureVerb)))
  const forActions = actions ? EXTRA_WIDTHS.menu + forVerb : 0
  const room = width - (selection ? EXTRA_WIDTHS.check : 0) - forActions
  const { shown, folded } = useMemo(() => {
    const whole = arrangeColumns(columns, renderDetails ? room - EXTRA_WIDTHS.fold : room)
    return whole.folded.length === 0 ? whole : arrangeColumns(columns, room - EXTRA_WIDTHS.fold)
  }, [columns, room, renderDetails])
  const unfolds = folded.length > 0 || renderDetails !== undefined
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (key: string) =>
      setOpen((old) => new Set(old.has(key) ? [...old].filter((other) => other !== key) : [...old, key])),
    [],
  )
  const body = useRef<HTMLTableElement>(null)
  const drawn = useDrawn(rows.length, body)
  const contents = useContentWidths(body, shown, rows)
  const [dragged, drag] = useState<{ key: string; width: number } | null>(null)
  const widths = distributeChosenWidths(
    shown.map(({ column }, at) => ({
      content: contents[at]!,
      chosen: dragged?.key === column.key ? dragged.width : column.chosenWidth,
    })),
    room - (unfolds ? EXTRA_WIDTHS.fold : 0),
  )
  const span = shown.length + (unfolds ? 1 : 0) + (selection ? 1 : 0) + (actions ? 1 : 0)
  return (
    <table
      ref={body}
      className="rows"
      aria-label={label}
      aria-rowcount={rows.length}
      data-folded={folded.map(({ key }) => key).join(' ')}
      data-required={listRequiredColumns(columns).join(' ')}
    >
      <colgroup>
        {unfolds && <col style={{ width: EXTRA_WIDTHS.fold }} />}
        {selection && <col style={{ width: EXTRA_WIDTHS.check }} />}
        {shown.map(({ column }, index) => (
          <col key={column.key} style={{ width: widths[index] }} />
        ))}
        {actions && <col style={{ width: forActions }} />}
      </colgroup>
      <TableHead
        shown={shown}
        unfolds={unfolds}
        hasActions={actions !== undefined}
        sort={sort}
        resize={{ list: table.name, drag }}
        keys={selection && rows.map(rowKey)}
      />
      {drawn.before > 0 && <Gap height={drawn.before} span={span} />}
      {drawn.indexes.map((index) => {
        const row = rows[index]!
        const key = String(rowKey(row))
        return (
          <TableRow
            key={key}
            row={row}
            index={index}
            measure={drawn.measure}
            shown={shown}
            folded={folded}
            span={span}
            open={open.has(key)}
            toggle={unfolds ? toggle : undefined}
            table={table}
          />
        )
      })}
      {drawn.after > 0 && <Gap height={drawn.after} span={span} />}
    </table>
  )
}

/** Returns which rows are rendered, and the heights above and below them. */
function useDrawn(count: number, body: React.RefObject<HTMLTableElement | null>) {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => setMargin(body.current?.offsetTop ?? 0), [body])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: margin,
    enabled: count > DRAWN_AT_ONCE,
    // Otherwise the size is known only after the first rows are rendered, which renders them twice.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    measureElement: measureRow,
    scrollToFn: keepPlace,
  })
  const printed = usePrinted()
  if (count <= DRAWN_AT_ONCE || printed) {
    return { indexes: Array.from({ length: count }, (_, index) => index), before: 0, after: 0, measure: undefined }
  }
  const items = virtual.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    before: (items[0]?.start ?? margin) - margin,
    after: virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    measure: virtual.measureElement,
  }
}

/**
 * Scrolls only to compensate for rows above that turn out taller. Scrolling to the initial offset would lay out all
 * rows at once.
 */
const keepPlace: typeof windowScroll = (offset, { adjustments, behavior }, virtual) => {
  if (adjustments) windowScroll(offset, { adjustments, behavior }, virtual)
}

/** Takes the height from the observer. Measuring the element would force a layout of the page for each row. */
const measureRow = (
  row: Element,
  entry: ResizeObserverEntry | undefined,
  { measurementsCache }: Virtualizer<Window, Element>,
) =>
  entry?.borderBoxSize[0]
    ? Math.round(entry.borderBoxSize[0].blockSize)
    : (measurementsCache[Number((row as HTMLElement).dataset['index'])]?.size ?? ROW_HEIGHT)

const Gap = ({ height, span }: { height: number; span: number }) => (
  <tbody aria-hidden="true">
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  </tbody>
)
