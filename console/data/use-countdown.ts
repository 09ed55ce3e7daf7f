// A countdown in seconds during which an action is disabled, such as sending another code.
import { useCallback, useEffect, useState } from 'react'

/** Returns the remaining seconds, 0 if the action is enabled, and a function that starts the countdown. */
export function useCountdown(seconds: number): [number, () => void] {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) setUntil(0)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  const begin = useCallback(() => {
    setNow(Date.now())
    setUntil(Date.now() + seconds * 1000)
  }, [seconds])
  return [Math.max(0, Math.ceil((until - now) / 1000)), begin]
}
