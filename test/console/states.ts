// What a screen can look like: each state with its address, and how it is opened. Pictures are made of all of them and axe
// looks at all of them, so names are found in both languages, and on the small site of the tests as on a filled Weir.
import type { Page } from 'playwright-core'
import { allPhrases } from './walk/phrases.ts'
import type { Person } from './walk/seed.ts'

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

const phrases = await allPhrases()

/** A phrase of the console in whichever language; `{name}` stands for anything. */
export function said(en: string): RegExp {
  const known = phrases.filter((phrase) => phrase.en === en)
  if (known.length === 0) throw new Error(`The console does not say "${en}".`)
  const plain = (phrase: string) => phrase.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')
  return new RegExp(`^(?:${[en, ...known.map(({ zh }) => zh)].map(plain).join('|')})$`)
}

const press = (page: Page, name: string) =>
  page
    .locator('main')
    .getByRole('button', { name: said(name) })
    .first()
    .click()

async function fromMenu(page: Page, entry: string): Promise<void> {
  await press(page, 'More for {name}')
  await page.getByRole('menuitem', { name: said(entry) }).click()
}

async function key(page: Page, name: string, shown: string): Promise<void> {
  await page.keyboard.press(name)
  await page.getByRole('dialog').locator(shown).first().waitFor()
}

export const STATES: Record<string, State> = {
  home: { path: '/' },
  login: { path: '/login', who: 'nobody' },
  setup: { path: '/setup', who: 'nobody', beforeSetup: true },
  device: { path: '/device' },
  tokens: { path: '/token' },
  'a new token': { path: '/token', open: (page) => press(page, 'Create token') },
  'the menu of a row': { path: '/token', wide: true, open: (page) => press(page, 'More for {name}') },
  'a question': { path: '/token', open: (page) => fromMenu(page, 'Delete') },
  'a client to connect': { path: '/token', open: (page) => fromMenu(page, 'Connect a client') },
  'several tokens at once': {
    path: '/token',
    wide: true,
    open: (page) => page.getByLabel(said('Select all on this page')).check(),
  },
  channels: { path: '/channel' },
  'a new channel': { path: '/channel/add' },
  'a channel': { path: '/channel/edit/1' },
  'a new channel with its types': {
    path: '/channel/add',
    open: (page) => page.getByRole('dialog').getByRole('combobox').first().click(),
  },
  'column settings': { path: '/channel', wide: true, open: (page) => press(page, 'Column settings') },
  'channels by tag': { path: '/channel?tag_mode=true' },
  'the panel of a tag': { path: '/channel/tag/cheap' },
  "a provider's list": {
    path: '/channel',
    open: async (page) => {
      await fromMenu(page, 'Fetch models')
      await page.getByRole('dialog').locator('.dialog-body > *').first().waitFor()
    },
  },
  'models to test': {
    path: '/channel',
    open: async (page) => {
      await fromMenu(page, 'Test models and keys')
      await page.getByRole('dialog').locator('.matrix').waitFor()
    },
  },
  'where calls go': {
    path: '/channel/route?model=sandbox-small',
    open: (page) => page.locator('main').getByText('%').first().waitFor(),
  },
  teams: { path: '/teams' },
  'a new team': { path: '/teams', open: (page) => press(page, 'Add team') },
  log: { path: '/log?span=month' },
  'a filter to add': { path: '/log?span=month', wide: true, open: (page) => press(page, 'Add filter') },
  'a row of the log': { path: '/log?span=month', open: (page) => press(page, 'Details of {name}') },
  'a call of the log': {
    path: '/log?span=month',
    open: async (page) => {
      await press(page, 'More for {name}')
      await page.getByRole('menuitem', { name: said('Open') }).click()
      await page.getByText(said('Admitted')).waitFor()
    },
  },
  'the command palette': {
    path: '/token',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: said('Find or do') }).fill('main')
      await page.getByRole('option', { name: /main/ }).first().waitFor()
    },
  },
  'the shortcuts': { path: '/token', open: (page) => key(page, '?', 'dt') },
  'the same in the terminal': { path: '/token', open: (page) => key(page, 't', 'code') },
  'a page that is not there': { path: '/nowhere' },
}
