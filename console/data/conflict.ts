// Concurrent edits: another user has saved a newer version, and the user compares both and chooses one. The shell shows
// the dialog for every form; a call that carries the version that was read gets it without further code.
import { createHandlerSlot } from './page-state.ts'

export interface EditConflict {
  /** Name of the endpoint of the change. */
  name: string
  /** The values of the refused change. */
  own: Readonly<Record<string, unknown>>
  /** The row as it is now; null if no endpoint reads it. */
  stored: Readonly<Record<string, unknown>> | null
  /** The user who saved it, and the time. */
  message: string
  /** Labels of the fields, if the contract does not have them. */
  labels?: Readonly<Record<string, { label: Readonly<Record<'en' | 'zh', string>>; kind?: string }>>
}

/** null if the user continues editing. */
export type ConflictChoice = 'own' | 'stored' | null

/** The dialog of the shell. */
const conflictDialog = createHandlerSlot<(conflict: EditConflict) => Promise<ConflictChoice>>()

/** Registers the function that asks. Returns a function that unregisters it. */
export const setConflictHandler = conflictDialog.register

export const resolveConflict = (conflict: EditConflict): Promise<ConflictChoice> =>
  conflictDialog.get()?.(conflict) ?? Promise.resolve(null)

const panels: (() => void)[] = []

/** Registers a panel that can be closed with its draft retained. Returns a function that unregisters it. */
export function registerPanel(leave: () => void): () => void {
  panels.push(leave)
  return () => void panels.splice(panels.indexOf(leave), 1)
}

/** Closes the panel in front. */
export const leavePanel = (): void => panels.at(-1)?.()
