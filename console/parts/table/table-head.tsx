// The head of a table: the title of each column, which sorts by it, and below it those of its second line.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { type KeyboardEvent, useRef } from 'react'
import { useText } from '../../data/texts.tsx'
import { getColumnLayout } from '../../data/preferences.ts'
import { type ArrangedColumn, getNextSort, LEAST_CHOSEN_WIDTH, type SortOrder, type TableColumn } from './column.ts'
import { SelectAll } from './select-row.tsx'

interface HeadProps<T> {
  shown: readonly ArrangedColumn<TableColumn<T>>[]
  unfolds: boolean
  hasActions: boolean
  sort?: SortOrder
  resize: Resize
  /** undefined if no row can be selected. */
  keys: (string | number)[] | undefined
}

interface Resize {
  /** Name of the list, under which the widths are stored. */
  list: string
  /** The widths of the shown columns, in px. */
  widths: readonly number[]
  /** Widest that a column can be given, in px: the others keep their least width. */
  most: number
  /** Shows a column at a width in px while its edge is dragged; null at the end. */
  drag(to: { key: string; width: number } | null): void
}

export function TableHead<T>({ shown, unfolds, hasActions, sort, resize, keys }: HeadProps<T>) {
  const t = useText()
  return (
    <thead>
      <tr>
        {unfolds && (
          <td>
            <span className="only-heard">{t('Details')}</span>
          </td>
        )}
        {keys && (
          <td>
            <SelectAll ids={keys} />
          </td>
        )}
        {shown.map(({ column, below }, index) => (
          <th
            key={column.key}
            scope="col"
            // Otherwise it would also be called by its buttons and its edge.
            aria-label={[column, ...below].map(({ title }) => title).join(', ') || undefined}
            data-column={[column, ...below].map(({ key }) => key).join(' ')}
            className={column.align === 'right' ? 'right' : undefined}
            aria-sort={findSortDirection([column, ...below], sort)}
          >
            <span className="row-title">
              <ColumnTitle column={column} sort={sort} />
            </span>
            {below.length > 0 && (
              <span className="row-second">
                {below.map((each) => (
                  <span key={each.key}>
                    <ColumnTitle column={each} sort={sort} />
                  </span>
                ))}
              </span>
            )}
            <ColumnEdge column={column} width={Math.round(resize.widths[index] ?? column.width)} {...resize} />
          </th>
        ))}
        {hasActions && (
          <td>
            <span className="only-heard">{t('Actions')}</span>
          </td>
        )}
      </tr>
    </thead>
  )
}

/** Steps in px of the arrow keys, alone and with the shift key. */
const STEP = { small: 10, large: 50 }

interface EdgeProps<T> extends Omit<Resize, 'widths'> {
  column: TableColumn<T>
  /** The present width, in px. */
  width: number
}

/**
 * The edge of a column, which is dragged or moved by the arrow keys. A double click and Enter give the width back to the
 * content, Escape the width that was there before.
 */
function ColumnEdge<T>({ column: { key, title }, width, most, list, drag }: EdgeProps<T>) {
  const t = useText()
  const readChosen = () => getColumnLayout(list).read().widths?.[key]
  /** The chosen width when the edge got the focus; undefined for that of the content. */
  const before = useRef<number | undefined>(undefined)
  const store = (chosen: number | undefined) => {
    const layout = getColumnLayout(list).read()
    const { [key]: _, ...others } = layout.widths ?? {}
    getColumnLayout(list).write({ ...layout, widths: chosen === undefined ? others : { ...others, [key]: chosen } })
  }
  const limit = (to: number) => Math.max(LEAST_CHOSEN_WIDTH, Math.min(most, Math.round(to)))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? STEP.large : STEP.small
    const moved = { ArrowLeft: width - step, ArrowRight: width + step, Home: LEAST_CHOSEN_WIDTH, End: most }[event.key]
    if (moved !== undefined) store(limit(moved))
    else if (event.key === 'Enter') store(undefined)
    // A second time it closes what is around the list.
    else if (event.key === 'Escape' && readChosen() !== before.current) store(before.current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Width of the column {title}', { title })}
      aria-valuenow={width}
      aria-valuemin={LEAST_CHOSEN_WIDTH}
      aria-valuemax={most}
      aria-valuetext={t('{n} px', { n: width })}
      className="row-edge"
      onFocus={() => (before.current = readChosen())}
      onKeyDown={onKeyDown}
      onDoubleClick={() => store(undefined)}
      onPointerDown={({ currentTarget: edge, pointerId, clientX: from }) => {
        const begin = edge.parentElement!.getBoundingClientRect().width
        let moved = begin
        edge.setPointerCapture(pointerId)
        const onMove = ({ clientX }: PointerEvent) => {
          moved = limit(begin + clientX - from)
          drag({ key, width: moved })
        }
        const onEnd = () => {
          edge.removeEventListener('pointermove', onMove)
          drag(null)
          if (moved !== begin) store(moved)
        }
        edge.addEventListener('pointermove', onMove)
        edge.addEventListener('lostpointercapture', onEnd, { once: true })
      }}
    />
  )
}

function ColumnTitle<T>({ column, sort }: { column: TableColumn<T>; sort: SortOrder | undefined }) {
  const t = useText()
  const { title, sort: name, help } = column
  return (
    <>
      {name && sort ? (
        <button
          type="button"
          aria-label={t('Sort by {title}', { title })}
          onClick={() => sort.change(getNextSort(sort.by, name))}
        >
          {title}
          <span aria-hidden="true">{sort.by === name ? ' ↑' : sort.by === `-${name}` ? ' ↓' : ''}</span>
        </button>
      ) : (
        title
      )}
      {help && (
        <button type="button" className="plain-button" aria-label={help.label} onClick={help.open}>
          <IconHelpCircle aria-hidden size="small" />
        </button>
      )}
    </>
  )
}

/** Returns undefined if none of the columns of a cell can be sorted by. */
function findSortDirection<T>(columns: readonly TableColumn<T>[], sort: SortOrder | undefined) {
  const names = columns.flatMap(({ sort: name }) => (name && sort ? [name] : []))
  if (names.length === 0) return undefined
  return names.includes(sort!.by) ? 'ascending' : names.includes(sort!.by.slice(1)) ? 'descending' : ('none' as const)
}
