// Whether the page is being printed: what is drawn only where it can be seen is drawn whole then.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export function usePrinted(): boolean {
  const [printed, setPrinted] = useState(false)
  useEffect(() => {
    // The browser takes the page as it is right after it has said so.
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
