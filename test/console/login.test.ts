// Signing in with a human check, and with services that need scripts of third parties, which the test answers.
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { signInServices } from '../../core/settings/sign-in-services.ts'
import { foreignScriptOrigins } from '../../core/contract/frames.ts'
import { answersOf, TELEGRAM, TURNSTILE } from './foreign.ts'
import { root, signedIn, status } from './sample-data.ts'
import { sampleCases } from '../support/suite.ts'
import { useConsole } from './visit.ts'

const site = useConsole('/gate')

const offers = (more: object) => site.server.use({ 'site.status': () => ({ data: { ...status, ...more } }) })
const withCheck = { turnstile_check: true, turnstile_site_key: 'site-key' }

async function fillIn(page: Page, password = 'correct-horse') {
  await page.getByLabel('Username or email').fill('root')
  await page.getByLabel('Password', { exact: true }).fill(password)
}

it('waits for the human check, sends what it gives, and asks for the next after each try', async () => {
  await site.visit('/', { expected: /401/, dark: true }, async (page) => {
    offers(withCheck)
    const asked = await answersOf(page, { 'challenges.cloudflare.com': TURNSTILE })
    await page.goto(`${site.server.url}/login`)
    await page.getByText('Turnstile site-key dark en').waitFor()
    expect(asked).toEqual([foreignScriptOrigins.turnstile.address])
    await fillIn(page, 'wrong')
    await page.keyboard.press('Enter')
    await page.getByText('wait a few seconds, Turnstile is checking').waitFor()
    expect(site.inputs('auth.login')).toEqual([])
    await page.evaluate(`solve('first')`)
    await page.keyboard.press('Enter')
    await page.getByText('Username or password is wrong').waitFor()
    // A token is good once.
    await expect.poll(() => page.evaluate('resetsOf()')).toBe(1)
    await fillIn(page)
    await page.evaluate(`solve('second')`)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/token')
    expect(site.inputs('auth.login').map(({ turnstile }) => turnstile)).toEqual(['first', 'second'])
  })
})

it('says where the human check could not be loaded or failed, and tries again', async () => {
  await site.visit('/', { expected: /ERR_FAILED/, language: 'zh' }, async (page) => {
    offers(withCheck)
    const scripts: Record<string, string | null> = {}
    await answersOf(page, scripts)
    await page.goto(`${site.server.url}/login`)
    const lost = page.getByRole('alert').getByText('无法从 challenges.cloudflare.com 加载人机验证')
    await lost.waitFor()
    scripts['challenges.cloudflare.com'] = TURNSTILE
    await page.getByRole('button', { name: '重试' }).click()
    await page.getByText('Turnstile site-key light zh-cn').waitFor()
    await lost.waitFor({ state: 'detached' })
    await page.evaluate('window.break()')
    await lost.waitFor()
    await page.evaluate(`solve('at last')`)
    await lost.waitFor({ state: 'detached' })
  })
})

/** The status once a script of others is wanted, and what is seen of it. */
const WANTED = {
  turnstile: { more: withCheck, shown: 'Turnstile site-key light en', script: TURNSTILE },
  telegram: {
    more: { telegram_oauth: true, telegram_bot_name: 'weir_bot' },
    shown: 'Log in as weir_bot',
    script: TELEGRAM,
  },
} satisfies Record<keyof typeof foreignScriptOrigins, { more: object; shown: string; script: string }>

it.each(sampleCases(Object.entries(WANTED), 2))(
  'loads a page anew that came before %s was switched on, and asks first where something was typed',
  async (name, { more, shown, script }) => {
    const { origin, host } = new URL(foreignScriptOrigins[name as keyof typeof WANTED].address)
    await site.visit('/', { expected: /Content Security Policy|violates/ }, async (page) => {
      let allowed = "'self'"
      await answersOf(page, { [host]: script })
      await page.route('**/login', async (route) => {
        const answer = await route.fetch()
        const policy = `script-src-elem ${allowed} 'unsafe-inline'`
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy } })
      })
      const switchOn = async () => {
        allowed = `'self' ${origin}`
        offers(more)
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      }
      await page.goto(`${site.server.url}/login`)
      await page.getByLabel('Username or email').waitFor()
      await switchOn()
      await page.getByText(shown).waitFor()

      site.server.reset()
      allowed = "'self'"
      await page.evaluate(() => sessionStorage.removeItem('loaded_anew'))
      await page.goto(`${site.server.url}/login`)
      await page.getByLabel('Username or email').fill('half typed')
      await switchOn()
      const asks = page.getByRole('status').filter({ hasText: 'The settings of this site were changed' })
      await asks.waitFor()
      expect(await page.getByLabel('Username or email').inputValue()).toBe('half typed')
      await asks.getByRole('button', { name: 'Reload' }).click()
      await page.getByText(shown).waitFor()
    })
  },
)

it('leaves the server to say what it makes of a call that no check can go with', async () => {
  site.server.use({ 'auth.login': () => ({ refuse: 'human check missing', code: 'human.missing' }) })
  await site.visit('/', { expected: /ERR_FAILED/ }, async (page) => {
    offers(withCheck)
    await answersOf(page, {})
    await page.goto(`${site.server.url}/login`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await fillIn(page)
    await page.keyboard.press('Enter')
    await page.getByText('human check missing').waitFor()
  })
})

it('checks in the dialog over a page whose session has ended, and asks for the second factor there', async () => {
  let known = false
  const tokens = site.server
  tokens.use({
    'tokens.create': () => (known ? { refuse: 'enough' } : { refuse: 'not logged in', status: 401 }),
    'auth.login': () => ({ refuse: 'a code', code: 'login.second_factor' }),
    'auth.loginCode': ({ code }) => {
      known = code === '123456'
      return known ? { data: root } : { refuse: 'The code is wrong' }
    },
  })
  offers(withCheck)
  await site.visit('/token', { storage: signedIn(root), expected: /401/ }, async (page) => {
    await answersOf(page, { 'challenges.cloudflare.com': TURNSTILE })
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('kept')
    await page.keyboard.press('Enter')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByText('Turnstile site-key').waitFor()
    await page.evaluate(`solve('first')`)
    await again.getByLabel('Your password').fill('correct-horse')
    await page.keyboard.press('Enter')
    await again.getByLabel('Code of the authenticator app').fill('123456')
    await page.keyboard.press('Enter')
    await page.getByText('enough').waitFor()
    expect(site.inputs('auth.login')).toEqual([{ username: 'root', password: 'correct-horse', turnstile: 'first' }])
  })
})

it('loads nothing of anybody else where nothing of theirs is switched on', async () => {
  await site.visit('/', {}, async (page) => {
    const asked = await answersOf(page, {})
    await page.goto(`${site.server.url}/login`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByText('Third-party login').waitFor({ state: 'detached' })
    expect(asked).toEqual([])
  })
})

it('offers every service that is declared, each by its own flag', async () => {
  await site.visit('/', { expected: /ERR_FAILED/ }, async (page) => {
    await answersOf(page, {})
    for (const { shown, name } of Object.values(signInServices)) {
      offers({ [shown]: true, telegram_bot_name: 'weir_bot' })
      await page.goto(`${site.server.url}/login`)
      await page
        .getByRole('button', { name: `Continue with ${name.en}` })
        .or(page.getByText(`The button of ${name.en}`))
        .waitFor()
    }
  })
})

it('takes the code that WeChat gave, and goes home', async () => {
  site.server.use({
    'auth.wechat': ({ code }) =>
      code === 'followed' ? { data: root, beside: { message: '' } } : { refuse: 'The code is wrong' },
  })
  const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
  offers({ wechat_login: true, wechat_qrcode: picture })
  await site.visit('/login', {}, async (page) => {
    await page.getByRole('button', { name: 'Continue with WeChat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Continue with WeChat' })
    await expect
      .poll(() => dialog.getByRole('img', { name: 'QR code of the account' }).getAttribute('src'))
      .toBe(picture)
    await dialog
      .getByText('scan the code, follow the account, send the keyword and enter the code (valid 3 minutes)')
      .waitFor()
    await dialog.getByLabel('Code').last().fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong').waitFor()
    await dialog.getByLabel('Code').last().fill(' followed ')
    await page.keyboard.press('Enter')
    await page.getByText('login success').waitFor()
    await page.waitForURL(/\/gate\/?$/)
    expect(site.inputs('auth.wechat').at(-1)).toEqual({ code: 'followed' })
  })
})

it("takes what Telegram's button brings back to the window that asked, and from nowhere else", async () => {
  site.server.use({ 'auth.telegram': () => ({ data: root, beside: { message: '' } }) })
  offers({ telegram_oauth: true, telegram_bot_name: 'weir_bot' })
  await site.visit('/', {}, async (page) => {
    const asked = await answersOf(page, { 'telegram.org': TELEGRAM })
    // A link that somebody else has made of what is signed for them.
    await page.goto(`${site.server.url}/oauth/telegram?state=made-up&id=66&auth_date=1700000000&hash=cd34`)
    await page.getByText('operation failed, redirecting to login').waitFor()
    expect(site.inputs('auth.telegram')).toEqual([])
    await page.getByRole('button', { name: 'Log in as weir_bot' }).click()
    await page.getByText('login success').waitFor()
    await page.waitForURL(/\/gate\/?$/)
    expect(asked).toEqual([foreignScriptOrigins.telegram.address])
    expect(site.inputs('auth.telegram')).toEqual([
      { id: '42', first_name: 'Ada', auth_date: '1700000000', hash: 'ab12' },
    ])
  })
  // Back to where one wanted to go.
  await site.visit('/', {}, async (page) => {
    await answersOf(page, { 'telegram.org': TELEGRAM })
    await page.goto(`${site.server.url}/log?type=2`)
    await page.getByRole('button', { name: 'Log in as weir_bot' }).click()
    await page.waitForURL('**/gate/log?type=2')
  })
})
