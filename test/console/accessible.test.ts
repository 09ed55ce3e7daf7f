// What axe says of every screen and of what lies over it, in both themes: nothing serious.
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import type { OpenedPage } from '../support/browser.ts'
import { root, signedIn } from './sample-data.ts'
import type { State } from './screen-facts.ts'
import { STATES } from './screens.ts'
import { unexpected, useConsole } from './visit.ts'
import { unfit } from './walk/look.ts'
import { turn } from './walk/looks.ts'
import { settled } from './walk/site.ts'
import { runsAllTests } from '../support/suite.ts'

const site = useConsole()
const SAMPLED = Object.entries(STATES).filter(([, { beforeSetup }]) => !beforeSetup)
/** One page for the administrator and one for nobody: axe is slow where it has just been loaded. */
const opened = new Map<string, OpenedPage>()
afterAll(async () => {
  for (const { close } of opened.values()) await close()
})

/** Each is opened once: another theme changes colours alone, a phone the rest. */
// Every second state on a phone, all of them in `npm run test:all`.
it.each(SAMPLED.map(([name, state], index) => [name, state, runsAllTests || index % 2 === 0] as const))(
  '%s has no finding of serious or critical weight',
  async (_name, state, onPhone) => {
    const { page, complaints } = await pageFor(state)
    await page.setViewportSize({ width: 1280, height: 900 })
    await turn(page, 'en', false)
    await go(page, state.path)
    await state.open?.(page)
    expect(await unfit(page)).toEqual([])
    expect(['Lato', 'Lato,JetBrains Mono']).toContain(String(await fontsOf(page)))
    await turn(page, 'en', true)
    expect(await unfit(page, ['color-contrast'])).toEqual([])
    if (!state.wide && onPhone) {
      await page.setViewportSize({ width: 390, height: 900 })
      await settled(page)
      expect(await unfit(page)).toEqual([])
    }
    expect(unexpected(complaints.splice(0))).toEqual([])
  },
)

async function pageFor({ who = 'root' }: State): Promise<OpenedPage> {
  const known = opened.get(who)
  if (known) return known
  const made = await site.browser.open(
    `${site.server.url}/nowhere`,
    who === 'nobody' ? {} : { storage: signedIn(root) },
  )
  made.page.setDefaultTimeout(15_000)
  opened.set(who, made)
  return made
}

/** Out of all that is open and by way of another page, without loading anything anew. */
async function go(page: Page, path: string): Promise<void> {
  for (let left = 4; left > 0 && (await page.locator('dialog[open], :popover-open').count()); left -= 1)
    await page.keyboard.press('Escape')
  for (const to of ['/nowhere', path]) {
    await page.evaluate((address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, to)
    const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true })
    if (await leave.isVisible()) await leave.click()
    await page.locator('main > *').first().waitFor()
    await settled(page)
  }
}

/** The first font of all that is shown: one for text, and one for code where there is some. */
const fontsOf = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body, body *')].filter((one) => one.checkVisibility())
    const first = shown.map((one) => getComputedStyle(one).fontFamily.split(',')[0]!.replaceAll('"', ''))
    return [...new Set(first)]
  })
