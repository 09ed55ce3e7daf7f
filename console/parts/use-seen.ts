// What is far below is loaded when somebody comes near it.
import { useEffect, useState, type RefCallback } from 'react'

/** CSS pixels below the window from which on it counts as seen. */
const NEAR = 200

/** Where to watch, and whether it was near the window once. */
export function useSeen(): [RefCallback<HTMLElement>, boolean] {
  const [element, watch] = useState<HTMLElement | null>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!element || seen) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: `0px 0px ${NEAR}px 0px` },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [element, seen])
  return [watch, seen]
}
