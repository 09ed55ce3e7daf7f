// The current time, second by second, for countdowns.
import { useEffect, useState } from 'react'

const seconds = () => Date.now() / 1000

/** Returns epoch seconds. It changes until `until`, and then `over` is called; 0 for no countdown. */
export function useNow(until: number, over: () => void): number {
  const [now, setNow] = useState(seconds)
  useEffect(() => {
    if (until === 0) return
    setNow(seconds())
    const timer = setInterval(() => {
      setNow(seconds())
      if (seconds() < until) return
      clearInterval(timer)
      over()
    }, 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another time starts another countdown
  }, [until])
  return now
}
