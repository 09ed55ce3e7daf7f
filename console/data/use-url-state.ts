// Keeps the state of a list (page, filters) in the address, so that reload, back and a shared link show the same.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Returns the named query parameters with their defaults, and a setter. Changing a filter returns to the first page.
 */
export function useUrlState<K extends string>(
  defaults: Record<K, string>,
): [Record<K, string>, (change: Partial<Record<K, string>>) => void] {
  const [parameters, setParameters] = useSearchParams()
  const present = parameters.toString()
  const fallbacks = JSON.stringify(defaults)
  const state = useMemo(() => {
    const given = new URLSearchParams(present)
    const entries = Object.entries(JSON.parse(fallbacks) as Record<K, string>).map(([name, fallback]) => [
      name,
      given.get(name) ?? fallback,
    ])
    return Object.fromEntries(entries) as Record<K, string>
  }, [present, fallbacks])
  const change = useCallback(
    (changes: Partial<Record<K, string>>) =>
      setParameters(() => {
        // Reads the address itself: the last rendered state may be older and would undo a change.
        const next = new URLSearchParams(window.location.search)
        if (!('page' in changes)) next.delete('page')
        const standard = JSON.parse(fallbacks) as Record<K, string>
        for (const [name, value] of Object.entries(changes) as [K, string][]) {
          if (value === standard[name]) next.delete(name)
          else next.set(name, value)
        }
        return next
      }),
    [setParameters, fallbacks],
  )
  return [state, change]
}
