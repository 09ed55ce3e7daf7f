// What lies over the page. A modal dialog makes all outside of it unreachable, so menus, tips and messages are drawn inside
// the dialog that lies on top.
import { useSyncExternalStore } from 'react'

let open: readonly HTMLElement[] = []
const watchers = new Set<() => void>()

const changed = (dialogs: readonly HTMLElement[]) => {
  open = dialogs
  watchers.forEach((watcher) => watcher())
}

/** Says that a dialog stands open; gives what says that it does no more. */
export function registerOpenDialog(dialog: HTMLElement): () => void {
  changed([...open, dialog])
  return () => changed(open.filter((other) => other !== dialog))
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
const top = (): HTMLElement => open.at(-1) ?? document.body

/** Is anybody filling in a dialog? */
export const isAnythingOpen = (): boolean => open.length > 0

/** Where something that lies over everything is drawn. */
export const useTopLayer = (): HTMLElement => useSyncExternalStore(subscribe, top)

/** Where a box of that size goes beside its anchor: below it, or above where there is no room. In CSS pixels of the window. */
export function placeBox(anchor: DOMRect, box: { width: number; height: number }, align: 'start' | 'end' = 'start') {
  const { innerWidth, innerHeight } = window
  const left = align === 'start' ? anchor.left : anchor.right - box.width
  const below = anchor.bottom + GAP
  const fitsBelow = below + box.height <= innerHeight - GAP
  const above = anchor.top - GAP - box.height
  return {
    left: Math.max(GAP, Math.min(left, innerWidth - box.width - GAP)),
    top: fitsBelow || above < GAP ? Math.min(below, Math.max(GAP, innerHeight - box.height - GAP)) : above,
  }
}

const GAP = 6
