// Reads from the server in a component: the data, whether it is loading, the error, and a way to reload.
import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { RequestFailure } from './client.ts'

/** The result of a read whose failures are shown as messages. */
export interface LoadedData<T> {
  data: T | undefined
  loading: boolean
  /** The time at which the data was received, in ms. */
  freshAt: number
  reload(): void
  /** Changes the shown data without a request, after an action with a known result. */
  change(update: (data: T) => T): void
}

/** The result of a read whose failures the component shows itself. */
export interface LoadedEndpoint<T> extends LoadedData<T> {
  /** The last error; null while loading. */
  error: string | null
}

/**
 * Loads when first used and whenever the key changes; the key begins with the endpoint's name. The previous data stays
 * until the answer arrives, and an older answer never replaces a newer one. Nothing is requested while `isEnabled` is
 * false. A failure is shown as a message.
 */
export function useEndpoint<T>(key: QueryKey, load: () => Promise<T>, isEnabled = true): LoadedData<T> {
  return useLoading(key, load, () => false, isEnabled)
}

/** Loads as `useEndpoint` does, without messages: the component shows `error`, also while it shows older data. */
export function useEndpointWithError<T>(key: QueryKey, load: () => Promise<T>): LoadedEndpoint<T> {
  return useLoading(key, load, () => true)
}

/** Loads as `useEndpoint` does. The component shows `error` in the place of missing data; later failures are messages. */
export function useEndpointWithFirstError<T>(key: QueryKey, load: () => Promise<T>): LoadedEndpoint<T> {
  return useLoading(key, load, (hasData) => !hasData)
}

/** `isShownInPlace` decides when a read fails whether the component shows the error, so that no message appears. */
function useLoading<T>(
  key: QueryKey,
  load: () => Promise<T>,
  isShownInPlace: (hasData: boolean) => boolean,
  isEnabled = true,
): LoadedEndpoint<T> {
  const client = useQueryClient()
  const latest = useRef({ key, hasData: false })
  const { data, isFetching, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: key,
    queryFn: () =>
      load().catch((failure: unknown) => {
        if (failure instanceof RequestFailure) failure.inPlace ||= isShownInPlace(latest.current.hasData)
        throw failure
      }),
    placeholderData: keepPreviousData,
    // A list is always requested when it is opened; cached data is shown until then.
    refetchOnMount: 'always',
    enabled: isEnabled,
  })
  const hasData = data !== undefined
  useLayoutEffect(() => {
    latest.current = { key, hasData }
  })
  return {
    data,
    loading: isFetching,
    error: error && !isFetching && isShownInPlace(hasData) ? error.message : null,
    freshAt: dataUpdatedAt,
    reload: useCallback(() => void refetch(), [refetch]),
    change: useCallback(
      (update: (data: T) => T) =>
        client.setQueryData<T>(latest.current.key, (old) => (old === undefined ? old : update(old))),
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
