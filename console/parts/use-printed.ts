// Whether the page is being printed. Content that is otherwise rendered only when visible is then rendered completely.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export function usePrinted(): boolean {
  const [printed, setPrinted] = useState(false)
  useEffect(() => {
    // The browser captures the page right after this event.
    const begin = () => flushSync(() => setPrinted(true))
    const end = () => setPrinted(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printed
}
