// Loads content far below only when the user scrolls near it.
import { useEffect, useState, type RefCallback } from 'react'

/** Distance below the window from which an element counts as seen, in CSS pixels. */
const NEAR = 200

/**
 * Returns the ref of the element to watch, and whether it was near the window once.
 * @param near distance below the window from which the element counts, in CSS pixels
 */
export function useSeen(near = NEAR): [RefCallback<HTMLElement>, boolean] {
  const [element, watch] = useState<HTMLElement | null>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!element || seen) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: `0px 0px ${near}px 0px` },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [element, seen, near])
  return [watch, seen]
}
