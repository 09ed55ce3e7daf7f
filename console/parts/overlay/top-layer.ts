// The top layer of the page. A modal dialog makes everything outside of it inert, so menus, tips and messages are
// rendered inside the topmost dialog.
import { createSharedValue, useSharedValue } from '../../data/page-state.ts'

const openDialogs = createSharedValue<readonly HTMLElement[]>([])

/** Registers an open dialog; returns a function that unregisters it. */
export function registerOpenDialog(dialog: HTMLElement): () => void {
  openDialogs.set([...openDialogs.get(), dialog])
  return () => openDialogs.set(openDialogs.get().filter((other) => other !== dialog))
}

/** Returns whether no other dialog is over this one. */
export const isTopDialog = (dialog: HTMLElement | null): boolean =>
  dialog !== null && openDialogs.get().at(-1) === dialog

/** Returns whether a dialog is open. */
export const isAnythingOpen = (): boolean => openDialogs.get().length > 0

/** Returns the element that floating content is rendered into. */
export const useTopLayer = (): HTMLElement => useSharedValue(openDialogs).at(-1) ?? document.body

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
