// Field errors, from the page or the server: the form in front shows them at its fields.
import { notify } from './notify.ts'

export interface FieldRefusal {
  /** The path of the field in the request. */
  field: string
  message: string
  /** True if nothing was to be saved: the error is shown at the field only. */
  inline?: boolean
}

/** Replaces the shown errors; returns false if the form has none of the fields. */
type Taker = (refusals: readonly FieldRefusal[]) => boolean

const takers: Taker[] = []

/** Registers a receiver that takes precedence over earlier ones. Returns a function that unregisters it. */
export function registerForm(taker: Taker): () => void {
  takers.push(taker)
  return () => void takers.splice(takers.indexOf(taker), 1)
}

/** Shows each error at its field if the form in front has it, otherwise the first as a message. */
export function showFieldErrors(refusals: readonly FieldRefusal[], kind: 'error' | 'info' = 'error'): void {
  const [first] = refusals
  if (first && !takers.at(-1)?.(refusals)) notify[kind](first.message)
}

/** Clears the field errors, because the fields are being sent again. */
export const clearFieldErrors = (): void => void takers.at(-1)?.([])
