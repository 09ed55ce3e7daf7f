// The rows of the current page: loaded when it opens, reloaded regularly, and retried after failures.
import { arrangeRows, listOwnFields, pickServerFilter } from './arrange.ts'
import type { AnyPage, LoadedRows, UiPagePorts } from './page.ts'
import { getPagePlace, type UiState } from './state.ts'

/** Pause after a key of the filter, because more may follow, in ms. */
const TYPING_DELAY_MS = 150
/** Pause before loading again after a failure, in ms. */
const RETRY_DELAY_MS = 3000

export interface Loader {
  /** Returns the rows of the current page as they are filtered and sorted; undefined until they are loaded. */
  now(): LoadedRows<unknown> | undefined
  /** Returns the error that prevents loading; undefined if there is none. */
  failing(): string | undefined
  /** True if the rows match the filter and are current. True also after a failure, so that nothing waits. */
  settled(): boolean
  load(): Promise<void>
  /** Reloads rows that are out of date; while the filter is typed, a moment later. */
  again(typing?: boolean): void
  stop(): void
}

interface LoaderOptions {
  pages: readonly AnyPage[]
  ports: UiPagePorts
  state: { get(): UiState; set(state: UiState): void }
  sentenceOf(error: unknown): string
  /** Called when rows have arrived or loading has failed. */
  onLoaded(): void
}

export function createLoader({ pages, ports, state, sentenceOf, onLoaded }: LoaderOptions): Loader {
  const loaded = new Map<number, LoadedRows<unknown> & { filter: string }>()
  let failing: string | undefined
  let stale = false
  let timer: NodeJS.Timeout | undefined
  let turn = 0
  let ended = false

  async function load(): Promise<void> {
    clearTimeout(timer)
    const ownTurn = ++turn
    const at = state.get().page
    const page = pages[at]
    if (!page || ended) return
    const { filter } = getPagePlace(state.get())
    try {
      const found = await page.load(ports, pickServerFilter(filter, listOwnFields(page.view, page.filters)))
      if (ownTurn === turn) failing = undefined
      // If the person has typed further since, the rows of the new filter are loaded instead.
      if (state.get().places[at]?.filter === filter) {
        keepMark(at, arrange(at, found)?.rows ?? [])
        loaded.set(at, { ...found, filter })
      }
    } catch (error) {
      if (ownTurn === turn) failing = sentenceOf(error)
    }
    if (ownTurn !== turn || ended) return
    stale = false
    const every = failing === undefined ? page.every_ms : RETRY_DELAY_MS
    if (every > 0) timer = setTimeout(() => void load(), every)
    onLoaded()
  }

  /** Returns the loaded rows of a page, filtered by their fields and sorted. */
  function arrange(at: number, found: LoadedRows<unknown> | undefined): LoadedRows<unknown> | undefined {
    const page = pages[at]
    const place = state.get().places[at]
    if (!found || !page || !place) return found
    const { language, money } = ports
    const ownFields = listOwnFields(page.view, page.filters)
    const by = { filter: place.filter, order: place.order, view: page.view, ownFields, how: { language, money } }
    return arrangeRows(found, by)
  }

  /** Keeps the same row marked after a reload; a mark on the first row stays at the top. */
  function keepMark(at: number, rows: readonly unknown[]): void {
    const { places } = state.get()
    const place = places[at]
    const before = loaded.get(at)
    if (!place || place.at === 0 || before?.filter !== place.filter) return
    const { id } = pages[at] as AnyPage
    const marked = arrange(at, before)?.rows[place.at]
    if (marked === undefined) return
    const found = rows.findIndex((row) => id(row as never) === id(marked as never))
    if (found < 0) return
    const moved = { ...place, at: found, first: place.first + found - place.at }
    state.set({ ...state.get(), places: places.map((each, index) => (index === at ? moved : each)) })
  }

  return {
    now: () => arrange(state.get().page, loaded.get(state.get().page)),
    failing: () => failing,
    settled: () =>
      failing !== undefined || (!stale && loaded.get(state.get().page)?.filter === getPagePlace(state.get()).filter),
    load,
    again(typing = false) {
      failing = undefined
      stale = true
      clearTimeout(timer)
      if (typing) timer = setTimeout(() => void load(), TYPING_DELAY_MS)
      else void load()
    },
    stop() {
      ended = true
      clearTimeout(timer)
    },
  }
}
