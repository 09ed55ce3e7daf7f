// A value that somebody is still changing, as it is once they have stopped.
import { useEffect, useState } from 'react'

/** @param wait in ms */
export function useSettled<T>(value: T, wait: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}
