// What can be taken back for some seconds: the shell says what was done, with 'Undo' beside it (and Ctrl+Z).
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { RequestFailure } from '../data/client.ts'
import { notify } from '../data/notify.ts'
import { currentLanguage, fill } from '../data/texts.tsx'
import type { Loaded } from '../data/use-endpoint.ts'
import type { Rows } from '../data/use-paging.ts'
import { words } from './texts.ts'

interface Undoable<T> {
  /** What was done, in short: `main disabled`. */
  said: string
  act(): Promise<T>
  /** Does the opposite, with what came of the act. */
  back(done: T): Promise<unknown>
}

/** Does it now, and offers the way back: for what has an exact opposite. Throws what `act` throws, and says nothing then. */
export async function undoable<T>({ said, act, back }: Undoable<T>): Promise<T> {
  const done = await act()
  notify.success(said, { undo: () => void quietly(async () => void (await back(done))) })
  return done
}

interface Deletion {
  /** The list that the rows go from: what `useRemaining` was given. */
  from: string
  ids: readonly (number | string)[]
  /** What is deleted, as people call it. */
  name: string
  /** Deletes it on the server. It is called when nobody can want it back: nothing is ever half deleted. */
  act(): Promise<void>
  /** What puts it out of use until then, with its opposite: a key that is deleted must not work for seconds more. */
  meanwhile?: { act(): Promise<unknown>; back(): Promise<unknown> }
}

/** The rows go from the list at once; they are deleted when the message is gone, or the page is left before that. */
export function deleteWithUndo({ from, ids, name, act, meanwhile }: Deletion): void {
  const keys = ids.map((id) => keyOf(from, id))
  change([...gone, ...keys])
  const restore = () => change([...gone].filter((key) => !keys.includes(key)))
  const begun = quietly(async () => void (await meanwhile?.act()))
  const finish = async () => {
    if (!open.delete(finish)) return
    await begun
    // What could not be deleted is there again; why was told.
    await quietly(act, restore)
  }
  open.add(finish)
  const undo = () => {
    open.delete(finish)
    restore()
    void begun.then(() => quietly(async () => void (await meanwhile?.back())))
  }
  notify.info(fill(words[currentLanguage()].deleting, { name }), { undo, over: () => void finish() })
}

/** Makes the deletions that are still open: nobody will be here to take them back. */
export const finishDeletions = async (): Promise<void> => void (await Promise.all([...open].map((finish) => finish())))

/** A list without the rows that are being deleted. */
export function useRemaining<T extends { id: number | string }>(from: string, list: Loaded<Rows<T>>): Loaded<Rows<T>> {
  const isGone = useGone(from)
  return useMemo(() => {
    const { data } = list
    const rows = data?.rows.filter(({ id }) => !isGone(id))
    if (!data || !rows || rows.length === data.rows.length) return list
    return { ...list, data: { ...data, rows, total: data.total - (data.rows.length - rows.length) } }
  }, [list, isGone])
}

/** Which of a list are being deleted. */
export function useGone(from: string): (id: number | string) => boolean {
  const hidden = useSyncExternalStore(subscribe, () => gone)
  return useCallback((id: number | string) => hidden.has(keyOf(from, id)), [hidden, from])
}

const keyOf = (from: string, id: number | string) => `${from} ${id}`

/** What is deleted or about to be; an id is never given twice. */
let gone: ReadonlySet<string> = new Set()
/** Deletions whose call is not made yet. */
const open = new Set<() => Promise<void>>()
const watchers = new Set<() => void>()

function change(keys: Iterable<string>) {
  gone = new Set(keys)
  watchers.forEach((watcher) => watcher())
}

function subscribe(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** A call that failed was told already. */
async function quietly(work: () => Promise<void>, failed?: () => void) {
  try {
    await work()
  } catch (error) {
    failed?.()
    if (!(error instanceof RequestFailure)) throw error
  }
}

window.addEventListener('pagehide', () => void finishDeletions())
