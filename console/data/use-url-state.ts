// What a list is showing (page, filters) kept in the address, so that reload, back and a shared link show the same.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

/** The named query parameters with their defaults, and a setter that leaves the others alone. */
export function useUrlState<K extends string>(
  defaults: Record<K, string>,
): [Record<K, string>, (change: Partial<Record<K, string>>) => void] {
  const [parameters, setParameters] = useSearchParams()
  const key = parameters.toString()
  const state = useMemo(() => {
    const present = new URLSearchParams(key)
    const entries = Object.entries<string>(defaults).map(([name, fallback]) => [name, present.get(name) ?? fallback])
    return Object.fromEntries(entries) as Record<K, string>
    // The defaults are constant for a screen.
  }, [key])
  const change = useCallback(
    (changes: Partial<Record<K, string>>) =>
      setParameters((old) => {
        const next = new URLSearchParams(old)
        for (const [name, value] of Object.entries(changes) as [K, string][]) {
          if (value === defaults[name]) next.delete(name)
          else next.set(name, value)
        }
        return next
      }),
    [setParameters],
  )
  return [state, change]
}
