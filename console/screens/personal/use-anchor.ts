// Scrolls to the section that the address names, and moves the keyboard focus there.
import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Events that show that the user scrolls or types. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** @param isThere true once the sections are rendered */
export function useAnchor(isThere: boolean): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    const section = isThere && hash !== '' ? document.getElementById(hash.slice(1)) : null
    if (!section) return
    section.scrollIntoView()
    section.focus({ preventScroll: true })
    let at = window.scrollY
    // Sections above that load later shift it, so it is kept in view until the user scrolls or types.
    const watch = new ResizeObserver(() => {
      if (window.scrollY !== at) return leave()
      section.scrollIntoView()
      at = window.scrollY
    })
    watch.observe(section.parentElement!)
    const leave = () => {
      watch.disconnect()
      for (const kind of TAKES_OVER) window.removeEventListener(kind, leave)
    }
    for (const kind of TAKES_OVER) window.addEventListener(kind, leave, { passive: true })
    return leave
  }, [isThere, hash, key])
}
