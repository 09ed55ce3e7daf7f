// Rows of a list as cards, for a phone: title and badge on top, labelled lines, actions below.
import { useState } from 'react'
import { Button, Checkbox } from '../semi.ts'
import { useTexts } from '../data/texts.tsx'
import type { Column, ResourceTableProps } from './resource-column.ts'
import { words } from './texts.ts'

export function ResourceCards<T>({ rows, rowKey, ...rest }: ResourceTableProps<T> & { rows: T[] }) {
  return (
    <ul className="cards">
      {rows.map((row) => (
        <Card key={rowKey(row)} row={row} id={rowKey(row)} {...rest} />
      ))}
    </ul>
  )
}

type CardProps<T> = Pick<ResourceTableProps<T>, 'columns' | 'isShaded' | 'renderDetails' | 'selection'> & {
  row: T
  id: string | number
}

function Card<T>({ row, id, columns, isShaded, renderDetails, selection }: CardProps<T>) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  const at = (place: Column<T>['card']) => columns.filter(({ card }) => card === place)
  return (
    <li className={`card${isShaded?.(row) ? ' row-shaded' : ''}`}>
      <div className="card-head">
        {selection && (
          <Checkbox
            aria-label={String(id)}
            checked={selection.keys.map(String).includes(String(id))}
            onChange={({ target }) =>
              selection.select(
                target.checked ? [...selection.keys, id] : selection.keys.filter((key) => String(key) !== String(id)),
              )
            }
          />
        )}
        <div className="card-title">
          {at('title').map((column) => (
            <span key={column.key}>{column.render(row)}</span>
          ))}
        </div>
        {at('badge').map((column) => (
          <span key={column.key}>{column.render(row)}</span>
        ))}
      </div>
      <dl className="card-lines">
        {at(undefined)
          .map((column) => ({ ...column, shown: column.render(row) }))
          .filter(({ shown }) => shown !== null && shown !== undefined && shown !== '' && shown !== false)
          .map(({ key, title, shown }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>{shown}</dd>
            </div>
          ))}
      </dl>
      {at('actions').map((column) => (
        <div key={column.key} className="card-actions">
          {column.render(row)}
        </div>
      ))}
      {renderDetails && (
        <Button size="small" theme="borderless" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t.details}
        </Button>
      )}
      {renderDetails && open && renderDetails(row)}
    </li>
  )
}
