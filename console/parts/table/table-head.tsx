// The head of a table: the title of each column, which sorts by it, and below it those of its second line.
import { IconHelpCircle } from '@douyinfe/semi-icons'
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
        {shown.map(({ column, below }) => (
          <th
            key={column.key}
            scope="col"
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
            <ColumnEdge column={column} {...resize} />
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

/** The edge of a column, which is dragged. A double click gives the width back to the content. */
function ColumnEdge<T>({ column: { key }, list, drag }: { column: TableColumn<T> } & Resize) {
  const store = (width: number | undefined) => {
    const layout = getColumnLayout(list).read()
    const { [key]: _, ...others } = layout.widths ?? {}
    getColumnLayout(list).write({ ...layout, widths: width === undefined ? others : { ...others, [key]: width } })
  }
  return (
    <span
      aria-hidden="true"
      className="row-edge"
      onDoubleClick={() => store(undefined)}
      onPointerDown={({ currentTarget: edge, pointerId, clientX: from }) => {
        const begin = edge.parentElement!.getBoundingClientRect().width
        let width = begin
        edge.setPointerCapture(pointerId)
        const onMove = ({ clientX }: PointerEvent) => {
          width = Math.max(LEAST_CHOSEN_WIDTH, Math.round(begin + clientX - from))
          drag({ key, width })
        }
        const onEnd = () => {
          edge.removeEventListener('pointermove', onMove)
          drag(null)
          if (width !== begin) store(width)
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
