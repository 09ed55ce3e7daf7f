// Scrolls to the section that the address names, and moves the keyboard focus there.
import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Events that show that the user scrolls or types. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/** Two positions are the same if they are this close, in px. */
const SAME_PLACE = 2

/** @param isThere true once the sections are rendered */
export function useAnchor(isThere: boolean): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    const id = hash.slice(1)
    // A section that is loaded replaces its placeholder, which has the same id.
    const find = () => (isThere && id !== '' ? document.getElementById(id) : null)
    const list = find()?.parentElement
    if (!list) return
    let [at, top] = [0, 0]
    const show = () => {
      const section = find()
      if (!section) return
      section.scrollIntoView()
      ;[at, top] = [window.scrollY, section.getBoundingClientRect().top]
      if (!document.activeElement || document.activeElement === document.body) section.focus({ preventScroll: true })
    }
    show()
    find()?.focus({ preventScroll: true })
    // Sections above that load later shift it, so it is kept in view until the user scrolls or types.
    const watch = new ResizeObserver(() => {
      const now = find()?.getBoundingClientRect().top ?? top
      if (window.scrollY !== at && Math.abs(now - top) > SAME_PLACE) return leave()
      show()
    })
    watch.observe(list)
    const leave = () => {
      watch.disconnect()
      for (const kind of TAKES_OVER) window.removeEventListener(kind, leave)
    }
    for (const kind of TAKES_OVER) window.addEventListener(kind, leave, { passive: true })
    return leave
  }, [isThere, hash, key])
}
