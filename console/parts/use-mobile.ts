// How wide the window is: whether it is as narrow as a phone, 600 px, or has no room for the names of the side menu.
import { useSyncExternalStore } from 'react'

function watchWidth(query: string) {
  const media = window.matchMedia(query)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

export const useMobile = watchWidth('(max-width: 600px)')

/** Lists need the room of the side menu: it shows only its icons until it is unfolded. */
export const useCompact = watchWidth('(max-width: 900px)')
