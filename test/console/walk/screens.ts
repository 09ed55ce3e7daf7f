// What the walk needs to know of each screen, by the folder of its declaration. A screen that is not listed fails a test.
import type { Page } from 'playwright-core'
import type { Who } from './site.ts'
import type { Shown } from './look.ts'

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

const everybody: Who[] = ['nobody', 'user', 'admin', 'root']
const people: Who[] = ['user', 'admin', 'root']

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true }).last()

async function selectTwo(page: Page): Promise<void> {
  if ((await page.locator('main tbody input[type=checkbox]').count()) === 0)
    await page.getByLabel('Batch mode').last().click()
  for (const row of [0, 1]) await page.locator('main tbody input[type=checkbox]').nth(row).check()
}

export const SCREENS: Record<string, Walked> = {
  home: { path: '/', for: everybody },
  'not-found': { path: '/nowhere', for: everybody },
  login: {
    path: '/login',
    for: ['nobody'],
    acts: {
      'sign in': async (page) => {
        await field(page, 'Username or email').fill('ada')
        await page.getByLabel('Password', { exact: true }).last().fill('a good password')
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => !url.pathname.endsWith('/login'))
      },
    },
    unasked: {
      'auth.totp': 'nobody has an authenticator app',
      'auth.loginCode': 'test/console/shell.test.ts',
      'auth.oauthStart': 'test/console/shell.test.ts',
      'auth.passkeyAsk': 'nobody has a passkey',
      'auth.passkeyLogin': 'nobody has a passkey',
    },
  },
  setup: { path: '/setup', for: ['nobody'], beforeSetup: true, unasked: { 'site.setup': 'test/e2e/journey.test.ts' } },
  device: {
    path: '/device',
    for: people,
    acts: {
      'look at what a code asks for': async (page) => {
        await page.getByRole('textbox').fill('BCDF-GHJK')
        await page.keyboard.press('Enter')
      },
    },
    unasked: { 'devices.answer': 'test/console/home-setup.test.ts' },
  },
  oauth: { path: '/oauth/github', for: [], unasked: { 'auth.oauth': 'test/console/shell.test.ts' } },
  tokens: {
    path: '/token',
    for: people,
    shows: { name: /laptop/, state: /enabled|已启用/, number: /\$\d/ },
    acts: {
      'create a token': async (page) => {
        await button(page, 'Create token')
        await field(page, 'Name').fill('walked')
        await page.keyboard.press('Control+Enter')
        await page.getByText('walked').first().waitFor()
      },
      search: async (page) => {
        await page.getByLabel('Keyword').fill('laptop')
        await page.keyboard.press('Enter')
        await page.waitForURL(/keyword=laptop/)
      },
    },
  },
  channels: {
    path: '/channel',
    for: ['admin', 'root'],
    shows: { name: /\w{4}/, state: /enabled|disabled|启用|禁用/, number: /untested|未测试|\d (ms|s)|\$\d/ },
    acts: {
      'create a channel': async (page) => {
        await page.goto(new URL('/channel/add', page.url()).href)
        const panel = page.getByRole('dialog')
        await panel.getByRole('combobox').first().click()
        await page.keyboard.type('Sandbox')
        await page.keyboard.press('Enter')
        await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('walked')
        await page.keyboard.press('Control+Enter')
        await panel.waitFor({ state: 'hidden' })
      },
      search: async (page) => {
        await page
          .getByLabel(/Keyword|Search/)
          .first()
          .fill('always')
        await page.keyboard.press('Enter')
        await page.waitForURL(/always/)
      },
      'tag several': async (page) => {
        await selectTwo(page)
        await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Set tag' }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('walked together')
        await page.keyboard.press('Enter')
        await page.getByText('tagged').first().waitFor()
      },
      'delete several': async (page) => {
        await selectTwo(page)
        await page
          .getByRole('region', { name: 'Selected rows' })
          .getByRole('button', { name: /^Delete/ })
          .click()
        await page.getByRole('dialog').locator('.dialog-foot button').last().click()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
    },
  },
  route: {
    path: '/channel/route?model=sandbox-small',
    for: ['admin', 'root'],
    shows: { name: /always|Tier 1|第 1 层/, number: /\d%/ },
  },
  logs: {
    path: '/log?span=month',
    for: people,
    shows: { name: /sandbox|model/, state: /consum|error|消费|错误/i, number: /\$\d/ },
  },
  teams: {
    path: '/teams',
    for: people,
    shows: { name: /team/, number: /\$\d/ },
  },
}
