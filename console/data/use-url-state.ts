// What a list is showing (page, filters) kept in the address, so that reload, back and a shared link show the same.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'

/** The named query parameters with their defaults, and a setter. Whoever changes a filter sees the first page again. */
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
        // The address itself: what was drawn last may be a change behind it, which would be taken back.
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
