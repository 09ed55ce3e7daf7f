// The layout of every screen at every width, with classic scroll bars and in both languages, and nothing covers a text
// in any state. accessible.test.ts checks a part of both.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type Browser } from '../support/browser.ts'
import { root, signedIn } from './sample-data.ts'
import type { State } from './screen-facts.ts'
import { FIRST_STATES, STATES } from './screens.ts'
import { useConsole } from './visit.ts'
import { findCovered, findOverflow, unfoldFirst } from './walk/look.ts'
import { laidOut, turn } from './walk/looks.ts'
import { settled } from './walk/site.ts'

const site = useConsole()
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser([], true)
})
afterAll(() => browser?.close())

const SHOWN = Object.entries(STATES).filter(([, { beforeSetup }]) => !beforeSetup)
const WIDTHS = Array.from({ length: 57 }, (_, index) => 320 + index * 20)

async function show(state: State) {
  const storage = state.who === 'nobody' ? {} : signedIn(root)
  const opened = await browser.open(site.server.url + state.path, { storage, width: 1280, height: 900 })
  opened.page.setDefaultTimeout(15_000)
  await settled(opened.page)
  await state.open?.(opened.page)
  await settled(opened.page)
  return opened
}

it.each(SHOWN.filter(([name]) => FIRST_STATES.includes(name)))(
  '%s is as wide as the window at every width',
  async (_name, state) => {
    const { page, close } = await show(state)
    try {
      const found: string[] = []
      for (const language of ['en', 'zh'] as const) {
        await turn(page, language, false)
        await settled(page)
        found.push(...(await findOverflow(page, WIDTHS)).map((fault) => `${language}, ${fault}`))
      }
      expect(found).toEqual([])
    } finally {
      await close()
    }
  },
)

it.each(SHOWN)('%s has nothing over a text', async (_name, state) => {
  const { page, close } = await show(state)
  try {
    const found: string[] = []
    for (const width of state.wide ? [1280] : [1280, 700, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await laidOut(page)
      await unfoldFirst(page)
      await settled(page)
      await laidOut(page)
      found.push(...(await findCovered(page, 'body')).map((fault) => `${width} px: ${fault}`))
    }
    expect(found).toEqual([])
  } finally {
    await close()
  }
})
