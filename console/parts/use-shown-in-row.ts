// A row of tabs or links that is wider than its place: the chosen one is scrolled into the middle of it.
import { type RefObject, useLayoutEffect } from 'react'

/**
 * @param row the row, which scrolls sideways
 * @param which selector of the chosen element in it
 * @param chosen what is chosen; another value scrolls again
 */
export function useShownInRow(row: RefObject<HTMLElement | null>, which: string, chosen: string): void {
  useLayoutEffect(() => {
    const place = row.current
    const element = place?.querySelector(which)
    if (!place || !element) return
    const [outer, inner] = [place.getBoundingClientRect(), element.getBoundingClientRect()]
    // The page itself stays where it is, unlike with `scrollIntoView`.
    place.scrollBy({ left: inner.left + inner.width / 2 - outer.left - outer.width / 2 })
  }, [row, which, chosen])
}
