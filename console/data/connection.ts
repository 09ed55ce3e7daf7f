// Whether the server can be reached, and whether it still has the version that this page came from.
import { useSyncExternalStore } from 'react'

interface Connection {
  lost: boolean
  /** The server has another version than this page, or lacks its files. */
  outdated: boolean
  /** The site now allows a script that this page may not load, because the page came with an older policy. */
  forbidding: boolean
  /**
   * A file of this page could not be loaded. `unknown` until the server is asked why; `unreachable` if it did not answer,
   * even after it has come back: the browser does not load the file again before the page is reloaded.
   */
  missing: 'unknown' | 'unreachable' | null
}

let now: Connection = { lost: !navigator.onLine, outdated: false, forbidding: false, missing: null }
let version: string | undefined
const watchers = new Set<() => void>()

function change(next: Partial<Connection>) {
  if (Object.entries(next).every(([name, value]) => now[name as keyof Connection] === value)) return
  now = { ...now, ...next }
  watchers.forEach((watcher) => watcher())
}

/** Records whether the server answered. */
export function noteServerAnswer(answered: boolean): void {
  if (now.missing !== 'unknown') return change({ lost: !answered })
  change(answered ? { lost: false, outdated: true, missing: null } : { lost: true, missing: 'unreachable' })
}

/** Records the version that the server reports. The first one is that of this page. */
export function noteVersion(reported: string): void {
  version ??= reported
  if (reported !== version) change({ outdated: true })
}

/** Records that a script was blocked that the settings require. */
export const noteForbidden = (): void => change({ forbidding: true })

const CHUNK_LOST = /dynamically imported module|module script failed|preload/i

/** Returns whether the error is a missing file of this page: the server has been upgraded or cannot be reached. */
export function isLostFile(error: unknown): boolean {
  const isLost = error instanceof Error && CHUNK_LOST.test(error.message)
  if (isLost && !now.missing) change({ missing: now.lost ? 'unreachable' : 'unknown' })
  return isLost
}

window.addEventListener('offline', () => noteServerAnswer(false))

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => now)
