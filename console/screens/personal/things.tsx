// A short list of items of the account, each with its facts and actions.
import type { ReactNode } from 'react'
import { useTexts } from '../../data/texts.tsx'
import type { Loaded } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'

interface ThingsProps<T> {
  /** Accessible name of the list. */
  label: string
  list: Loaded<T[]>
  /** Shown if the list is empty. */
  empty: string
  children(thing: T): ReactNode
}

export function ItemList<T extends { id: number | string }>({ label, list, empty, children }: ThingsProps<T>) {
  const t = useTexts(words)
  if (list.data === undefined)
    return list.error ? (
      <EmptyState failed title={t.failed} description={list.error}>
        <Button onClick={list.reload}>{t.retry}</Button>
      </EmptyState>
    ) : (
      <LoadingIndicator />
    )
  if (list.data.length === 0) return <p className="muted">{empty}</p>
  return (
    <ul className="things" aria-label={label}>
      {list.data.map((thing) => (
        <li key={thing.id}>{children(thing)}</li>
      ))}
    </ul>
  )
}

interface ThingProps {
  name: ReactNode
  /** Facts about the item, each in a separate element. */
  facts?: ReactNode
  /** The actions on the item. */
  children?: ReactNode
}

export function ListItem({ name, facts, children }: ThingProps) {
  return (
    <>
      <div className="thing-text">
        <span className="thing-name">{name}</span>
        <span className="thing-facts">{facts}</span>
      </div>
      <span className="row-actions">{children}</span>
    </>
  )
}
