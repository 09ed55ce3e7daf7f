import { useText } from '../../data/texts.tsx'

// Rows of a list as cards in narrow places: title and badge on top, labelled lines, actions below.
import { useState } from 'react'
import { ActionButtons } from './action-buttons.tsx'
import type { TableColumn, TableProps } from './column.ts'
import { LabelledLines } from './row.tsx'
import { SelectRow } from './select-row.tsx'

export function TableCards<T>({ rows, table }: { rows: T[]; table: TableProps<T> }) {
  return (
    <ul className="cards" aria-label={table.label}>
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
  const title = at('title').length > 0 ? at('title') : columns.slice(0, 1)
  return (
    <li className={`card${isShaded?.(row) ? ' row-shaded' : ''}`}>
      <div className="card-head">
        {selection && <SelectRow id={rowKey(row)} name={rowName(row)} />}
        <div className="card-title">
          {title.map((column) => (
            <span key={column.key}>{column.render(row)}</span>
          ))}
        </div>
        {at('badge').map((column) => (
          <span key={column.key}>{column.render(row)}</span>
        ))}
      </div>
      <LabelledLines columns={at(undefined).filter((column) => !title.includes(column))} row={row} />
      {(actions || renderDetails) && (
        <div className="card-actions">
          {renderDetails && (
            <button
              type="button"
              className="plain-button"
              aria-expanded={open}
              aria-label={t('Details of {name}', { name: rowName(row) })}
              onClick={() => setOpen(!open)}
            >
              {t('Details')}
            </button>
          )}
          {actions && <ActionButtons actions={actions(row)} name={rowName(row)} />}
        </div>
      )}
      {renderDetails && open && renderDetails(row)}
    </li>
  )
}
