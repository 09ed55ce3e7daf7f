// Components whose code is not part of a screen's first files. It is loaded before it is needed: the browser fetches it
// while it is idle, once the visitor has touched the page.
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { isConnectionLost, isLostFile, noteLostFile } from '../data/connection.ts'
import { onceTouched } from '../data/touched.ts'

type Load<P> = () => Promise<ComponentType<P>>

/**
 * Creates a component whose code is loaded later. Until then `waiting` is shown in its place. If the file cannot be loaded,
 * nothing is shown, and the banner above the page explains why; the page around it stays.
 */
export function loadLater<P extends object>(load: Load<P>, waiting: ReactNode = null): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>
  prefetchWhenIdle(load)
  return (props) =>
    createElement(FileBoundary, null, createElement(Suspense, { fallback: waiting }, createElement(Loaded, props)))
}

class FileBoundary extends Component<{ children?: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    noteLostFile(error)
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (isLostFile(error)) return null
    throw error
  }
}

/** Maximum time that a file waits for the browser to become idle, in ms. */
const MAX_WAIT = 2000

const waiting: (() => Promise<unknown>)[] = []
let state: 'untouched' | 'resting' | 'loading' = 'untouched'

/** Loads a file while the browser is idle, but not before the visitor has touched the page. */
function prefetchWhenIdle(load: () => Promise<unknown>): void {
  waiting.push(load)
  if (state === 'resting') prefetchNext()
}

onceTouched(prefetchNext)
window.addEventListener('online', () => state === 'resting' && prefetchNext())

/** Loads one file after the other. A file that cannot be loaded is reported by the component that shows it. */
function prefetchNext(): void {
  // The browser does not load a file again that it has failed to load.
  const load = isConnectionLost() ? undefined : waiting.shift()
  state = load ? 'loading' : 'resting'
  if (load) whenIdle(() => void load().then(prefetchNext, prefetchNext))
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => void): void {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(work, { timeout: MAX_WAIT })
  else setTimeout(work, MAX_WAIT / 10)
}
