// The page of parts: every part that a screen uses shows itself in its states, without a complaint, in both themes and
// languages, wide and narrow.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type Browser } from '../../support/browser.ts'
import { buildConsole } from '../built-console.ts'
import { look, unfit } from '../walk/look.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Of Semi UI on this React, of a framed program that keeps data of its own, and of axe, which asks frames that may not answer. */
const known = /findDOMNode is deprecated|can escape its sandboxing|Failed to execute 'postMessage'/

let browser: Browser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-parts-'))
  ;[browser] = await Promise.all([openBrowser(), buildConsole(folder, 'parts-page/index.html')])
})
afterAll(async () => {
  await Promise.all([browser?.close(), folder && rm(folder, { recursive: true })])
})

it.each([
  { language: 'en', dark: false },
  { language: 'zh', dark: true },
] as const)('shows every state without a complaint: %o', async ({ language, dark }) => {
  const { page, complaints, close } = await browser.open('about:blank', { language, dark, width: 1280, height: 900 })
  try {
    await page.route('http://parts.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      const file = await readFile(join(folder, pathname)).catch(() => undefined)
      await route.fulfill({ status: file ? 200 : 404, body: file ?? '', contentType: TYPES[extname(pathname)] ?? '' })
    })
    await page.goto('http://parts.test/parts-page/index.html')
    await page.locator('.parts-state').first().waitFor()
    expect(await emptyStates(page)).toEqual([])
    // What the samples say is one language: the parts' own words are looked at on the screens.
    const found = [...(await unfit(page))]
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      found.push(...(await look(page, language)).filter((fault) => fault.startsWith('the page is')))
    }
    expect(found).toEqual([])
    expect(complaints.filter((text) => !known.test(text))).toEqual([])
  } finally {
    await close()
  }
})

/** States that show nothing, though their part has something to show. */
const emptyStates = (page: Page) =>
  page.locator('.parts-state').evaluateAll((states) =>
    states
      .filter((state) => state.children.length < 2)
      .map((state) => (state as HTMLElement).dataset['state'])
      .filter((name) => !name?.endsWith(': empty')),
  )
