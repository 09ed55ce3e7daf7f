// Whether the window is as narrow as a phone: 600 px, the only breakpoint of the console.
import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 600px)')

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useMobile = () => useSyncExternalStore(subscribe, () => narrow.matches)
