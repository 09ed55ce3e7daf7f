// Measures a screen in a browser: the time until its first row is shown, and how long the page cannot respond.
import type { Page } from 'playwright-core'

export interface Seen {
  /** From the navigation, or from the act, to the first row on the screen. ms */
  rows_ms: number
  /** The longest task of the main thread meanwhile; 0 where none was above the 50 ms that browsers report. ms */
  task_ms: number
}

declare global {
  // Of the page, put there by `watched`.
  var longTasks: { start: number; ms: number }[]
}

/** Longer than anything that is still worth a figure. */
const GIVE_UP_MS = 30_000
/** What comes after the first rows, such as their health. */
const AFTERWARDS_MS = 300

/** Once for each page, before it is opened. */
export async function watched(page: Page): Promise<void> {
  page.setDefaultTimeout(GIVE_UP_MS)
  // What a script of ours is compiled with names its functions so.
  await page.addInitScript('globalThis.__name = (work) => work')
  await page.addInitScript(() => {
    globalThis.longTasks = []
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        globalThis.longTasks.push({ start: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
  })
}

/** Opens an address and waits for the first of its `rows`. */
export async function opened(page: Page, url: string, rows: string): Promise<Seen> {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  const rows_ms = await page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.querySelector(wanted)
            ? // The frame after the one that draws it.
              requestAnimationFrame((now) => resolve(now))
            : requestAnimationFrame(look)
        look()
      }),
    rows,
  )
  return { rows_ms, task_ms: await longestSince(page, 0) }
}

/** What changes in the page: its address, or how many rows it has; both as the page itself changes them. */
export interface Change {
  query?: Record<string, string>
  pageSize?: number
}

/** Changes the list that stands there, and waits until its first rows are others, or more. */
export async function changed(page: Page, change: Change, rows: string): Promise<Seen> {
  const { began, rows_ms } = await page.evaluate(
    ({ query, pageSize, wanted }) =>
      new Promise<{ began: number; rows_ms: number }>((resolve) => {
        const shown = () => document.querySelector('.table')?.textContent ?? ''
        const before = shown()
        const busy = () => document.querySelector('.table[aria-busy=true]') !== null
        const began = performance.now()
        if (pageSize) {
          localStorage.setItem('page-size', String(pageSize))
          window.dispatchEvent(new StorageEvent('storage'))
        }
        if (query) {
          const next = new URL(location.href)
          for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value)
          history.pushState(null, '', next)
          window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
        }
        const look = () =>
          document.querySelector(wanted) && !busy() && shown() !== before
            ? requestAnimationFrame((now) => resolve({ began, rows_ms: now - began }))
            : requestAnimationFrame(look)
        requestAnimationFrame(look)
      }),
    { ...change, wanted: rows },
  )
  return { rows_ms, task_ms: await longestSince(page, began) }
}

async function longestSince(page: Page, start: number): Promise<number> {
  await page.waitForTimeout(AFTERWARDS_MS)
  return page.evaluate(
    (since) => Math.max(0, ...globalThis.longTasks.filter((task) => task.start >= since - 1).map(({ ms }) => ms)),
    start,
  )
}

/** Runs `work` with a processor that is `times` as slow. */
export async function slowed<T>(page: Page, times: number, work: () => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  try {
    return await work()
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await session.detach()
  }
}
