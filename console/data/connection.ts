// Whether the server can be reached, and whether it is still the one that this page came from.
import { useSyncExternalStore } from 'react'

interface Connection {
  lost: boolean
  /** The server is of another version than this page, or has not got its files any more. */
  outdated: boolean
  /** The site allows a script by now that this page may not load: it came with an older policy. */
  forbidding: boolean
}

let now: Connection = { lost: !navigator.onLine, outdated: false, forbidding: false }
let version: string | undefined
const watchers = new Set<() => void>()

function change(next: Partial<Connection>) {
  if (Object.entries(next).every(([name, value]) => now[name as keyof Connection] === value)) return
  now = { ...now, ...next }
  watchers.forEach((watcher) => watcher())
}

/** Nobody answered, or somebody did. */
export const noteAnswer = (answered: boolean): void => change({ lost: !answered })

/** The version that the server says; the first one is this page's. */
export function noteVersion(said: string): void {
  version ??= said
  if (said !== version) change({ outdated: true })
}

/** A script was forbidden that the settings ask for. */
export const noteForbidden = (): void => change({ forbidding: true })

const CHUNK_LOST = /dynamically imported module|module script failed|preload/i

/** Is it that a file of this page is gone? Then the server is another one by now, or cannot be reached. */
export function isLostFile(error: unknown): boolean {
  const isLost = error instanceof Error && CHUNK_LOST.test(error.message)
  if (isLost) change({ outdated: true })
  return isLost
}

window.addEventListener('offline', () => change({ lost: true }))

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => now)
