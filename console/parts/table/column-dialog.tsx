// The dialog that chooses the columns of a list and their order. Nothing is stored before it is confirmed.
import { IconArrowDown, IconArrowUp } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { getColumnLayout, getListColumns } from '../../data/preferences.ts'
import { useText } from '../../data/texts.tsx'
import { Button, Checkbox } from '../../semi.ts'
import { ModalDialog } from '../overlay/dialog.tsx'
import type { TableColumn } from './column.ts'
import { sortColumns } from './column-order.ts'

interface Props<T> {
  list: string
  columns: TableColumn<T>[]
  onClose(): void
}

export function ColumnDialog<T>({ list, columns, onClose }: Props<T>) {
  const t = useText()
  const [draft, setDraft] = useState(() => getListColumns(list).read())
  const [order, setOrder] = useState(() =>
    sortColumns(columns, getColumnLayout(list).read().order ?? []).map(({ key }) => key),
  )
  const [widths, setWidths] = useState(() => getColumnLayout(list).read().widths)
  const choosable = sortColumns(columns, order).filter(({ title }) => title !== '')
  const isOn = (key: string) => draft[key] !== false
  const count = choosable.filter(({ key }) => isOn(key)).length
  const setAll = (on: boolean) => setDraft(Object.fromEntries(choosable.map(({ key }) => [key, on])))
  const [moved, setMoved] = useState('')
  const move = ({ key, title }: TableColumn<T>, at: number, by: number) => {
    if (!choosable[at + by]) return
    setMoved(t('{title}: column {n} of {total}', { title, n: at + by + 1, total: choosable.length }))
    setOrder((old) => {
      const [from, to] = [old.indexOf(key), old.indexOf(key) + by]
      const next = [...old]
      ;[next[from], next[to]] = [next[to]!, next[from]!]
      return next
    })
  }
  const reset = () => {
    setAll(true)
    setOrder(columns.map(({ key }) => key))
    setWidths(undefined)
  }
  const save = () => {
    getListColumns(list).write(draft)
    const isOrdered = order.some((key, at) => columns[at]?.key !== key)
    getColumnLayout(list).write({ ...(isOrdered ? { order } : {}), ...(widths ? { widths } : {}) })
    onClose()
  }
  return (
    <ModalDialog
      title={t('Column settings')}
      onClose={onClose}
      foot={
        <>
          <Button className="dialog-aside" type="tertiary" onClick={reset}>
            {t('Reset')}
          </Button>
          <Button type="tertiary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button theme="solid" onClick={save}>
            {t('OK')}
          </Button>
        </>
      }
    >
      <Checkbox
        checked={count === choosable.length}
        indeterminate={count > 0 && count < choosable.length}
        onChange={({ target }) => setAll(target.checked === true)}
      >
        {t('All', { context: 'columns' })}
      </Checkbox>
      <div className="column-choices">
        {choosable.map((column, at) => (
          <div key={column.key}>
            <Checkbox
              checked={isOn(column.key)}
              onChange={({ target }) => setDraft((old) => ({ ...old, [column.key]: target.checked === true }))}
            >
              {column.title}
            </Checkbox>
            <button
              type="button"
              className="plain-button"
              aria-label={t('Move {title} forward', { title: column.title })}
              // A disabled button would lose the focus.
              aria-disabled={at === 0}
              onClick={() => move(column, at, -1)}
            >
              <IconArrowUp aria-hidden size="small" />
            </button>
            <button
              type="button"
              className="plain-button"
              aria-label={t('Move {title} back', { title: column.title })}
              aria-disabled={at === choosable.length - 1}
              onClick={() => move(column, at, 1)}
            >
              <IconArrowDown aria-hidden size="small" />
            </button>
          </div>
        ))}
      </div>
      <p className="only-heard" role="status">
        {moved}
      </p>
    </ModalDialog>
  )
}
