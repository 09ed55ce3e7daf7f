// Returns a value that the user is changing, once the changes have paused.
import { useEffect, useState } from 'react'

/** @param wait in ms */
export function useDebounced<T>(value: T, wait: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}
