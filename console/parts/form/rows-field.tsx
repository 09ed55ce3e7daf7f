import { useText } from '../../data/texts.tsx'

// Named values in rows of a small table: headers and their texts, models and their numbers.
import { IconDelete } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import { Button, Input } from '../../semi.ts'
import './rows-field.css'

interface Props<V> {
  label: string
  /** Headers of the names and of the values. */
  heads: readonly [string, string]
  value: Readonly<Record<string, V>>
  onChange(value: Record<string, V>): void
  /** The initial value of a new row. */
  blank: V
  /** The control of one value. */
  renderValue(control: { label: string; value: V; onChange(value: V): void }): ReactNode
  /** Rendered next to the button that adds a row. */
  extra?: ReactNode
  /** Shows the rows to be read only, without buttons. */
  disabled?: boolean
}

type FieldRow<V> = readonly [name: string, value: V]

/** Returns the values by name. Rows without a name are skipped. */
const buildValue = <V,>(rows: readonly FieldRow<V>[]): Record<string, V> =>
  Object.fromEntries(rows.filter(([name]) => name.trim() !== '').map(([name, value]) => [name.trim(), value]))

export function RowsField<V>({ label, heads, value, onChange, blank, renderValue, extra, disabled }: Props<V>) {
  const t = useText()
  const [draftRows, setDraftRows] = useState<readonly FieldRow<V>[]>(() => Object.entries(value))
  // Rows in progress may have incomplete or duplicate names, so they are retained until the value is changed elsewhere.
  const rows = JSON.stringify(buildValue(draftRows)) === JSON.stringify(value) ? draftRows : Object.entries(value)
  const put = (next: readonly FieldRow<V>[]) => {
    setDraftRows(next)
    onChange(buildValue(next))
  }
  const change = (at: number, row: FieldRow<V>) => put(rows.map((one, index) => (index === at ? row : one)))
  const isTwice = (name: string, at: number) =>
    name.trim() !== '' && rows.some(([other], index) => index < at && same(other, name))
  return (
    <div className="rows-field">
      {rows.length > 0 && (
        <div className="rows-heads" aria-hidden="true">
          <span>{heads[0]}</span>
          <span>{heads[1]}</span>
        </div>
      )}
      {rows.map(([name, own], at) => (
        <div key={at} className="rows-row">
          <div>
            <Input
              className="mono"
              aria-label={`${label}: ${heads[0]} ${at + 1}`}
              validateStatus={isTwice(name, at) ? 'error' : 'default'}
              disabled={disabled}
              value={name}
              onChange={(typed) => change(at, [typed, own])}
            />
            {isTwice(name, at) && (
              <div className="field-error" role="alert">
                {t('This name already exists.')}
              </div>
            )}
          </div>
          {renderValue({
            label: `${label}: ${heads[1]} ${at + 1}`,
            value: own,
            onChange: (next) => change(at, [name, next]),
          })}
          {!disabled && (
            <Button
              theme="borderless"
              type="tertiary"
              icon={<IconDelete aria-hidden />}
              aria-label={t('Remove {name}', { name: name || String(at + 1) })}
              onClick={() => put(rows.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <div className="field-row">
          <Button size="small" type="tertiary" onClick={() => setDraftRows([...rows, ['', blank]])}>
            {t('Add a row')}
          </Button>
          {extra}
        </div>
      )}
    </div>
  )
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
