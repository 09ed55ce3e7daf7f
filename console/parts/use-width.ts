// Width of an element, in px; the width of the window before it is rendered.
import { useLayoutEffect, useState, type RefObject } from 'react'

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(window.innerWidth)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    const measure = () => setWidth(shown.clientWidth)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(shown)
    return () => sizes.disconnect()
  }, [element])
  return width
}
