// The top layer of the page. A modal dialog makes everything outside of it inert, so menus, tips and messages are
// rendered inside the topmost dialog.
import { useSyncExternalStore } from 'react'

let open: readonly HTMLElement[] = []
const watchers = new Set<() => void>()

const setDialogs = (dialogs: readonly HTMLElement[]) => {
  open = dialogs
  watchers.forEach((watcher) => watcher())
}

/** Registers an open dialog; returns a function that unregisters it. */
export function registerOpenDialog(dialog: HTMLElement): () => void {
  setDialogs([...open, dialog])
  return () => setDialogs(open.filter((other) => other !== dialog))
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
const top = (): HTMLElement => open.at(-1) ?? document.body

/** Returns whether no other dialog is over this one. */
export const isTopDialog = (dialog: HTMLElement | null): boolean => dialog !== null && open.at(-1) === dialog

/** Returns whether a dialog is open. */
export const isAnythingOpen = (): boolean => open.length > 0

/** Returns the element that floating content is rendered into. */
export const useTopLayer = (): HTMLElement => useSyncExternalStore(subscribe, top)

/**
 * Returns the position of a box next to its anchor: below it, or above if there is no room, in CSS pixels of the
 * window.
 */
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
