// The shared browser and fake server of the console's tests. A page must end without a message in the browser's
// console.
import { beforeAll, beforeEach, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { browserOfWorker, type Browser, type PageOptions } from '../support/browser.ts'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { sampleHandlers } from './sample-data.ts'
import { screenHandlers } from './screens.ts'

/** What the small site answers. */
const siteHandlers = () => ({ ...sampleHandlers(), ...screenHandlers() })

/** Semi UI still calls findDOMNode, of which React's development build warns. What a test provokes is said with `expected`. */
const known = /findDOMNode is deprecated/

/** What the browser should not have said. */
export const unexpected = (complaints: readonly string[], expected?: RegExp): string[] =>
  complaints.filter((text) => !known.test(text) && !expected?.test(text))

export interface Visit extends Omit<PageOptions, 'reuse' | 'drawn'> {
  expected?: RegExp
  /** In a context of its own, which a test leaves changed: its clock, its data base. */
  alone?: boolean
}

const serversOfWorker = new Map<string, Promise<FakeServer>>()

/**
 * The server that the files of this worker share; it ends with the worker. At one address the browser loads and compiles the
 * console once for all files, not once for each.
 */
function serverOfWorker(mount: string): Promise<FakeServer> {
  const started = serversOfWorker.get(mount) ?? startFakeServer(siteHandlers, mount)
  serversOfWorker.set(mount, started)
  return started
}

/** Gives the tests of a file the browser and the server of their worker, with the answers that the server begins with. */
export function useConsole(mount = '') {
  let browser: Browser
  let server: FakeServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([browserOfWorker(), serverOfWorker(mount)])
  })
  beforeEach(async () => {
    // All that the page of the test before has asked arrives before this, and does not count as asked by this test.
    await fetch(`${server.url}/robots.txt`).then((answer) => answer.arrayBuffer())
    server.reset()
  })
  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    /** Opens a path, lets the test act, and then asks that the browser had nothing to complain about. */
    async visit(path: string, { alone = false, ...options }: Visit, act: (page: Page) => Promise<void>) {
      const { page, complaints, close } = await browser.open(server.url + path, {
        ...options,
        reuse: !alone,
        drawn: false,
      })
      page.setDefaultTimeout(15_000)
      try {
        await act(page)
        expect(unexpected(complaints, options.expected)).toEqual([])
      } finally {
        await close()
      }
    },
    /** What was asked of one endpoint, oldest first. */
    inputs: (name: string) => server.asked.filter((each) => each.name === name).map(({ input }) => input),
  }
}

/**
 * Loads the page again with a clock that stands still until the test moves it (`page.clock.runFor`, `runUntil`). A clock
 * that also follows the real one would be further than the test thinks, by as much as the machine is slow.
 */
export async function stopClock(page: Page, load: () => Promise<unknown> = () => page.reload()): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1000)
  await load()
}

/** Moves a stopped clock by small steps until something holds. */
export async function runUntil(page: Page, holds: () => Promise<boolean>): Promise<void> {
  const step = async () => {
    await page.clock.runFor(10)
    return holds()
  }
  await expect.poll(step, { interval: 10, timeout: 15_000 }).toBe(true)
}

/** The button of a filter in the bar above a list; it is named by the filter and its value. */
export const filterChip = (page: Page, name: string) =>
  page.getByRole('search').getByRole('button', { name, exact: true })

/** Sets a filter: one click opens its values, and another takes one. Many values are typed into a field first. */
export async function setFilter(page: Page, filter: string, value: string): Promise<void> {
  await filterChip(page, filter).click()
  const field = page.getByRole('dialog', { name: filter }).getByRole('combobox')
  const entry = page.getByRole('menuitemradio', { name: value, exact: true })
  await field.or(entry).first().waitFor()
  if (await entry.count()) return entry.click()
  await field.fill(value)
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** Takes an entry of the menu of a row. */
export async function fromMenu(page: Page, row: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${row}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Says yes in the dialog that asks. */
export const sayYes = (page: Page, yes: string): Promise<void> =>
  page.getByRole('dialog').last().getByRole('button', { name: yes, exact: true }).click()

/** Goes to another address inside the page, as a link does, without loading anything anew, and waits until its screen is there. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  // The frame is drawn together with its screen, and names the path of it.
  await page.waitForFunction(() => {
    const [own = ''] = document.querySelector('.skip-link')?.getAttribute('href')?.split('#') ?? []
    return own !== '' && location.pathname.endsWith(own)
  })
}
