// Short messages to the person at the screen. Anything may send one; the shell shows them.

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  kind: NoticeKind
  text: string
  way?: WayBack
}

/** Of something that can be taken back while its message stands: one of the two is called, once. */
export interface WayBack {
  undo(): void
  /** The message is gone: it holds. */
  over?(): void
}

const listeners = new Set<(notice: Notice) => void>()
const waiting: Notice[] = []

const send = (notice: Notice) => {
  if (listeners.size === 0) waiting.push(notice)
  listeners.forEach((listener) => listener(notice))
}

const sends = (kind: NoticeKind) => (text: string, way?: WayBack) => send({ kind, text, way })

export const notify = {
  success: sends('success'),
  info: sends('info'),
  warning: sends('warning'),
  error: sends('error'),
}

/** Receives every message, those sent before anybody listened first. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  waiting.splice(0).forEach(listener)
  return () => void listeners.delete(listener)
}
