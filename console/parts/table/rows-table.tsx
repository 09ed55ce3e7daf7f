// The rows of a list as a table. Of many rows, only the visible ones are rendered.
import { useCallback, useMemo, useRef, useState } from 'react'
import {
  arrangeColumns,
  distributeChosenWidths,
  LEAST_CHOSEN_WIDTH,
  listRequiredColumns,
  type TableProps,
} from './column.ts'
import type { DrawnProps } from './drawn.ts'
import { usePrinted } from '../use-printed.ts'
import { loadLater } from '../load-later.ts'
import { TableRow } from './row.tsx'
import { TableHead } from './table-head.tsx'
import { useContentWidths } from './use-content-widths.ts'

/** Widths of the extra cells of each row, in px. */
const EXTRA_WIDTHS = { fold: 34, check: 38, menu: 48, noMenu: 16 }
/** Width of a button around its text, and of one letter, in px. A Chinese letter is twice as wide. */
const VERB = { padding: 18, letter: 7.4 }
const LEAST_VERB = 50

const measureVerb = (verb: string): number =>
  VERB.padding + [...verb].reduce((sum, letter) => sum + VERB.letter * (letter > '\u2e80' ? 2 : 1), 0)
const DRAWN_AT_ONCE = 50

export function RowsTable<T>({ table, rows, width }: { table: TableProps<T>; rows: T[]; width: number }) {
  const { columns, rowKey, actions, selection, renderDetails, sort, label } = table
  // A menu without a button next to it needs less room, and so does a button without a menu.
  const offered = actions ? rows.map(actions) : []
  const verbs = new Set(offered.map(({ verb }) => String(verb?.label ?? '')))
  verbs.delete('')
  const forVerb = verbs.size === 0 ? 0 : Math.ceil(Math.max(LEAST_VERB, ...[...verbs].map(measureVerb)))
  const forMenu =
    forVerb > 0 && offered.every(({ more }) => more.length === 0) ? EXTRA_WIDTHS.noMenu : EXTRA_WIDTHS.menu
  const forActions = actions ? forMenu + forVerb : 0
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
  const printed = usePrinted()
  const contents = useContentWidths(body, shown, rows)
  const [dragged, drag] = useState<{ key: string; width: number } | null>(null)
  const columnRoom = room - (unfolds ? EXTRA_WIDTHS.fold : 0)
  const widths = distributeChosenWidths(
    shown.map(({ column }, at) => ({
      content: contents[at]!,
      chosen: dragged?.key === column.key ? dragged.width : column.chosenWidth,
    })),
    columnRoom,
  )
  const most = Math.max(LEAST_CHOSEN_WIDTH, Math.floor(columnRoom - (shown.length - 1) * LEAST_CHOSEN_WIDTH))
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
        resize={{ list: table.name, widths, most, drag }}
        keys={selection && rows.map(rowKey)}
      />
      <DrawnRows count={rows.length} all={printed} body={body}>
        {(drawn) => (
          <>
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
          </>
        )}
      </DrawnRows>
    </table>
  )
}

/** Most lists are short and need no virtualizer. */
const VirtualRows = loadLater(async () => (await import('./virtual-rows.tsx')).VirtualRows)

function DrawnRows({ all, ...props }: DrawnProps & { all: boolean }) {
  const { count, children } = props
  if (count > DRAWN_AT_ONCE && !all) return <VirtualRows {...props} />
  return children({ indexes: Array.from({ length: count }, (_, index) => index), before: 0, after: 0 })
}

const Gap = ({ height, span }: { height: number; span: number }) => (
  <tbody aria-hidden="true">
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  </tbody>
)
