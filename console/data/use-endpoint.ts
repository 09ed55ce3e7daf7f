// Reads from the server in a component: the data, whether it is loading, the error, and a way to reload.
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { RequestFailure } from './client.ts'

export interface LoadedEndpoint<T> {
  data: T | undefined
  loading: boolean
  /**
   * The last error. The component that reads it must show it in the place of the data, since then no message appears. A
   * component that shows errors only while there is no data should read it only then.
   */
  readonly error: string | null
  /** The time at which the data was received, in ms. */
  freshAt: number
  reload(): void
  /** Changes the shown data without a request, after an action with a known result. */
  change(update: (data: T) => T): void
}

/**
 * Loads when first used and whenever the key changes; the key begins with the endpoint's name. The previous data stays
 * until the answer arrives, and an older answer never replaces a newer one. Nothing is requested while `wanted` is
 * false.
 */
export function useEndpoint<T>(key: QueryKey, load: () => Promise<T>, isEnabled = true): LoadedEndpoint<T> {
  const client = useQueryClient()
  const shown = useRef(false)
  const { data, isFetching, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: key,
    queryFn: () =>
      load().catch((failure: unknown) => {
        if (failure instanceof RequestFailure) failure.inPlace ||= shown.current
        throw failure
      }),
    placeholderData: keepPreviousData,
    // A list is always requested when it is opened; cached data is shown until then.
    refetchOnMount: 'always',
    enabled: isEnabled,
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

/**
 * An action with its busy flag. A failed call was already shown, so it ends silently here; any other error is a bug and
 * is thrown.
 */
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
