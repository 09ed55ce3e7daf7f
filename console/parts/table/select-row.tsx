import { useText } from '../../data/texts.tsx'

// The selected rows, known only to their checkboxes, so that a click on one renders no row again.
import { createContext, useContext } from 'react'
import type { RowSelection } from './column.ts'
export const SelectionContext = createContext<RowSelection | undefined>(undefined)

type RowKey = string | number

export function SelectRow({ id, name }: { id: RowKey; name: string }) {
  const t = useText()
  const selection = useContext(SelectionContext)
  if (!selection || selection.has?.(id) === false) return null
  const others = selection.keys.filter((key) => String(key) !== String(id))
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={t('Select {name}', { name })}
      checked={others.length < selection.keys.length}
      onChange={({ target }) => selection.select(target.checked ? [...others, id] : others)}
    />
  )
}

/** Ids of the rows of this page. */
export function SelectAll({ ids }: { ids: readonly RowKey[] }) {
  const t = useText()
  const selection = useContext(SelectionContext)
  if (!selection) return null
  const keys = ids.filter((id) => selection.has?.(id) !== false)
  const chosen = new Set(selection.keys.map(String))
  const count = keys.filter((key) => chosen.has(String(key))).length
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={t('Select all on this page')}
      checked={count > 0 && count === keys.length}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && count < keys.length
      }}
      onChange={({ target }) => {
        const here = new Set(keys.map(String))
        const others = selection.keys.filter((key) => !here.has(String(key)))
        selection.select(target.checked ? [...others, ...keys] : others)
      }}
    />
  )
}
