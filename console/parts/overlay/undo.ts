// Actions that can be undone for some seconds: the shell shows a message with 'Undo' (and Ctrl+Z).
import { useCallback, useMemo } from 'react'
import { RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { createSharedValue, useSharedValue } from '../../data/page-state.ts'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { PageOfRows } from '../../data/use-paging.ts'
import { translate } from '../../data/texts.tsx'

interface Undoable<T> {
  /** Short description of the action: `main disabled`. */
  message: string
  /** The message begins with a word, and not with the name of a thing. */
  isSentence?: boolean
  act(): Promise<T>
  /** Reverts the action, given its result. */
  back(done: T): Promise<unknown>
}

/**
 * Runs the action at once and offers an undo, for actions with an exact opposite. Throws what `act` throws, without a
 * message.
 */
export async function runWithUndo<T>({ message, isSentence, act, back }: Undoable<T>): Promise<T> {
  const done = await act()
  showNotice.success(message, { isSentence, undo: () => void quietly(async () => void (await back(done))) })
  return done
}

interface Deletion {
  /** The list of the rows: the value passed to `useRemaining`. */
  from: string
  ids: readonly (number | string)[]
  /** Display name of the deleted item. */
  name: string
  /** Deletes on the server. It is called when an undo is no longer possible, so nothing is ever half deleted. */
  act(): Promise<void>
  /** Disables the item until then, with its opposite: a key that is deleted must not work for some seconds more. */
  meanwhile?: { act(): Promise<unknown>; back(): Promise<unknown> }
}

/** The rows disappear from the list at once. They are deleted when the message disappears or the page is left. */
export function deleteWithUndo({ from, ids, name, act, meanwhile }: Deletion): void {
  const keys = ids.map((id) => buildRowKey(from, id))
  hiddenRows.set(new Set([...hiddenRows.get(), ...keys]))
  const restore = () => hiddenRows.set(new Set([...hiddenRows.get()].filter((key) => !keys.includes(key))))
  const disabling = quietly(async () => void (await meanwhile?.act()))
  const finish = async () => {
    if (!open.delete(finish)) return
    await disabling
    // Rows that could not be deleted reappear; the error was already shown.
    await quietly(act, restore)
  }
  open.add(finish)
  const undo = () => {
    open.delete(finish)
    restore()
    void disabling.then(() => quietly(async () => void (await meanwhile?.back())))
  }
  showNotice.info(translate('Deleting {name}…', { name }), { undo, done: () => void finish() })
}

/** Runs the pending deletions at once, because the page is about to close and nothing can be undone. */
export const finishDeletions = async (): Promise<void> => void (await Promise.all([...open].map((finish) => finish())))

/** Returns a list without the rows that are being deleted. */
export function useRemaining<T extends { id: number | string }>(
  from: string,
  list: LoadedEndpoint<PageOfRows<T>> & { loadAll?(): Promise<T[]> },
): LoadedEndpoint<PageOfRows<T>> & { loadAll?(): Promise<T[]> } {
  const isGone = useDeleted(from)
  return useMemo(() => {
    const { data } = list
    const rows = data?.rows.filter(({ id }) => !isGone(id))
    if (!data || !rows || rows.length === data.rows.length) return list
    return { ...list, data: { ...data, rows, total: data.total - (data.rows.length - rows.length) } }
  }, [list, isGone])
}

/** Returns whether a row of a list is being deleted. */
export function useDeleted(from: string): (id: number | string) => boolean {
  const hidden = useSharedValue(hiddenRows)
  return useCallback((id: number | string) => hidden.has(buildRowKey(from, id)), [hidden, from])
}

const buildRowKey = (from: string, id: number | string) => `${from} ${id}`

/** Deleted and soon deleted rows; an id is never reused. */
const hiddenRows = createSharedValue<ReadonlySet<string>>(new Set())
/** Deletions that have not been sent yet. */
const open = new Set<() => Promise<void>>()

/** A failed call was already shown. */
async function quietly(work: () => Promise<void>, failed?: () => void) {
  try {
    await work()
  } catch (error) {
    failed?.()
    if (!(error instanceof RequestFailure)) throw error
  }
}

window.addEventListener('pagehide', () => void finishDeletions())
