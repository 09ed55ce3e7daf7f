// The screen personal, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { button, field, people, said, screenFacts } from '../screen-facts.ts'
import { NOW } from '../samples.ts'
import { PASSWORD } from '../walk/seed.ts'

/** Goes to a section, which is loaded then. */
const section = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: said('Sections') })
    .getByRole('link', { name: said(name) })
    .click()

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const own = {
  ...{ id: 2, username: 'ada', display_name: 'Ada Lovelace', role: 1, status: 1, group: 'vip', version: 4 },
  ...{ email: 'ada@example.com', github_id: 'ada-l', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '' },
  ...{ quota: 4_250_000, used_quota: 750_000, request_count: 12_345 },
  ...{ aff_code: 'aB3d', aff_count: 3, aff_quota: 1_500_000, aff_history_quota: 2_000_000, setting: '' },
}

/** On two other devices; in the page, which keeps its own session. */
async function signInElsewhere(password: string): Promise<void> {
  const { username } = JSON.parse(localStorage.getItem('user') ?? '{}') as { username?: string }
  for (let device = 1; device <= 2; device += 1)
    await fetch('/api/user/login', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
}

/** Makes a call as a program does; in the page. */
async function callWithNewToken(): Promise<void> {
  const { id } = JSON.parse(localStorage.getItem('user') ?? '{}') as { id?: number }
  const json = { 'content-type': 'application/json', 'new-api-user': String(id) }
  const send = async (path: string, init?: RequestInit) =>
    (await fetch(path, init)).json() as Promise<{ data: unknown }>
  const { data } = await send('/api/token/', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'walked bodies', unlimited_quota: true }),
  })
  await send('/v1/chat/completions', {
    method: 'POST',
    headers: { ...json, authorization: `Bearer sk-${(data as { key: string }).key}` },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'hello' }] }),
  })
  // A body is kept a moment after its answer.
  for (let left = 50; left > 0; left -= 1) {
    const { data: kept } = await send('/api/user/self/bodies', { headers: json })
    if ((kept as { items: unknown[] }).items.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const facts = screenFacts({
  walked: {
    path: '/personal',
    for: people,
    shows: { number: /\$\d/ },
    acts: {
      'change the names': async (page) => {
        await button(page, 'Edit profile')
        await field(page, 'Display name').fill('Walked')
        await page.keyboard.press('Enter')
      },
      'transfer earnings': async (page) => {
        await button(page, 'Transfer')
        await page.keyboard.press('Control+Enter')
      },
      'bind an address': async (page) => {
        await section(page, 'Sign-in accounts')
        await button(page, /^(Bind|Change) email$/)
        await field(page, 'Email').fill('walked@example.com')
        await page.getByRole('button', { name: 'Get code' }).click()
        await field(page, 'Code').fill('123456')
        await page.keyboard.press('Enter')
      },
      'change the password': async (page) => {
        await section(page, 'Password')
        await button(page, 'Change password')
        await page.getByLabel('Original password').last().fill('not this one')
        for (const name of ['New password', 'Confirm password'])
          await page.getByLabel(name).last().fill('another password')
        await page.keyboard.press('Enter')
      },
      'look at passkeys and the authenticator': async (page) => {
        await section(page, 'Passkeys')
        await section(page, 'Authenticator app')
        await button(page, 'Set up the app')
        await field(page, 'Code of the app').fill('000000')
        await page.keyboard.press('Enter')
      },
      'make and delete an access token': async (page) => {
        await section(page, 'Access tokens')
        await button(page, 'Create access token')
        await field(page, 'Name').fill('walked')
        await page.keyboard.press('Control+Enter')
        await button(page, 'I have saved it')
        await page
          .getByRole('button', { name: /^Delete walked/ })
          .first()
          .click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      },
      'generate the system access token': async (page) => {
        await section(page, 'Access tokens')
        await button(page, 'Generate system access token')
        await button(page, 'I have saved it')
      },
      'end the other sessions': async (page) => {
        await page.evaluate(signInElsewhere, PASSWORD)
        await page.reload()
        await section(page, 'Sessions')
        for (const name of [/^End (?!all)/, 'End all others']) {
          await button(page, name)
          await page.getByRole('dialog').locator('.dialog-foot button').last().click()
          await page.getByRole('dialog').waitFor({ state: 'hidden' })
        }
      },
      'keep the body of a call, read it and remove it': async (page) => {
        await section(page, 'Bodies of calls')
        await button(page, 'Make a key and start storing')
        const secret = await page.getByRole('dialog').locator('code, pre').first().innerText()
        await button(page, 'Done')
        await page.evaluate(callWithNewToken)
        await page.reload()
        await section(page, 'Bodies of calls')
        await page.getByLabel('Your secret key').last().fill(secret.trim())
        await page.getByRole('button', { name: 'Show', exact: true }).click()
        await page.getByRole('dialog').getByText('Request', { exact: true }).waitFor()
        await button(page, 'Done')
        await button(page, /^Remove \w+/)
        await page.getByRole('dialog').locator('.dialog-foot button').last().click()
        await page.getByText('Nothing is stored yet').waitFor()
      },
      'download the own data': async (page) => {
        await section(page, 'Your data')
        const file = page.waitForEvent('download')
        await button(page, 'Download my data')
        await file
      },
      'look at what is lost with the account': async (page) => {
        await section(page, 'Delete account')
        const part = page.getByRole('region', { name: 'Delete account' })
        const way = part.getByRole('button', { name: 'Delete account' })
        await way.or(part.getByText(/super administrator/)).waitFor()
        if (await way.count()) await way.click()
      },
      'save the settings and test them': async (page) => {
        await section(page, 'Notifications and prices')
        await field(page, 'Notification e-mail').fill('walked@example.com')
        await button(page, 'Save and send a test')
      },
    },
    unasked: {
      'auth.oauthStart': 'test/console/personal.long.test.ts',
      'auth.wechatBind': 'test/console/personal.long.test.ts',
      'auth.unbind': 'test/console/personal.long.test.ts',
      'auth.passkeyBegin': 'a bare address has no passkeys; test/console/personal-security.long.test.ts',
      'auth.passkeyAdd': 'test/console/personal-security.long.test.ts',
      'auth.passkeyRemove': 'test/console/personal-security.long.test.ts',
      'auth.totpBackups': 'test/console/personal-security.long.test.ts',
      'auth.totpRemove': 'test/console/personal-security.long.test.ts',
      'users.deleteSelf': 'it would end the account that the walk goes on with',
    },
  },
  states: {
    'the own account': { path: '/personal' },
    'the own sessions': { path: '/personal#sessions' },
    'how one is warned': { path: '/personal#notifications' },
    'a new access token': {
      path: '/personal',
      open: async (page) => {
        await section(page, 'Access tokens')
        await page.getByRole('button', { name: said('Create access token') }).click()
      },
    },
    'changing the password': {
      path: '/personal',
      open: async (page) => {
        await section(page, 'Password')
        await page.getByRole('button', { name: said('Change password') }).click()
      },
    },
  },
  handlers: () => ({
    'users.self': () => ({ data: own }),
    'bodies.list': () => ({
      data: {
        ...{ key: { recipient: `age1${'q'.repeat(58)}`, every_token: true, token_ids: [] }, hours: 24, dropped: 0 },
        items: [{ request_id: '20260101000000000abcdefghijkl', token_id: 3, created_at: NOW, bytes: 2048 }],
      },
    }),
    'bodies.switchOff': () => ({ data: null }),
    'bodies.delete': () => ({ data: null }),
    'bodies.setKey': ({ recipient }) => ({ data: { recipient: String(recipient), every_token: true, token_ids: [] } }),
    'users.affTransfer': () => ({ data: null }),
    'users.updateSelf': () => ({ data: null }),
    'users.setting': () => ({ data: null }),
    'users.testNotice': () => ({ data: null }),
    'users.deleteSelf': () => ({ data: null }),
    'users.sessions': () => ({
      data: [
        {
          id: 1,
          ip: '203.0.113.7',
          user_agent: CHROME,
          created_time: NOW,
          used_time: NOW,
          expires_time: NOW,
          current: true,
        },
        {
          id: 2,
          ip: '2001:db8::7',
          user_agent: IPHONE,
          created_time: NOW,
          used_time: NOW,
          expires_time: NOW,
          current: false,
        },
      ],
    }),
    'users.endSession': () => ({ data: null }),
    'users.endSessions': () => ({ data: null }),
    'users.accessTokens': () => ({
      data: [
        { id: 5, name: 'backup', scope: 'read', created_time: NOW, used_time: 0, expired_time: -1 },
        { id: 6, name: 'default', scope: 'all', created_time: NOW, used_time: NOW, expired_time: -1 },
      ],
    }),
    'users.createAccessToken': ({ name }) => ({
      data: { id: 7, name, scope: 'read', expired_time: -1, token: 'wt-new' },
    }),
    'users.deleteAccessToken': () => ({ data: null }),
    'users.accessToken': () => ({ data: 'wt-system' }),
    'auth.bindings': () => ({ data: { has_password: true, services: [{ provider: 'github', created_time: NOW }] } }),
    'auth.unbind': () => ({ data: null }),
    'auth.emailBind': () => ({ data: null }),
    'auth.passkeys': () => ({ data: [{ id: 'p1', name: 'my laptop', created_time: NOW, used_time: 0 }] }),
    'auth.totp': () => ({ data: { enabled: false, backup_codes_left: 0 } }),
  }),
})
