// The rows of the page that is seen: loaded when it comes up, again after a while, and tried again where that fails.
import type { AnyPage, Loaded, Ports } from './page.ts'
import { placeOf, type UiState } from './state.ts'

/** A page that could not be loaded is tried again so soon. */
const AGAIN_MS = 3000

export interface Loader {
  /** The rows of the page that is seen; undefined until it was loaded once. */
  now(): Loaded<unknown> | undefined
  /** What keeps the page from being loaded. */
  failing(): string | undefined
  /** Are the rows those of the filter, and as they are? Where they cannot be loaded nothing waits for them. */
  settled(): boolean
  load(): Promise<void>
  /** Loads anew: what is there is not as it was. */
  again(): void
  stop(): void
}

interface LoaderOptions {
  pages: readonly AnyPage[]
  ports: Ports
  state: { get(): UiState; set(state: UiState): void }
  sentenceOf(error: unknown): string
  /** Rows have come, or what kept them from coming. */
  onLoaded(): void
}

export function createLoader({ pages, ports, state, sentenceOf, onLoaded }: LoaderOptions): Loader {
  const loaded = new Map<number, Loaded<unknown> & { filter: string }>()
  let failing: string | undefined
  let stale = false
  let timer: NodeJS.Timeout | undefined
  let turn = 0
  let ended = false

  async function load(): Promise<void> {
    clearTimeout(timer)
    const mine = ++turn
    const at = state.get().page
    const page = pages[at]
    if (!page || ended) return
    const { filter } = placeOf(state.get())
    try {
      const found = await page.load(ports, filter)
      if (mine === turn) failing = undefined
      // Somebody who has typed on meanwhile gets what belongs to the new filter.
      if (state.get().places[at]?.filter === filter) {
        keepMark(at, found.rows)
        loaded.set(at, { ...found, filter })
      }
    } catch (error) {
      if (mine === turn) failing = sentenceOf(error)
    }
    if (mine !== turn || ended) return
    stale = false
    const every = failing === undefined ? page.every_ms : AGAIN_MS
    if (every > 0) timer = setTimeout(() => void load(), every)
    onLoaded()
  }

  /** The marked row stays marked where it moves; who is at the top stays there. */
  function keepMark(at: number, rows: readonly unknown[]): void {
    const { places } = state.get()
    const place = places[at]
    const before = loaded.get(at)
    if (!place || place.at === 0 || before?.filter !== place.filter) return
    const { id } = pages[at] as AnyPage
    const marked = before.rows[place.at]
    if (marked === undefined) return
    const found = rows.findIndex((row) => id(row as never) === id(marked as never))
    if (found < 0) return
    const moved = { ...place, at: found, first: place.first + found - place.at }
    state.set({ ...state.get(), places: places.map((each, index) => (index === at ? moved : each)) })
  }

  return {
    now: () => loaded.get(state.get().page),
    failing: () => failing,
    settled: () =>
      failing !== undefined || (!stale && loaded.get(state.get().page)?.filter === placeOf(state.get()).filter),
    load,
    again() {
      failing = undefined
      stale = true
      void load()
    },
    stop() {
      ended = true
      clearTimeout(timer)
    },
  }
}
