// The declaration of a screen for the tests, one file of `screens/` each: how it is walked, the states in which it can
// be viewed, and the replies of the small site.
import type { Page } from 'playwright-core'
import type { Handlers } from './fake-server.ts'
import type { Shown } from './walk/look.ts'
import { allPhrases } from './walk/phrases.ts'
import type { Person } from './walk/seed.ts'
import type { Who } from './walk/site.ts'

export interface Walked {
  /** One of its addresses. */
  path: string
  /** Who is let in; nobody at all where it is only passed through, and nothing is to be looked at. */
  for: readonly Who[]
  /** What must be seen at every width where there are rows. */
  shows?: Shown
  /** It is of a Weir that nobody has set up. */
  beforeSetup?: boolean
  /** What pressing everything does not come to, because something must be typed; in English, as the administrator. */
  acts?: Record<string, (page: Page) => Promise<unknown>>
  /** Endpoints that it uses and the walk does not ask, with the reason. */
  unasked?: Record<string, string>
}

/** One look of a screen. Names are found in both languages, on the small site of the tests as on a filled Weir. */
export interface State {
  path: string
  /** The administrator where nothing is said. */
  who?: Person | 'nobody'
  open?: (page: Page) => Promise<unknown>
  /** Not on a phone: a card has no such thing, or no room for its button. */
  wide?: boolean
  /** It is of a Weir that nobody has set up. */
  beforeSetup?: boolean
}

export interface ScreenFacts {
  walked: Walked
  /** By a name that no other screen has. Pictures are made of each, and axe looks at each. */
  states?: Record<string, State>
  /** What the small site of the tests answers it. */
  handlers?: () => Handlers
}

/** Says them; the identity function, there for its types. */
export const screenFacts = (facts: ScreenFacts): ScreenFacts => facts

export const everybody: Who[] = ['nobody', 'user', 'admin', 'root']
export const people: Who[] = ['user', 'admin', 'root']
export const admins: Who[] = ['admin', 'root']

const phrases = await allPhrases()

/** A phrase of the console in whichever language; `{name}` stands for anything. */
export function said(en: string): RegExp {
  const known = phrases.filter((phrase) => phrase.en === en)
  if (known.length === 0) throw new Error(`The console does not say "${en}".`)
  const plain = (phrase: string) => phrase.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')
  return new RegExp(`^(?:${[en, ...known.map(({ zh }) => zh)].map(plain).join('|')})$`)
}

/** Opens the first card of a list on a phone, where the buttons of a row are: those of its other columns are not shown. */
export async function openFirstCard(page: Page): Promise<void> {
  if (page.viewportSize()!.width >= 600) return
  await page.locator('main ul.cards > li .row-fold').first().click()
}

/** Takes the first action of a row: by its button, and on a phone from its menu. */
export async function actOnRow(page: Page, name: string): Promise<void> {
  if (page.viewportSize()!.width >= 600) return press(page, name)
  await fromMenu(page, name)
}

/** Presses the first button of that name on the page itself. */
export const press = (page: Page, name: string) =>
  page
    .locator('main')
    .getByRole('button', { name: said(name) })
    .first()
    .click()

/** Takes an entry of the first row's menu. */
export async function fromMenu(page: Page, entry: string): Promise<void> {
  await press(page, 'More for {name}')
  await page.getByRole('menuitem', { name: said(entry) }).click()
}

/** Presses a key, and waits for what it shows. */
export async function key(page: Page, name: string, shown: string): Promise<void> {
  await page.keyboard.press(name)
  await page.getByRole('dialog').locator(shown).first().waitFor()
}

/** In English, for acts. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true }).last()

/** Marks the first two rows. */
export async function selectTwo(page: Page): Promise<void> {
  if ((await page.locator('main tbody input[type=checkbox]').count()) === 0)
    await page.getByLabel('Batch mode').last().click()
  for (const row of [0, 1]) await page.locator('main tbody input[type=checkbox]').nth(row).check()
}
