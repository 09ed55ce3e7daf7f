// Short messages to the user. Any code may send one; the shell shows them.

export type ToastKind = 'success' | 'info' | 'warning' | 'error'

export interface ToastNotice {
  kind: ToastKind
  text: string
  way?: WayBack
}

/** The two outcomes of an action that can be undone while its message is shown. Exactly one is called, once. */
export interface WayBack {
  undo(): void
  /** The message has disappeared: the action is final. */
  done?(): void
  /** The message begins with a word, and not with the name of a thing. */
  isSentence?: boolean
}

const listeners = new Set<(notice: ToastNotice) => void>()
const waiting: ToastNotice[] = []

const send = (notice: ToastNotice) => {
  if (listeners.size === 0) waiting.push(notice)
  listeners.forEach((listener) => listener(notice))
}

const sends = (kind: ToastKind) => (text: string, way?: WayBack) => send({ kind, text, way })

export const showNotice = {
  success: sends('success'),
  info: sends('info'),
  warning: sends('warning'),
  error: sends('error'),
}

/** Receives every message, beginning with those that were sent before a listener existed. */
export function onShownNotice(listener: (notice: ToastNotice) => void): () => void {
  listeners.add(listener)
  waiting.splice(0).forEach(listener)
  return () => void listeners.delete(listener)
}

// Field errors, from the page or the server: the form in front shows them at its fields.

export interface RefusedFormField {
  /** The path of the field in the request. */
  field: string
  message: string
  /** True if nothing was to be saved: the error is shown at the field only. */
  inline?: boolean
}

/** Replaces the shown errors; returns false if the form has none of the fields. */
type Taker = (refusals: readonly RefusedFormField[]) => boolean

const takers: Taker[] = []

/** Registers a receiver that takes precedence over earlier ones. Returns a function that unregisters it. */
export function registerRefusedForm(taker: Taker): () => void {
  takers.push(taker)
  return () => void takers.splice(takers.indexOf(taker), 1)
}

/** Shows each error at its field if the form in front has it, otherwise the first as a message. */
export function showFieldErrors(refusals: readonly RefusedFormField[], kind: 'error' | 'info' = 'error'): void {
  const [first] = refusals
  if (first && !takers.at(-1)?.(refusals)) showNotice[kind](first.message)
}

/** Clears the field errors, because the fields are being sent again. */
export const clearFieldErrors = (): void => void takers.at(-1)?.([])
