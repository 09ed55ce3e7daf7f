// One section of the page, with its own address. Content below the window is loaded when it is scrolled into view.
import { useLayoutEffect, useState, type ReactNode } from 'react'

interface SectionProps {
  /** The part of the address after `#`. */
  id: string
  title: string
  lead?: ReactNode
  /** Rendered next to the title. */
  actions?: ReactNode
  children: ReactNode
}

export function Section({ id, title, lead, actions, children }: SectionProps) {
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

/** Share of the window that sections fill before the user has scrolled. */
const FIRST = 0.6
const MOVES = ['scroll', 'resize', 'pointermove', 'keydown'] as const

/**
 * Returns true once any part was in the window. Before the user has scrolled, only sections that begin well inside
 * count.
 */
function useSeen(box: HTMLElement | null): boolean {
  const [isSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (!box || isSeen) return
    const look = (share: number) => {
      const { top, bottom } = box.getBoundingClientRect()
      if (top < window.innerHeight * share && bottom > 0) setSeen(true)
    }
    const onMove = () => look(1)
    look(FIRST)
    for (const move of MOVES) window.addEventListener(move, onMove, { passive: true })
    return () => {
      for (const move of MOVES) window.removeEventListener(move, onMove)
    }
  }, [box, isSeen])
  return isSeen
}
