// Asking again and again while something is under way, as long as somebody looks.
import { useEffect, useRef } from 'react'

/** Runs every so many ms while `on` and the page is seen; at once when it is seen again. */
export function usePoll(on: boolean, every: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => {
      if (!document.hidden) latest.current()
    }, every)
    const seen = () => {
      if (!document.hidden) latest.current()
    }
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [on, every])
}
