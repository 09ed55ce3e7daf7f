// The frame of the console: guard, menu, language, theme, mounting, and what HTTP failures come to.
import { expect, it } from 'vitest'
import { reader, root, signedIn, status, token } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole('/gate')

it('sends a visitor to the login and back to where they wanted to go', async () => {
  await site.visit('/log?type=2', { expected: /401/ }, async (page) => {
    await page.waitForURL('**/gate/login')
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Username or password is wrong').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('correct-horse')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('login success').waitFor()
    await page.waitForURL('**/gate/log?type=2')
    const kept = await page.evaluate(() => localStorage.getItem('user'))
    expect(JSON.parse(kept ?? '')).toMatchObject({ username: 'root', role: 100 })
  })
})

it('asks for both fields, and goes to the tokens after a plain login', async () => {
  await site.visit('/login', {}, async (page) => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('enter username and password').waitFor()
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/token')
  })
})

it('forgets the user and says why when the server no longer knows them', async () => {
  site.server.use({ 'tokens.list': () => ({ refuse: 'not logged in', status: 401 }) })
  await site.visit('/token', { storage: signedIn(root), expected: /401/ }, async (page) => {
    await page.waitForURL('**/gate/login?expired=true')
    await page.getByText('not logged in or login expired').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })
})

it('names HTTP failures in the words of the catalogue, and offers to try again', async () => {
  site.server.use({ 'tokens.list': () => ({ refuse: 'x', status: 429 }) })
  await site.visit('/token', { storage: signedIn(root), expected: /429|500|405/ }, async (page) => {
    await page.getByRole('alert').filter({ hasText: 'too many requests, try again later' }).waitFor()
    site.server.use({ 'tokens.list': () => ({ refuse: 'x', status: 500 }) })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('alert').filter({ hasText: 'internal server error, contact admin' }).waitFor()
    site.server.use({ 'tokens.list': () => ({ refuse: 'x', status: 405 }) })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('this site is for demo only, no backend').first().waitFor()
    site.server.reset()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('production').waitFor()
  })
})

it('sends who is asking and in which language', async () => {
  await site.visit('/token', { storage: signedIn(reader), language: 'zh' }, async (page) => {
    await page.getByText('production').waitFor()
    const { headers } = site.server.asked.find(({ name }) => name === 'tokens.list')!
    expect(headers).toMatchObject({ 'new-api-user': '2', 'accept-language': 'zh' })
    expect(site.server.asked.find(({ name }) => name === 'site.status')).toBeDefined()
  })
})

it('shows administrators their menu, and nobody else', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Channels' }).click()
    await page.waitForURL('**/gate/channel')
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(['API tokens', 'Teams', 'Usage log', 'Channels'])
  })
  site.server.reset()
  await site.visit('/channel', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('You have no permission for this').waitFor()
    expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0)
    expect(site.inputs('channels.list')).toEqual([])
  })
})

it('collapses the side menu to 60 px and remembers it', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const width = async () => (await page.locator('aside').boundingBox())?.width
    await page.getByText('production').waitFor()
    expect(await width()).toBe(200)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect.poll(width).toBe(60)
    expect(await page.evaluate(() => localStorage.getItem('default_collapse_sidebar'))).toBe('true')
    await page.reload()
    await page.getByText('production').waitFor()
    expect(await width()).toBe(60)
  })
})

it('changes language and theme at once and remembers both', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByText('中文').click()
    await page.getByRole('heading', { name: 'API令牌' }).waitFor()
    await page.getByRole('button', { name: '切换到深色' }).click()
    expect(await page.evaluate(() => document.body.getAttribute('theme-mode'))).toBe('dark')
    await page.reload()
    await page.getByRole('heading', { name: 'API令牌' }).waitFor()
    expect(await page.evaluate(() => document.body.getAttribute('theme-mode'))).toBe('dark')
    expect(await page.title()).toBe('API令牌 - Weir')
  })
})

it('keeps the menu in a drawer on a phone', async () => {
  await site.visit('/token', { storage: signedIn(root), width: 390, height: 844 }, async (page) => {
    await page.getByText('production').waitFor()
    expect(await page.locator('aside').count()).toBe(0)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('link', { name: 'Usage log' }).click()
    await page.waitForURL('**/gate/log')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wide).toBe(false)
  })
})

it('signs out', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByText('Log out').click()
    await page.getByText('logout success').waitFor()
    await page.waitForURL('**/gate/login')
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })
})

it('says so where an address leads nowhere', async () => {
  await site.visit('/no/such/place', {}, async (page) => {
    await page.getByText('page does not exist, check the address').waitFor()
  })
})

it('shows the badge of the site, and its own footer without what could run', async () => {
  const footer_html = 'Run by <b>us</b><img src=x onerror="window.ran = true"><script>window.ran = true</script>'
  site.server.use({ 'site.status': () => ({ data: { ...status, self_use_mode_enabled: true, footer_html } }) })
  await site.visit('/', {}, async (page) => {
    await page.getByText('Self-use mode').waitFor()
    await page.locator('footer').getByText('Run by us').waitFor()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

it('asks for a proof where any call wants one, and makes the call again', async () => {
  let proven = false
  let app = false
  const stale = { refuse: 'Confirm who you are to go on', code: 'access.step_up' }
  site.server.use({
    'tokens.update': ({ id }) => (proven ? { data: token(Number(id), { status: 1 }) } : stale),
    'auth.totp': () => ({ data: { enabled: app, backup_codes_left: 0 } }),
    'auth.stepUp': ({ password, code }) => {
      proven = password === 'correct-horse' || code === '123456'
      return proven ? { data: null } : { refuse: 'The password is wrong', code: 'user.wrong_original' }
    },
  })
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const enable = page.getByRole('button', { name: 'Enable' }).first()
    const dialog = page.getByRole('dialog')
    await enable.click()
    await dialog.getByLabel('Your password').fill('wrong')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password is wrong').waitFor()
    await dialog.getByLabel('Your password').fill('correct-horse')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const [first, again] = site.inputs('tokens.update')
    expect(site.inputs('tokens.update')).toHaveLength(2)
    expect(again).toEqual(first)

    // Who does not want to is told what was refused, and nothing is made again; who has an app is asked for its code.
    ;[proven, app] = [false, true]
    await page.reload()
    await enable.click()
    await dialog.getByLabel('Code of the authenticator app').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'Confirm who you are to go on' }).waitFor()
    expect(site.inputs('tokens.update')).toHaveLength(3)
    await enable.click()
    await dialog.getByLabel('Code of the authenticator app').fill('123456')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(site.inputs('tokens.update')).toHaveLength(5)
  })
})
