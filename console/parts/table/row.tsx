import { useText } from '../../data/texts.tsx'

// One row: its cells, its button and its menu, and the expanded details below it.
import { IconChevronRight } from '@douyinfe/semi-icons'
import { memo, type MouseEvent, type ReactNode } from 'react'
import { ActionButtons } from './action-buttons.tsx'
import type { ArrangedColumn, TableColumn, TableProps } from './column.ts'
import { SelectRow } from './select-row.tsx'

interface Props<T> {
  row: T
  index: number
  measure: ((element: Element | null) => void) | undefined
  shown: readonly ArrangedColumn<TableColumn<T>>[]
  folded: readonly TableColumn<T>[]
  span: number
  open: boolean
  /** Receives the key of the row; undefined if it has no details. */
  toggle: ((key: string) => void) | undefined
  table: TableProps<T>
}

/** Renders again only if its own props change: other rows come and go while the page scrolls. */
export const TableRow = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<T>({ row, index, measure, shown, folded, span, open, toggle: toggleOf, table }: Props<T>) {
  const t = useText()
  const { rowKey, rowName, isShaded, actions, selection, renderDetails } = table
  const key = rowKey(row)
  const toggle = toggleOf && (() => toggleOf(String(key)))
  const name = rowName(row)
  return (
    <tbody ref={measure} data-index={index} className={isShaded?.(row) ? 'row-shaded' : undefined}>
      <tr
        className={toggle ? 'row-unfolds' : undefined}
        onClick={(event) => {
          if (toggle && isClickOnRow(event)) toggle()
        }}
      >
        {toggle && (
          <td className="row-extra">
            <button
              type="button"
              className={`row-fold${open ? ' row-fold-open' : ''}`}
              aria-expanded={open}
              aria-label={t('Details of {name}', { name })}
              onClick={toggle}
            >
              <IconChevronRight aria-hidden size="small" />
            </button>
          </td>
        )}
        {selection && (
          <td className="row-extra">
            <SelectRow id={key} name={name} />
          </td>
        )}
        {shown.map(({ column, below }, at) => {
          const Cell = at === 0 ? 'th' : 'td'
          return (
            <Cell
              key={column.key}
              scope={at === 0 ? 'row' : undefined}
              className={column.align === 'right' ? 'right' : undefined}
            >
              {below.length === 0 ? (
                column.render(row)
              ) : (
                <>
                  <div className="row-first">{column.render(row)}</div>
                  <div className="row-second">
                    {below.map((each) => (
                      <span key={each.key}>{each.render(row)}</span>
                    ))}
                  </div>
                </>
              )}
            </Cell>
          )
        })}
        {actions && (
          <td className="row-actions">
            <ActionButtons actions={actions(row)} name={name} />
          </td>
        )}
      </tr>
      {open && (
        <tr className="row-details">
          <td colSpan={span}>
            {folded.length > 0 && <LabelledLines columns={folded} row={row} />}
            {renderDetails?.(row)}
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** Returns whether a click is on the row itself: not on an interactive element, and not the end of a text selection. */
export const isClickOnRow = ({ target }: MouseEvent) =>
  !(target as Element).closest('button, a, input, select, label, dialog') &&
  window.getSelection()?.isCollapsed !== false

/** Returns whether a cell shows anything. */
export const isShownValue = (shown: ReactNode): boolean =>
  shown !== null && shown !== undefined && shown !== '' && shown !== false

/** Columns as labelled lines; empty ones are omitted. */
export function LabelledLines<T>({ columns, row }: { columns: readonly TableColumn<T>[]; row: T }) {
  const lines = columns
    .map((column) => ({ ...column, shown: column.render(row) }))
    .filter(({ shown }) => isShownValue(shown))
  return (
    <dl className="lines">
      {lines.map(({ key, title, shown }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  )
}
