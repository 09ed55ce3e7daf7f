// What the console's tests share: one browser, one fake server, and pages that must end without a complaint.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowser, type Browser, type PageOptions } from '../support/browser.ts'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { sampleHandlers } from './sample-data.ts'

/** Semi UI still calls findDOMNode, of which React's development build warns. What a test provokes is said with `expected`. */
const known = /findDOMNode is deprecated/

export interface Visit extends PageOptions {
  expected?: RegExp
}

/** Starts both for the tests of a file. */
export function useConsole(mount = '') {
  let browser: Browser
  let server: FakeServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startFakeServer(sampleHandlers, mount)])
  })
  beforeEach(() => server.reset())
  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()])
  })
  return {
    get server() {
      return server
    },
    /** Opens a path, lets the test act, and then asks that the browser had nothing to complain about. */
    async visit(path: string, options: Visit, act: (page: Page) => Promise<void>) {
      const { page, complaints, close } = await browser.open(server.url + path, options)
      page.setDefaultTimeout(8_000)
      try {
        await act(page)
        const unexpected = complaints.filter((text) => !known.test(text) && !options.expected?.test(text))
        expect(unexpected).toEqual([])
      } finally {
        await close()
      }
    },
    /** What was asked of one endpoint, oldest first. */
    inputs: (name: string) => server.asked.filter((each) => each.name === name).map(({ input }) => input),
  }
}
