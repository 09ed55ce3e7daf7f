// The section that the address names: it comes into sight, and is where the keyboard goes on.
import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** What people do when they go on by themselves. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** @param isThere the sections are drawn */
export function useAnchor(isThere: boolean): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    const section = isThere && hash !== '' ? document.getElementById(hash.slice(1)) : null
    if (!section) return
    section.scrollIntoView()
    section.focus({ preventScroll: true })
    let at = window.scrollY
    // Sections above it that are loaded now move it: it is kept in sight until somebody scrolls or types.
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
