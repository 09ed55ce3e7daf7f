// One section of the page, with an address of its own. What lies below the window is loaded once it comes into sight.
import { useLayoutEffect, useState, type ReactNode } from 'react'

interface Props {
  /** Behind `#` in the address. */
  id: string
  title: string
  lead?: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

export function Section({ id, title, lead, actions, children }: Props) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const isSeen = useSeen(box)
  return (
    <section id={id} ref={setBox} className="sheet personal-part" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {isSeen && actions && <div className="personal-acts">{actions}</div>}
      </header>
      {lead && <p className="muted">{lead}</p>}
      {isSeen || !children ? children : <div className="personal-later" />}
    </section>
  )
}

/** From the first time on that any of it was in the window. */
function useSeen(box: HTMLElement | null): boolean {
  const [isSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (!box || isSeen) return
    const { top, bottom } = box.getBoundingClientRect()
    if (top < window.innerHeight && bottom > 0) return setSeen(true)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [box, isSeen])
  return isSeen
}
