// The viewer, loaded when it is first opened.
import { useState, type ReactNode } from 'react'
import { loadLater } from '../load-later.ts'
import type { ViewableMedium } from './media.ts'

const Viewer = loadLater(async () => (await import('./viewer.tsx')).MediaViewer)

/** Returns a function that opens the viewer at one of the media, and the viewer itself. */
export function useViewer(media: readonly ViewableMedium[]): [(key: string) => void, ReactNode] {
  const [at, setAt] = useState<string | null>(null)
  const viewer = at !== null && media.some(({ key }) => key === at) && (
    <Viewer media={media} at={at} onMove={setAt} onClose={() => setAt(null)} />
  )
  return [setAt, viewer]
}
