// Reading from the server in a component: the data, whether it is under way, what went wrong, and a way to ask again.
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { RequestFailure } from './client.ts'

export interface Loaded<T> {
  data: T | undefined
  loading: boolean
  /**
   * What went wrong last. Who looks at it shows it, in the place of what was asked for: it is no message besides. Where it is shown
   * only as long as there is nothing else, it is looked at only then.
   */
  readonly error: string | null
  /** When the data came, in ms. */
  freshAt: number
  reload(): void
  /** Changes what is shown without asking the server, after an action whose outcome is known. */
  change(update: (data: T) => T): void
}

/**
 * Loads now and whenever the key changes, which begins with the endpoint's name. What stood there stays until the answer is
 * there; an older answer never replaces a newer one. Nothing is asked for before `wanted`.
 */
export function useEndpoint<T>(key: QueryKey, load: () => Promise<T>, wanted = true): Loaded<T> {
  const client = useQueryClient()
  const shown = useRef(false)
  const { data, isFetching, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: key,
    queryFn: () =>
      load().catch((failure: unknown) => {
        if (failure instanceof RequestFailure) failure.toldInPlace ||= shown.current
        throw failure
      }),
    placeholderData: keepPreviousData,
    // A list that is opened is asked for: what is kept is shown until then.
    refetchOnMount: 'always',
    enabled: wanted,
  })
  const latest = useRef(key)
  latest.current = key
  shown.current = false
  return {
    data,
    loading: isFetching,
    get error() {
      shown.current = true
      return error && !isFetching ? error.message : null
    },
    freshAt: dataUpdatedAt,
    reload: useCallback(() => void refetch(), [refetch]),
    change: useCallback(
      (update: (data: T) => T) =>
        client.setQueryData<T>(latest.current, (old) => (old === undefined ? old : update(old))),
      [client],
    ),
  }
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
