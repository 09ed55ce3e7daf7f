// Short messages to the user. Any code may send one; the shell shows them.

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  kind: NoticeKind
  text: string
  way?: WayBack
}

/** The two outcomes of an action that can be undone while its message is shown. Exactly one is called, once. */
export interface WayBack {
  undo(): void
  /** The message has disappeared: the action is final. */
  done?(): void
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

/** Receives every message, beginning with those that were sent before a listener existed. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  waiting.splice(0).forEach(listener)
  return () => void listeners.delete(listener)
}
