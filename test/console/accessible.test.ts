// axe finds nothing serious on the screens and their overlays, in both themes. `npm run test:all` checks every state of
// every screen; `npm test` checks eight, and opens one state of each other screen.
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import type { OpenedPage } from '../support/browser.ts'
import { root, signedIn } from './sample-data.ts'
import type { State } from './screen-facts.ts'
import { FIRST_STATES, SCREENS, STATES } from './screens.ts'
import { navigate, unexpected, useConsole } from './visit.ts'
import { findCovered, findOverflow, look, unfit, unfoldFirst, watchShifts } from './walk/look.ts'
import { screenFolders } from './walk/phrases.ts'
import { laidOut, turn } from './walk/looks.ts'
import { settled } from './walk/site.ts'
import { pickInTurn, runsAllTests } from '../support/suite.ts'

const site = useConsole()
/** The rules of axe by which everything that can be used has a name. */
const NAMING = ['button-name', 'link-name', 'label', 'select-name', 'aria-input-field-name', 'image-alt']
/** Names and messages of the sample data, which are in one language whatever the page is in. */
const SAMPLES =
  /: (Errors|Disk|Certificate|Spend|a weir at dawn( \d+)?|(Banned prompt detected:\s*)+|The lyrics were refused)$/

/** Of CLS, for one screen. */
const MOST_SHIFT = 0.05

/** What lies within something else: the details of a row, and dialogs. */
const OPEN = '.row-details, .cards > li, dialog[open]'
/** Widths between those that the pictures have: a wide page at 200 %, and beside the side menu. layout.long.test.ts has all. */
const BETWEEN = [620, 700, 940]

/** A table, a form, a dialog, a drawing and the rest of what screens are made of. */
const EIGHT = [
  ...['login', 'tokens', 'a new channel', 'a call of the log'],
  ...['dashboard', 'system settings', 'an answer of the playground', 'a balance to change'],
]
const SHOWN = Object.entries(STATES).filter(([, { beforeSetup }]) => !beforeSetup)
/** One page for the administrator and one for nobody: axe is slow where it has just been loaded. */
const opened = new Map<string, OpenedPage>()
afterAll(async () => {
  for (const { close } of opened.values()) await close()
})

/** Opens a state in English and light, on a wide page. */
async function show(state: State): Promise<OpenedPage> {
  const made = await pageFor(state)
  await made.page.setViewportSize({ width: 1280, height: 900 })
  await turn(made.page, 'en', false)
  expect(await go(made.page, state.path), 'what is shown moves by itself').toBeLessThan(MOST_SHIFT)
  await state.open?.(made.page)
  expect(['Inter', 'Inter,JetBrains Mono']).toContain(String(await fontsOf(made.page)))
  return made
}

it('knows every screen that is declared', () => {
  expect(Object.keys(SCREENS).sort()).toEqual(screenFolders().sort())
})

/** Each is opened once: another theme changes colours alone, a phone the rest. */
it.each(SHOWN.filter(([name]) => runsAllTests || EIGHT.includes(name)))(
  '%s has no finding of serious or critical weight',
  async (_name, state) => {
    const { page, complaints } = await show(state)
    expect(await findCovered(page, OPEN)).toEqual([])
    await laidOut(page)
    expect(await unfit(page)).toEqual([])
    await turn(page, 'en', true)
    await laidOut(page)
    expect(await unfit(page, ['color-contrast'])).toEqual([])
    if (!state.wide) {
      await page.setViewportSize({ width: 390, height: 900 })
      await settled(page)
      await laidOut(page)
      expect(await unfit(page)).toEqual([])
    }
    expect(unexpected(complaints.splice(0))).toEqual([])
  },
)

const FIRST = SHOWN.filter(([name]) => FIRST_STATES.includes(name))

/** What is wrong with a state that is shown in English on a wide page. */
async function lookWide({ page }: OpenedPage): Promise<string[]> {
  const found = [...(await look(page, 'en')), ...(await unfit(page, NAMING))]
  await unfoldFirst(page)
  await settled(page)
  return [...found, ...(await findCovered(page, OPEN)), ...(await findOverflow(page, BETWEEN))]
}

/** What is wrong with it in Chinese, dark, on a phone. */
async function lookNarrow({ page }: OpenedPage): Promise<string[]> {
  await page.setViewportSize({ width: 360, height: 900 })
  await turn(page, 'zh', true)
  await settled(page)
  await laidOut(page)
  return (await look(page, 'zh')).filter((fault) => !SAMPLES.test(fault))
}

/** `npm test` looks at each state in one of the two ways, in turns. */
it.each(FIRST.map(([name, state], turn) => [name, state, pickInTurn([lookWide, lookNarrow], turn, 1)] as const))(
  '%s stands in both languages, wide and narrow, with every name and phrase filled in',
  async (_name, state, ways) => {
    const opened = await show(state)
    const found: string[] = []
    for (const lookAt of ways) found.push(...(await lookAt(opened)))
    expect(found).toEqual([])
    expect(unexpected(opened.complaints.splice(0))).toEqual([])
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

/** Out of all that is open and by way of another page, without loading anything anew. Returns how far the screen moved while it loaded. */
async function go(page: Page, path: string): Promise<number> {
  let moved = 0
  for (let left = 4; left > 0 && (await page.locator('dialog[open], :popover-open').count()); left -= 1)
    await page.keyboard.press('Escape')
  for (const to of ['/nowhere', path]) {
    await navigate(page, to)
    const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true })
    if (await leave.isVisible()) await leave.click()
    await page.locator('main > *').first().waitFor()
    const readShifts = await watchShifts(page)
    await settled(page)
    moved = await readShifts()
  }
  return moved
}

/** The first font of all that is shown: one for text, and one for code where there is some. */
const fontsOf = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body, body *')].filter((one) => one.checkVisibility())
    const first = shown.map((one) => getComputedStyle(one).fontFamily.split(',')[0]!.replaceAll('"', ''))
    return [...new Set(first)]
  })
