// The time, second by second, for clocks that run down.
import { useEffect, useState } from 'react'

const seconds = () => Date.now() / 1000

/** Epoch seconds; it moves until `until`, and calls `over` when that is reached. 0 for no clock. */
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another time begins another clock
  }, [until])
  return now
}
