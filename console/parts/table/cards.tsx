// Rows of a list on a phone: title, two numbers, state and menu; a tap shows the rest.
import { IconChevronRight } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useText } from '../../data/texts.tsx'
import { ActionButtons } from './action-buttons.tsx'
import { listRequiredColumns, type RowActions, type TableColumn, type TableProps } from './column.ts'
import { isClickOnRow, isShownValue, LabelledLines } from './row.tsx'
import { SelectRow } from './select-row.tsx'

export function TableCards<T>({ rows, table }: { rows: T[]; table: TableProps<T> }) {
  return (
    <ul className="cards" aria-label={table.label} data-required={listRequiredColumns(table.columns).join(' ')}>
      {rows.map((row) => (
        <Card key={table.rowKey(row)} row={row} {...table} />
      ))}
    </ul>
  )
}

function Card<T>({ row, ...table }: Omit<TableProps<T>, 'label'> & { row: T }) {
  const { columns, rowKey, rowName, isShaded, renderDetails, selection, actions } = table
  const t = useText()
  const [open, setOpen] = useState(false)
  const at = (place: TableColumn<T>['card']) => columns.filter(({ card }) => card === place)
  const isFilled = (column: TableColumn<T>) => isShownValue(column.render(row))
  const numbers = at('number').filter(isFilled)
  // A row without what names the others is named by its first number.
  const named = [...(at('title').length > 0 ? at('title') : columns.slice(0, 1)).filter(isFilled), ...numbers]
  const title = named.slice(0, 1)
  const badges = at('badge')
  // A number in the head of the row may be cut.
  const rest = columns.filter((column) => ![...title, ...badges].includes(column))
  const toggle = () => setOpen(!open)
  return (
    <li className={`card${isShaded?.(row) ? ' row-shaded' : ''}`}>
      <div
        className="card-head"
        onClick={(event) => {
          if (isClickOnRow(event)) toggle()
        }}
      >
        {selection && <SelectRow id={rowKey(row)} name={rowName(row)} />}
        <div className="card-lines">
          <div className="card-first">
            <div className="card-title">
              {title.map((column) => (
                <span key={column.key} data-column={column.key}>
                  {column.render(row)}
                </span>
              ))}
            </div>
            {badges.map((column) => (
              <span key={column.key} className="card-badge" data-column={column.key}>
                {column.render(row)}
              </span>
            ))}
          </div>
          {numbers.some((column) => !title.includes(column)) && (
            <div className="card-numbers">
              {numbers
                .filter((column) => !title.includes(column))
                .map((column) => (
                  <span key={column.key} data-column={column.key}>
                    <span className="muted">{column.title}</span> {column.render(row)}
                  </span>
                ))}
            </div>
          )}
        </div>
        {actions && <ActionButtons actions={toMenu(actions(row))} name={rowName(row)} />}
        <button
          type="button"
          className={`row-fold${open ? ' row-fold-open' : ''}`}
          aria-expanded={open}
          aria-label={t('Details of {name}', { name: rowName(row) })}
          onClick={toggle}
        >
          <IconChevronRight aria-hidden size="small" />
        </button>
      </div>
      {open && (
        <div className="card-rest">
          <LabelledLines columns={rest} row={row} />
          {renderDetails?.(row)}
        </div>
      )}
    </li>
  )
}

/** On a phone there is room for the menu alone. */
const toMenu = ({ verb, more }: RowActions): RowActions => ({ more: verb ? [verb, ...more] : more })
