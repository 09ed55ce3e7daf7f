// Polls while something is in progress, as long as the page is visible.
import { useEffect, useRef } from 'react'

/** Runs every `every` ms while `on` is true and the page is visible; immediately when it becomes visible again. */
export function usePoll(on: boolean, every: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => {
      if (!document.hidden) latest.current()
    }, every)
    const onVisible = () => {
      if (!document.hidden) latest.current()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [on, every])
}
