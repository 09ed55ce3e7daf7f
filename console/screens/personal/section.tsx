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

/** How much of the window is filled before anybody has moved. */
const FIRST = 0.6
const MOVES = ['scroll', 'resize', 'pointermove', 'keydown'] as const

/** From the first time on that any of it was in the window; before anybody has moved, only of what begins well inside. */
function useSeen(box: HTMLElement | null): boolean {
  const [isSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (!box || isSeen) return
    const look = (share: number) => {
      const { top, bottom } = box.getBoundingClientRect()
      if (top < window.innerHeight * share && bottom > 0) setSeen(true)
    }
    const moved = () => look(1)
    look(FIRST)
    for (const move of MOVES) window.addEventListener(move, moved, { passive: true })
    return () => {
      for (const move of MOVES) window.removeEventListener(move, moved)
    }
  }, [box, isSeen])
  return isSeen
}
