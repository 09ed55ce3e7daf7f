// Short messages to the person at the screen. Anything may send one; the shell shows them.

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  kind: NoticeKind
  text: string
}

const listeners = new Set<(notice: Notice) => void>()
const waiting: Notice[] = []

const send = (kind: NoticeKind) => (text: string) => {
  if (listeners.size === 0) waiting.push({ kind, text })
  listeners.forEach((listener) => listener({ kind, text }))
}

export const notify = {
  success: send('success'),
  info: send('info'),
  warning: send('warning'),
  error: send('error'),
}

/** Receives every message, those sent before anybody listened first. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  waiting.splice(0).forEach(listener)
  return () => void listeners.delete(listener)
}
