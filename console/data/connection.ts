// Whether the server can be reached, and whether it still has the version that this page came from.
import { createSharedValue, useSharedValue } from './page-state.ts'

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

const connection = createSharedValue<Connection>({
  lost: !navigator.onLine,
  outdated: false,
  forbidding: false,
  missing: null,
})
/** The version of this page: the first one that the server reported. */
const pageVersion = createSharedValue<string | undefined>(undefined)

function change(next: Partial<Connection>) {
  const current = connection.get()
  if (Object.entries(next).every(([name, value]) => current[name as keyof Connection] === value)) return
  connection.set({ ...current, ...next })
}

/** Records whether the server answered. */
export function noteServerAnswer(answered: boolean): void {
  if (connection.get().missing !== 'unknown') return change({ lost: !answered })
  change(answered ? { lost: false, outdated: true, missing: null } : { lost: true, missing: 'unreachable' })
}

/** Records the version that the server reports. */
export function noteVersion(reported: string): void {
  if (pageVersion.get() === undefined) pageVersion.set(reported)
  if (reported !== pageVersion.get()) change({ outdated: true })
}

/** Records that a script was blocked that the settings require. */
export const noteForbidden = (): void => change({ forbidding: true })

const CHUNK_LOST = /dynamically imported module|module script failed|preload/i

/** Returns whether the error is a missing file of this page: the server has been upgraded or cannot be reached. */
export const isLostFile = (error: unknown): boolean => error instanceof Error && CHUNK_LOST.test(error.message)

/** Shows in the banners that a file of this page is missing, if the error reports one. */
export function noteLostFile(error: unknown): void {
  const { missing, lost } = connection.get()
  if (isLostFile(error) && !missing) change({ missing: lost ? 'unreachable' : 'unknown' })
}

window.addEventListener('offline', () => noteServerAnswer(false))

/** Returns whether the server cannot be reached. */
export const isConnectionLost = (): boolean => connection.get().lost

export const useConnection = (): Connection => useSharedValue(connection)
