// Every route of the specification: the roles with access, the redirects of others, and the shell around it.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { reader, root, signedIn, status } from './sample-data.ts'
import { navigate, useConsole } from './visit.ts'
import { sampleCases } from '../support/suite.ts'

const site = useConsole('/gate')

/** As the specification lists them; those that only lead on have tests of their own. */
const PUBLIC = ['/', '/login', '/register', '/reset', '/user/reset', '/pricing', '/about', '/chat', '/chat/0']
const OF_USERS = [
  ...['/chat2link', '/token', '/playground', '/setting', '/personal', '/topup', '/log', '/detail', '/midjourney'],
  '/task',
]
const OF_ADMINS = [
  ...['/channel', '/channel/add', '/channel/edit/7', '/redemption', '/user', '/user/edit/3', '/user/edit'],
]
const NOWHERE = ['/no/such/place', '/channels', '/user/edit/3/more']

const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/gate', '')
const FORBIDDEN = 'You have no permission for this'
const LOST = 'page does not exist, check the address'

/** Goes there inside the page. */
const to = (page: Page, path: string) => navigate(page, `/gate${path}`)

it('lets nobody in where one has to be signed in, and everybody where not', async () => {
  await site.visit('/token', {}, async (page) => {
    await expect.poll(() => pathOf(page)).toBe('/login')
    for (const path of [...OF_USERS, ...OF_ADMINS]) {
      await to(page, path)
      await expect.poll(() => pathOf(page), { message: path }).toBe('/login')
      await page.getByLabel('Username or email').waitFor()
    }
    for (const path of [...PUBLIC, ...NOWHERE]) {
      await to(page, path)
      await page.locator('main :is(h1, h2, p, strong)').first().waitFor()
      expect(pathOf(page), path).toBe(path)
      expect(await page.getByText(LOST).count(), path).toBe(NOWHERE.includes(path) ? 1 : 0)
    }
  })
})

it('keeps from users what is for administrators, and nothing else', async () => {
  await site.visit('/channel', { storage: signedIn(reader) }, async (page) => {
    for (const path of OF_ADMINS) {
      await to(page, path)
      await page.getByText(FORBIDDEN).waitFor()
    }
    for (const path of OF_USERS.filter((each) => each !== '/chat2link' && each !== '/setting')) {
      await to(page, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect([pathOf(page), await page.getByText(FORBIDDEN).count()], path).toEqual([path, 0])
    }
  })
  await site.visit('/token', { storage: signedIn({ ...root, role: 10 }) }, async (page) => {
    for (const path of OF_ADMINS) {
      await to(page, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect([pathOf(page), await page.getByText(FORBIDDEN).count()], path).toEqual([path, 0])
    }
  })
})

it('has the side menu beside every page but home, chat and setup', async () => {
  // The playground has another one of its own.
  const aside = (page: Page) => page.locator('aside.side')
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    for (const path of ['/', '/chat', '/chat/0', '/setup']) {
      await to(page, path)
      await page.locator('main :is(h1, h2, p, strong)').first().waitFor()
      expect(await aside(page).count(), path).toBe(0)
    }
    const beside = [...PUBLIC, ...OF_USERS, ...OF_ADMINS, ...NOWHERE].filter(
      (path) => path !== '/' && !path.startsWith('/chat'),
    )
    for (const path of beside) {
      await to(page, path)
      await aside(page).waitFor()
      expect((await aside(page).boundingBox())?.width, path).toBe(200)
    }
  })
})

it('is on a phone up to 600 px', async () => {
  for (const [width, menus] of [
    [600, 0],
    [601, 1],
  ] as const)
    await site.visit('/token', { storage: signedIn(root), width }, async (page) => {
      await page.getByText('production').first().waitFor()
      await expect.poll(() => page.locator('aside').count()).toBe(menus)
      await expect.poll(() => page.getByRole('button', { name: 'Open menu' }).count()).toBe(1 - menus)
    })
})

it('leads to the setup from anywhere while nobody has set the server up', async () => {
  const none = { status: false, root_init: false, database_type: 'postgres', code_required: false }
  site.server.use({
    'site.status': () => ({ data: { ...status, setup: false } }),
    'site.setupStatus': () => ({ data: none }),
  })
  await site.visit('/pricing', {}, async (page) => {
    for (const path of ['/pricing', '/login', '/token', '/setup']) {
      await page.goto(site.server.url + path)
      await page.getByRole('button', { name: 'Initialize' }).waitFor()
      expect(pathOf(page), path).toBe('/setup')
    }
  })
})

const SERVICES = ['github', 'oidc', 'linuxdo']
const comingFrom = (type: string) => `/oauth/${type}?code=abc&state=xyz`

it.each(SERVICES)('signs in with code and state back from %s, and goes to the tokens', async (type) => {
  site.server.use({ 'auth.oauth': () => ({ data: reader, beside: { message: '' } }) })
  await site.visit(comingFrom(type), {}, async (page) => {
    await page.getByText('login success').waitFor()
    await page.waitForURL('**/gate/token')
    expect(site.inputs('auth.oauth')).toEqual([{ type, code: 'abc', state: 'xyz' }])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"username":"ada"')
  })
})

/** The page that services lead back to is one: what it does with an answer is looked at for one of them in `npm test`. */
describe.each(sampleCases(SERVICES, SERVICES.length))('back from %s', (type) => {
  const path = comingFrom(type)

  it('binds, and goes to the settings', async () => {
    site.server.use({ 'auth.oauth': () => ({ data: null, beside: { message: 'bind' } }) })
    await site.visit(path, { storage: signedIn(root) }, async (page) => {
      await page.getByText('binding success').waitFor()
      await page.waitForURL('**/gate/setting')
    })
  })

  it('says that it failed, and leads on', async () => {
    site.server.use({ 'auth.oauth': () => ({ refuse: 'The state does not match' }) })
    await site.visit(path, {}, async (page) => {
      await page.getByText('operation failed, redirecting to login').waitFor()
      await page.waitForURL('**/gate/login')
      await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    })
    await site.visit(path, { storage: signedIn(root) }, async (page) => {
      await page.getByText('operation failed').waitFor()
      await page.waitForURL('**/gate/setting')
    })
  })
})
