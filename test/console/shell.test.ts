// The frame of the console: guard, menu, language, theme, mounting, and the display of HTTP failures.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NOW, reader, root, sampleHandlers, signedIn, status, token } from './sample-data.ts'
import { fromMenu, useConsole } from './visit.ts'

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

it('moves along tabs by the arrows, Home and End, from the last one to the first', async () => {
  await site.visit('/prices', { storage: signedIn(root), width: 1280 }, async (page) => {
    const tabs = page.getByRole('tablist').first().getByRole('tab')
    await tabs.first().waitFor()
    const last = (await tabs.count()) - 1
    await tabs.first().focus()
    const steps = { ArrowRight: 1, ArrowLeft: 0, End: last, Home: 0 }
    for (const [key, at] of [...Object.entries(steps), ['ArrowLeft', last], ['ArrowRight', 0]] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => tabs.nth(at).getAttribute('aria-selected'), { message: key }).toBe('true')
      await expect.poll(() => tabs.nth(at).evaluate((tab) => tab === document.activeElement)).toBe(true)
    }
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

it('asks for the second factor, leads to services and comes back from them to where one wanted to go', async () => {
  site.server.use({
    'site.status': () => ({ data: { ...status, github_oauth: true } }),
    'auth.providers': () => ({ data: [{ id: 'house', name: 'House' }] }),
    'auth.login': () => ({ refuse: 'Enter the code of your authenticator app', code: 'login.second_factor' }),
    'auth.loginCode': ({ code }) =>
      code === '123456' ? { data: root } : { refuse: 'The code is wrong', code: 'second_factor.wrong' },
    'auth.oauthStart': ({ type }) => ({ data: { url: `${site.server.url}/oauth/${String(type)}?code=abc&state=xyz` } }),
    'auth.oauth': ({ code }) => ({ data: code === 'abc' ? root : null, beside: { message: '' } }),
  })
  await site.visit('/login', {}, async (page) => {
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill('1')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong').waitFor()
    await page.getByLabel('Code').fill('123456')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/token')
  })
  await site.visit('/log?type=2', {}, async (page) => {
    await page.getByRole('button', { name: 'Continue with House' }).waitFor()
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL('**/gate/log?type=2')
    expect(site.inputs('auth.oauth')).toEqual([{ type: 'github', code: 'abc', state: 'xyz' }])
  })
})

it('forgets the user and says why when the server no longer knows them', async () => {
  site.server.use({ 'tokens.list': () => ({ refuse: 'not logged in', status: 401 }) })
  await site.visit('/token', { storage: signedIn(root), expected: /401/ }, async (page) => {
    await page.waitForURL('**/gate/login?expired=true')
    await page.getByText('not logged in or login expired').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })
})

it('asks to sign in again over a panel that is filled in, and sends what was typed then', async () => {
  let known = true
  const kept = sampleHandlers()
  site.server.use({
    'tokens.create': (input) => (known ? kept['tokens.create']!(input) : { refuse: 'not logged in', status: 401 }),
    'auth.login': ({ password }) => {
      known = password === 'correct-horse'
      return known ? { data: root } : { refuse: 'The username or the password is wrong', status: 401 }
    },
  })
  await site.visit('/token', { storage: signedIn(root), expected: /401/ }, async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('kept')
    known = false
    await page.keyboard.press('Enter')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Your password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The username or the password is wrong').waitFor()
    await again.getByLabel('Your password').fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByText('token created').waitFor()
    expect(site.inputs('tokens.create').map(({ name }) => name)).toEqual(['kept', 'kept'])
    expect(page.url()).toMatch(/\/token$/)
    await page.getByRole('button', { name: 'Done' }).click()

    // Who does not want to goes to the login page, and comes back from there.
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('lost')
    known = false
    await page.keyboard.press('Enter')
    await again.getByRole('button', { name: 'Go to the login page' }).click()
    await page.waitForURL('**/gate/login?expired=true')
  })
})

it('lets a program in by its code, after the sign-in that it takes, and shows what it asks for', async () => {
  let known = false
  const asked = {
    ...{ name: '<b>weir</b> on laptop', scope: 'all', ip: '203.0.113.7', near: false, user_code: 'BCDF-GHJK' },
    ...{ created_time: NOW, expires_time: NOW + 600, expired_time: NOW + 86_400 },
  }
  site.server.use({
    'devices.request': ({ user_code }) => {
      if (!known) return { refuse: 'not logged in', status: 401 }
      if (user_code === asked.user_code) return { data: asked }
      return { refuse: 'No program is waiting with this code', code: 'device.missing' }
    },
    'devices.answer': () => ({ data: null }),
  })
  const options = { storage: signedIn(root), expected: /401/, width: 360, height: 740 }
  await site.visit('/device?code=BCDF-GHJK', options, async (page) => {
    // The browser believes to be signed in, the server does not.
    await page.waitForURL('**/gate/login?expired=true')
    known = true
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/device?code=BCDF-GHJK')
    for (const text of ['<b>weir</b> on laptop', '203.0.113.7', 'Do everything that you can do', 'BCDF-GHJK', 'root'])
      await page.getByText(text, { exact: true }).waitFor()
    await page.getByText('from a different network').waitFor()
    await page.getByText('You are an administrator').waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('The program was given no access.').waitFor()
    await page.getByRole('button', { name: 'Enter another code' }).click()
    await page.getByLabel('Code').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('No program is waiting with this code').waitFor()
    await page.getByLabel('Code').fill('bcdf-ghjk')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('The program continues automatically.').waitFor()
    expect(site.inputs('devices.answer')).toEqual([
      { user_code: 'BCDF-GHJK', allow: false },
      { user_code: 'BCDF-GHJK', allow: true },
    ])
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
  })
})

it('changes language and theme at once and remembers both', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByText('中文').click()
    await page.getByRole('heading', { name: 'API令牌' }).waitFor()
    await page.getByRole('button', { name: '切换到深色' }).click()
    await expect.poll(() => page.evaluate(() => document.body.getAttribute('theme-mode'))).toBe('dark')
    await page.reload()
    await page.getByRole('heading', { name: 'API令牌' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.body.getAttribute('theme-mode'))).toBe('dark')
    await expect.poll(() => page.title()).toBe('API令牌 - Weir')
  })
})

it('colors every text in one frame where the system asks for little motion', async () => {
  await site.visit('/setting', { storage: signedIn(root) }, async (page) => {
    await page.locator('.settings-page, .settings-card').first().waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const late = await page.evaluate(async () => {
      const texts = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility())
      const colors = () => texts.map((one) => getComputedStyle(one).color)
      document.body.setAttribute('theme-mode', 'dark')
      await new Promise(requestAnimationFrame)
      const first = colors()
      for (let frames = 0; frames < 30; frames += 1) await new Promise(requestAnimationFrame)
      const last = colors()
      return texts.filter((_, index) => first[index] !== last[index]).map((one) => one.tagName)
    })
    expect(late).toEqual([])
  })
})

it('has the theme of the system until one is chosen, with the scroll bars of it', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    const themes = () =>
      page.evaluate(() => [
        document.body.getAttribute('theme-mode') ?? 'light',
        getComputedStyle(document.documentElement).colorScheme,
      ])
    await page.evaluate(() => localStorage.removeItem('theme-mode'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await expect.poll(themes).toEqual(['dark', 'dark'])
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(themes).toEqual(['light', 'light'])
    await page.getByRole('button', { name: 'Switch to dark' }).click()
    await expect.poll(themes).toEqual(['dark', 'dark'])
    await page.getByRole('button', { name: 'Switch to light' }).click()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await expect.poll(themes).toEqual(['light', 'light'])
  })
})

it('loads the texts of one language, and shows none in another while it loads', async () => {
  const listTexts = (page: Page) =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => /\/(texts-\w+)-[^/]*\.js$/.exec(name)?.[1] ?? []),
    )
  await site.visit('/token', { storage: signedIn(root), alone: true }, async (page) => {
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    expect(await listTexts(page)).toEqual([])
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh'))
    // Whatever the page shows, at any moment.
    await page.addInitScript(() => {
      const shown = new Set<string>()
      Object.assign(window, { shown })
      const note = () => document.querySelectorAll('h1, nav a, button').forEach((each) => shown.add(each.textContent))
      new MutationObserver(note).observe(document, { childList: true, characterData: true, subtree: true })
    })
    await page.reload()
    await page.getByRole('heading', { name: 'API令牌' }).waitFor()
    expect(await listTexts(page)).toEqual(['texts-zh'])
    const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])
    expect(shown).toContain('API令牌')
    expect(shown.filter((text) => /token|channel|log out/i.test(text))).toEqual([])
  })
})

it('signs out', async () => {
  await site.visit('/token', { storage: signedIn(root) }, async (page) => {
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByText('Log out').click()
    await page.getByText('logout success').waitFor()
    await page.waitForURL('**/gate/login')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
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
    await expect.poll(() => page.evaluate(() => 'ran' in window)).toBe(false)
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
    const dialog = page.getByRole('dialog')
    await fromMenu(page, 'laptop', 'Enable')
    await dialog.getByLabel('Your password').fill('wrong')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password is wrong').waitFor()
    await dialog.getByLabel('Your password').fill('correct-horse')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const updates = () => site.inputs('tokens.update')
    await expect.poll(updates).toHaveLength(2)
    const [first, again] = updates()
    expect(again).toEqual(first)

    // Who does not want to is told what was refused, and nothing is made again; who has an app is asked for its code.
    ;[proven, app] = [false, true]
    await page.reload()
    await fromMenu(page, 'laptop', 'Enable')
    await dialog.getByLabel('Code of the authenticator app').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'Confirm who you are to go on' }).waitFor()
    expect(updates()).toHaveLength(3)
    await fromMenu(page, 'laptop', 'Enable')
    await dialog.getByLabel('Code of the authenticator app').fill('123456')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(updates).toHaveLength(5)
  })
})
