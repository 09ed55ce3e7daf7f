// The viewer, loaded when it is first opened.
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { ViewableMedium } from './media.ts'

const Viewer = lazy(() => import('./viewer.tsx').then(({ MediaViewer: Viewer }) => ({ default: Viewer })))

/** Returns a function that opens the viewer at one of the media, and the viewer itself. */
export function useViewer(media: readonly ViewableMedium[]): [(key: string) => void, ReactNode] {
  const [at, setAt] = useState<string | null>(null)
  const viewer = at !== null && media.some(({ key }) => key === at) && (
    <Suspense>
      <Viewer media={media} at={at} onMove={setAt} onClose={() => setAt(null)} />
    </Suspense>
  )
  return [setAt, viewer]
}
