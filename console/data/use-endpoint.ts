// Reading from the server in a component: the data, whether it is under way, what went wrong, and a way to ask again.
import { useCallback, useEffect, useRef, useState } from 'react'
import { RequestFailure } from './client.ts'

export interface Loaded<T> {
  data: T | undefined
  loading: boolean
  error: string | null
  reload(): void
  /** Changes what is shown without asking the server, after an action whose outcome is known. */
  change(update: (data: T) => T): void
}

/**
 * Loads now and whenever a dependency changes; an older answer never replaces a newer one. Dependencies are compared by
 * what they say, so an object may be made anew at every drawing.
 */
export function useEndpoint<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'data' | 'loading' | 'error'>>({
    data: undefined,
    loading: true,
    error: null,
  })
  const latest = useRef(0)
  const latestLoad = useRef(load)
  latestLoad.current = load

  const reload = useCallback(() => {
    const turn = ++latest.current
    setState((old) => ({ ...old, loading: true, error: null }))
    latestLoad.current().then(
      (data) => turn === latest.current && setState({ data, loading: false, error: null }),
      (error: unknown) =>
        turn === latest.current && setState((old) => ({ ...old, loading: false, error: messageOf(error) })),
    )
  }, [])

  const forget = useCallback(() => void latest.current++, [])
  const key = JSON.stringify(dependencies)

  useEffect(() => {
    reload()
    return forget
  }, [reload, forget, key])

  const change = useCallback(
    (update: (data: T) => T) => setState((old) => (old.data === undefined ? old : { ...old, data: update(old.data) })),
    [],
  )
  return { ...state, reload, change }
}

/** An action with its busy flag. A failed call was told already and ends quietly here; anything else is a bug and surfaces. */
export function useAction<A extends unknown[]>(
  work: (...input: A) => Promise<void>,
): [(...input: A) => Promise<void>, boolean] {
  const [busy, setBusy] = useState(false)
  const run = async (...input: A) => {
    setBusy(true)
    try {
      await work(...input)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return [run, busy]
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
