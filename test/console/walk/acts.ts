// Operates every control of a screen: those of the page and of its first row, each entry of an opened menu, and in each
// dialog every field and finally its confirmation. Then it reports the endpoints of the screen's code that were never
// called.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { EndpointAccess } from '../../../core/contract/endpoint.ts'
import { endpointsByName } from '../../../core/contracts.ts'
import { imports, root, sources } from '../../support/sources.ts'
import { PEOPLE } from './seed.ts'
import { look, moving, unfit } from './look.ts'
import type { Tally } from './report.ts'
import { SCREENS } from '../screens.ts'
import { settled, type Walker, type Watched, type Who } from './site.ts'

const CONTROLS = 'button, a[href], input, select, summary, [role=combobox]'
/** What a refused form says is the server's right; what fails by itself is not. */
const REFUSED = /^4\d\d |status of 4\d\d/

/** A call to one of the providers at whose place nobody answers. */
const UNANSWERED = /^50\d POST \/v1\//
const LOAD_FAILED = /^Failed to load resource.+status of 50\d/

/** Labels, pressed one after the other: a control, and what it has opened. */
type Way = readonly string[]

/** How far is gone: a control, an entry of its menu or what unfolded, and what that opened. */
const DEEPEST = 3

/** @param typed only what the screen's facts say, and no control is pressed beside */
export async function doEverything(
  walker: Walker,
  screen: string,
  who: Who,
  tally: Tally,
  typed = false,
): Promise<void> {
  const { path, acts = {} } = SCREENS[screen]!
  const openPage = () => walker.open(path, { who, width: 1440, height: 1000 })
  let opened = await openPage()
  // One page for all, for a new one takes twice as long; where it cannot go on there is another.
  const begin = () =>
    opened.again().catch(async () => {
      await opened.close()
      opened = await openPage()
    })
  const visit = async (where: string, work: (opened: Watched, note: (fault: string) => void) => Promise<void>) => {
    const note = (fault: string) => void tally.faults.push({ screen, where: `${who}, ${where}`, fault })
    try {
      await begin()
      await settled(opened.page)
      await opened.page.emulateMedia({ reducedMotion: 'reduce' })
      await work(opened, note)
      tally.acts += 1
      const unanswered = opened.failures.some((fault) => UNANSWERED.test(fault))
      for (const fault of [...opened.complaints, ...opened.failures])
        if (!REFUSED.test(fault) && !(unanswered && (UNANSWERED.test(fault) || LOAD_FAILED.test(fault)))) note(fault)
    } catch (error) {
      note(`it could not be done: ${String(error).split('\n').slice(0, 2).join(' ')}`)
    } finally {
      // What could still be taken back is done when the page is left; while it is still there, so that it can be seen.
      await opened.page.evaluate(() => void window.dispatchEvent(new Event('pagehide'))).catch(() => undefined)
      await settled(opened.page).catch(() => undefined)
      for (const one of opened.asked) tally.asked.add(endpointOf(one))
    }
  }
  for (const [name, act] of Object.entries(acts)) {
    await visit(name, async ({ page }) => {
      await act(page)
      await page.waitForTimeout(200)
      await settled(page)
    })
  }
  if (typed) return opened.close()
  const ways: Way[] = []
  // Entries of menus come last: some of them make away with what the page is about.
  const entries: Way[] = []
  await visit('a first look', async ({ page }) => void ways.push(...(await controlsOf(page)).map((label) => [label])))
  const known = new Set(ways.flat())
  for (let way = ways.shift(); way; way = ways.shift() ?? entries.shift()) {
    const here = way
    await visit(here.join(' > '), async ({ page }, note) => {
      for (const label of here) {
        if (await press(page, label)) continue
        // What is offered behind another control hangs on what earlier acts have stored.
        if (here.length > 1 || passes(label)) return
        throw new Error(`${label} is not there`)
      }
      await wellShown(page, note)
      if (await page.locator('dialog[open]').count()) return fillDialog(page, note)
      if (here.length >= DEEPEST || new URL(page.url()).pathname !== path.split('?')[0]) return
      for (const label of await offered(page)) {
        if (known.has(label)) continue
        known.add(label)
        const into = label.startsWith(ENTRY) ? entries : ways
        into.push([...here, label])
      }
    })
  }
  await opened.close()
}

const ENTRIES = '.menu-item:not([aria-disabled=true])'
/** An entry is not the button of the page that says the same. */
const ENTRY = 'entry: '

/** What can be pressed now: the entries of an open menu, or the controls of the page. */
const offered = async (page: Page): Promise<string[]> => {
  const entries = await page.locator(ENTRIES).locator('> span').allInnerTexts()
  return entries.length > 0 ? entries.map((entry) => ENTRY + entry.split('\n')[0]) : controlsOf(page)
}

/**
 * Labels of the controls of the page that can be pressed; each has its place in the markup. Rows come and go with what is
 * done, so what stands in one is called by its column, or without the name of the row: `Edit`, `More for {row}`.
 */
async function controlsOf(page: Page): Promise<string[]> {
  const labels = await page.locator('main').evaluate((main, controls) => {
    return [...main.querySelectorAll<HTMLInputElement>(controls)].map((control) => {
      const row = control.closest('table.rows tbody, .cards > li')
      // Beside the name there may be more in its cell, such as a tag.
      const title = row?.querySelector('th, .card-title')
      const texts = title ? document.createTreeWalker(title, NodeFilter.SHOW_TEXT) : null
      const name = texts?.nextNode()?.textContent?.trim() ?? ''
      const away = control.getAttribute('target') === '_blank' || control.matches(':disabled')
      const said = control.getAttribute('aria-label')
      // A group of choices has a name that is another one each time.
      const told = control.labels?.[0]?.innerText.trim()
      const text = control.innerText.trim() || told || control.name || control.localName
      const cell = control.closest<HTMLTableCellElement>('table.rows > tbody > tr > td')
      const inColumn = cell && !cell.matches('.row-actions, [colspan]') ? `{column ${cell.cellIndex}}` : text
      const label = !row ? (said ?? text) : said === null ? inColumn : name ? said.replace(name, '{row}') : said
      const shown = !away && control.checkVisibility()
      control.dataset['walked'] = shown ? label : ''
      return shown ? label : ''
    })
  }, CONTROLS)
  return [...new Set(labels)].filter((label) => label !== '')
}

/** What stands in a row, or leads to another page of rows, is gone where earlier acts have changed the rows. */
const passes = (label: string): boolean => label.includes('{row}') || /^(Page|Next|Last) /.test(label)

/** Whether it is there. @throws where it cannot be pressed */
async function press(page: Page, label: string): Promise<boolean> {
  if (label.startsWith(ENTRY)) {
    const entry = page.locator(ENTRIES).getByText(label.slice(ENTRY.length), { exact: true }).first()
    if (!(await isThere(entry))) return false
    await entry.click()
  } else {
    // What a page reads it may show a little later.
    for (let left = 20; left > 0 && !(await controlsOf(page)).includes(label); left -= 1) await page.waitForTimeout(100)
    const place = page.locator(`main [data-walked=${JSON.stringify(label)}]`).first()
    if (!(await isThere(place))) return false
    const name = await place.evaluate((element) => {
      // What is ticked lies under what is seen of it, and is not scrolled to.
      element.scrollIntoView({ block: 'center' })
      return element.localName
    })
    if (name === 'select') await place.selectOption({ index: (await place.locator('option').count()) - 1 })
    else await place.click({ force: name === 'input' })
  }
  await page.waitForTimeout(120)
  await settled(page)
  return true
}

const isThere = (place: Locator): Promise<boolean> =>
  place.waitFor({ timeout: 3000 }).then(
    () => true,
    () => false,
  )

/** Every field and button of the dialog on top, then its yes, then the way out. */
async function fillDialog(page: Page, note: (fault: string) => void): Promise<void> {
  const dialog = page.locator('dialog[open]').last()
  const inside = dialog.locator('.dialog-body').locator(CONTROLS)
  const many = Math.min(await inside.count(), 60)
  for (let index = 0; index < many; index += 1) {
    const control = inside.nth(index)
    // What is pressed changes what there is.
    if (!(await control.isVisible()) || !(await control.isEnabled({ timeout: 1000 }).catch(() => false))) continue
    await control.click({ timeout: 1000 }).catch(() => undefined)
    if (await page.locator('.floating:popover-open').count()) await page.keyboard.press('Escape')
    if ((await page.locator('dialog[open]').count()) === 0) return
    while ((await page.locator('dialog[open]').count()) > 1) await page.keyboard.press('Escape')
  }
  await wellShown(page, note)
  const yes = dialog.locator('.dialog-foot button').last()
  const agree = async () => {
    if (await yes.isVisible()) await yes.click({ timeout: 1000 }).catch(() => undefined)
    await page.waitForTimeout(250)
  }
  await agree()
  const wrong = dialog.locator('.field:has([role=alert])').locator('input, textarea')
  if (await wrong.count()) {
    await wellShown(page, note)
    for (const one of await wrong.all()) await one.fill(PEOPLE.user, { timeout: 1000 }).catch(() => undefined)
    await agree()
  }
  // What asks once more, such as before all is taken back.
  for (let left = 3; left > 0 && (await page.locator('dialog[open]').count()); left -= 1) {
    await wellShown(page, note)
    const sure = page.locator('dialog[open]').last().locator('.dialog-foot button').last()
    await page.keyboard.press('Escape')
    if (await sure.isVisible().catch(() => false)) await sure.click({ timeout: 1000 }).catch(() => undefined)
  }
  await settled(page)
}

/** axe takes a while, so it is asked about what lies over the page, which no look around has seen. */
async function wellShown(page: Page, note: (fault: string) => void): Promise<void> {
  const lies = (await page.locator('dialog[open], .floating:popover-open').count()) > 0
  for (const fault of [...(await look(page, 'en')), ...(await moving(page)), ...(lies ? await unfit(page) : [])])
    note(fault)
}

const known = [...endpointsByName].map(([name, { method, path, changes }]) => ({
  name,
  pattern: new RegExp(`^${changes ? '(GET|POST)' : method} ${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
  exact: !path.includes('{'),
}))

/** `GET /api/token/7` is `tokens.get`; what is none is said as it is. */
const endpointOf = (asked: string): string => {
  const fits = known.filter(({ pattern }) => pattern.test(asked))
  return (fits.find(({ exact }) => exact) ?? fits[0])?.name ?? asked
}

/** Where the shell looks after the endpoints itself, whatever the screen. */
const OF_ALL_SCREENS = /^console\/(shell\/|data\/(client|session|status)\.tsx?$)/

/** The files of a screen and what they are made of. */
function filesOf(screen: string): Set<string> {
  const own = new Set(sources.filter((file) => file.startsWith(`console/screens/${screen}/`)))
  for (const file of own)
    for (const { from, to, typeOnly } of imports)
      if (from === file && !typeOnly && /^console\/.*\.tsx?$/.test(to) && !OF_ALL_SCREENS.test(to)) own.add(to)
  return own
}

/** What an endpoint asks of who asks it, and from which of the walkers on that is given. */
const RANKS: Record<EndpointAccess, number> = { public: 0, user: 1, admin: 2, root: 3 }
const RANK_OF: Record<Who, number> = { nobody: 0, user: 1, admin: 2, root: 3 }

/** Whether any of them has use for it: who may ask it, and has no wider one in its place (`logs.list` for `logs.listSelf`). */
function isFor(name: string, walkers: readonly Who[]): boolean {
  const needed = (one: string) => RANKS[endpointsByName.get(one)?.access ?? 'public']
  const wider = name.endsWith('Self') ? name.slice(0, -'Self'.length) : ''
  const most = endpointsByName.has(wider) ? needed(wider) : Infinity
  return walkers.some((who) => RANK_OF[who] >= needed(name) && RANK_OF[who] < most)
}

const CALL = /\b(?:api|quiet)Client\s*\.(\w+)\s*\.(\w+)/g
/** `const { search, list } = apiClient.redemptions`. */
const TAKEN = /\{([^{}]*)\}\s*=\s*(?:api|quiet)Client\.(\w+)/g

/** Finds the endpoints that a file calls, by their names. */
function findCalls(code: string): string[] {
  const called = [...code.matchAll(CALL)].map(([, feature, name]) => `${feature}.${name}`)
  const taken = [...code.matchAll(TAKEN)].flatMap(([, names = '', feature]) =>
    (names.match(/\w+/g) ?? []).map((name) => `${feature}.${name}`),
  )
  return [...called, ...taken].filter((name) => endpointsByName.has(name))
}

/** Endpoints that a screen names and nobody of those who walked asked, and those that were asked although a reason says why not. */
export function leftUndone(screen: string, walkers: readonly Who[], tally: Tally): string[] {
  const named = new Set([...filesOf(screen)].flatMap((file) => findCalls(readFileSync(join(root, file), 'utf8'))))
  const reasons = Object.keys(SCREENS[screen]!.unasked ?? {})
  return [
    ...[...named]
      .filter((name) => !tally.asked.has(name) && !reasons.includes(name) && isFor(name, walkers))
      .map((name) => `${name} was never asked`),
    ...reasons.filter((name) => tally.asked.has(name)).map((name) => `${name} was asked, and is said not to be`),
    ...reasons.filter((name) => !named.has(name)).map((name) => `${name} is no endpoint of it`),
  ]
}
