// The selected rows, known only to their checkboxes, so that a click on one renders no row again.
import { createContext, useContext } from 'react'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import type { Selection } from './column.ts'
import { words } from './texts.ts'

export const SelectionContext = createContext<Selection | undefined>(undefined)

type Key = string | number

export function SelectRow({ id, name }: { id: Key; name: string }) {
  const t = useTexts(words)
  const selection = useContext(SelectionContext)
  if (!selection || selection.has?.(id) === false) return null
  const others = selection.keys.filter((key) => String(key) !== String(id))
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={fillPhrase(t.selectOne, { name })}
      checked={others.length < selection.keys.length}
      onChange={({ target }) => selection.select(target.checked ? [...others, id] : others)}
    />
  )
}

/** Ids of the rows of this page. */
export function SelectAll({ ids }: { ids: readonly Key[] }) {
  const t = useTexts(words)
  const selection = useContext(SelectionContext)
  if (!selection) return null
  const keys = ids.filter((id) => selection.has?.(id) !== false)
  const chosen = new Set(selection.keys.map(String))
  const count = keys.filter((key) => chosen.has(String(key))).length
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={t.selectAll}
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
