// The tip of the element that is hovered or focused: one for the whole page, for elements with `data-tip`.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { placeBox, useTopLayer } from './top-layer.ts'
import './tips.css'

const ID = 'tip'
/** Delay before it is shown, in ms. */
const PATIENCE = 350

export function TooltipHost() {
  const layer = useTopLayer()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (event: Event, wait: number) => {
      const findTipElement = (event.target as Element | null)?.closest?.<HTMLElement>('[data-tip]') ?? null
      clearTimeout(timer)
      if (findTipElement === null) setAnchor(null)
      else timer = setTimeout(() => setAnchor(findTipElement), wait)
    }
    const onPointer = (event: Event) => show(event, PATIENCE)
    const onFocus = (event: Event) => show(event, 0)
    const hide = (event: Event) => {
      if (event.type === 'keydown' && (event as KeyboardEvent).key !== 'Escape') return
      clearTimeout(timer)
      setAnchor(null)
    }
    const listeners = { pointerover: onPointer, focusin: onFocus, pointerdown: hide, keydown: hide, scroll: hide }
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true)
    return () => {
      clearTimeout(timer)
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true)
    }
  }, [])
  return anchor ? createPortal(<Tip key={anchor.dataset['tip']} anchor={anchor} />, layer) : null
}

function Tip({ anchor }: { anchor: HTMLElement }) {
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(anchor.dataset['tip'])
  useEffect(() => {
    // The element may change under the pointer, as with the language of the page.
    const changes = new MutationObserver(() => setText(anchor.dataset['tip']))
    changes.observe(anchor, { attributes: true, attributeFilter: ['data-tip'] })
    return () => changes.disconnect()
  }, [anchor])
  useLayoutEffect(() => {
    const tip = box.current!
    tip.showPopover()
    const { left, top } = placeBox(anchor.getBoundingClientRect(), tip.getBoundingClientRect())
    tip.style.left = `${left}px`
    tip.style.top = `${top}px`
    anchor.setAttribute('aria-describedby', ID)
    return () => anchor.removeAttribute('aria-describedby')
  }, [anchor])
  return (
    <div ref={box} id={ID} role="tooltip" popover="manual" className="tip">
      {text}
    </div>
  )
}
