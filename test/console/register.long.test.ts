// Creating an account, and the messages of the login about accounts.
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { signInServices } from '../../core/settings/sign-in-services.ts'
import type { PublicStatus } from '../../core/site/status.ts'
import { reader, root, status } from './sample-data.ts'
import { answersOf, TURNSTILE } from './foreign.ts'
import { stopClock, useConsole } from './visit.ts'

const site = useConsole('/gate')
const offers = (more: Partial<PublicStatus>) =>
  site.server.use({ 'site.status': () => ({ data: { ...status, ...more } }) })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const password = (page: Page) => page.getByLabel('Password', { exact: true }).last()
const again = (page: Page) => page.getByLabel('Confirm password').last()

async function fillIn(page: Page, secret = 'correct-horse') {
  await box(page, 'Username').fill('ada')
  await password(page).fill(secret)
  await again(page).fill(secret)
}

it('makes an account by keyboard alone on a phone, and goes on in it', async () => {
  await site.visit('/register', { width: 360, height: 740 }, async (page) => {
    await box(page, 'Username').focus()
    for (const text of ['ada', 'correct-horse']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    // Past the button that shows the password.
    if (!(await again(page).evaluate((field) => field === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.type('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByText('registration success').waitFor()
    await page.waitForURL('**/gate/token')
    const account = { username: 'ada', password: 'correct-horse', password2: 'correct-horse' }
    expect(site.inputs('auth.register')).toEqual([{ ...account, email: '', verification_code: '', aff_code: '' }])
    expect(site.inputs('auth.login')).toEqual([{ username: 'ada', password: 'correct-horse' }])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  })
})

const RULES: [what: string, fill: (page: Page) => Promise<void>, said: string][] = [
  ['an empty username', (page) => password(page).fill('correct-horse'), 'enter a username'],
  ['a long username', (page) => box(page, 'Username').fill('thirteen-char'), 'up to 12 characters: 13 now'],
  ['a username with @', (page) => box(page, 'Username').fill('a@b'), 'a username cannot contain @'],
  ['a short password', (page) => password(page).fill('1234567'), 'password length cannot be less than 8'],
  ['a long password', (page) => password(page).fill('x'.repeat(21)), '8 to 20 characters: 21 now'],
  ['two passwords', (page) => again(page).fill('something else'), 'the two passwords do not match'],
]

it('says at its field, before anything is sent, what is wrong', async () => {
  await site.visit('/register', {}, async (page) => {
    for (const [what, fill, said] of RULES) {
      await fillIn(page)
      await box(page, 'Username').fill('')
      await fill(page)
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByRole('alert').getByText(said).count(), { message: what }).toBe(1)
      expect(site.inputs('auth.register'), what).toEqual([])
    }
  })
})

it('says what is too long while it is typed, and the rest once a field is left', async () => {
  await site.visit('/register', { language: 'zh' }, async (page) => {
    await page.getByText('密码长度 8 到 20 位', { exact: true }).waitFor()
    await page.getByLabel('密码', { exact: true }).last().pressSequentially('short')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('确认密码').last().focus()
    await page.getByRole('alert').getByText('密码长度不能少于 8 位').waitFor()
    await page.getByRole('textbox', { name: '用户名' }).pressSequentially('much-too-long-a-name')
    await page.getByRole('alert').getByText('最多 12 个字符，现有 20 个').waitFor()
  })
})

it('mails a code, rests for 30 s, and sends the code along', async () => {
  offers({ email_verification: true })
  await site.visit('/register', { alone: true }, async (page) => {
    await stopClock(page)
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByRole('alert').getByText('enter the email address').waitFor()
    expect(site.inputs('auth.verification')).toEqual([])
    await box(page, 'Email').fill(' ada@example.com ')
    site.server.use({ 'auth.verification': () => ({ refuse: 'Not a valid email address', code: 'email.invalid' }) })
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByRole('alert').getByText('Not a valid email address').waitFor()
    site.server.use({ 'auth.verification': () => ({ data: null }) })
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByText('verification code sent, check your mailbox').waitFor()
    const resting = page.getByRole('button', { name: 'Resend (30)' })
    await resting.waitFor()
    await expect.poll(() => resting.isDisabled()).toBe(true)
    await page.clock.runFor(29_000)
    await page.getByRole('button', { name: /^Resend \([12]\)$/ }).waitFor()
    await page.clock.runFor(2000)
    await page.getByRole('button', { name: 'Get code' }).waitFor()

    await fillIn(page)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('alert').getByText('enter the email verification code').waitFor()
    site.server.use({
      'auth.register': ({ verification_code: code }) =>
        code === '123456' ? { data: reader } : { refuse: 'The code is wrong', code: 'verification.wrong' },
    })
    await box(page, 'Code').fill('1')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The code is wrong').waitFor()
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
    await box(page, 'Code').fill('123456')
    await page.keyboard.press('Enter')
    await page.getByText('registration success').waitFor()
    expect(site.inputs('auth.register').at(-1)).toMatchObject({ email: 'ada@example.com', verification_code: '123456' })
    expect(site.inputs('auth.verification').at(-1)).toEqual({ email: 'ada@example.com' })
  })
})

it('says at its field that a name is taken, and where something else is wrong, in a message', async () => {
  const answers = [{ refuse: 'This username is already taken', code: 'user.name_taken' }, { refuse: 'Something else' }]
  site.server.use({ 'auth.register': () => answers.shift()! })
  await site.visit('/register', {}, async (page) => {
    await fillIn(page)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This username is already taken').waitFor()
    await box(page, 'Username').fill('ada2')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.locator('.toast').getByText('Something else').waitFor()
  })
})

it('keeps who has invited, says what that brings, and sends it whichever way the account is made', async () => {
  offers({ quota_for_invitee: 250_000, github_oauth: true, wechat_login: true })
  site.server.use({
    'auth.oauthStart': () => ({ data: { url: `${site.server.url}/login` } }),
    'auth.wechat': () => ({ refuse: 'The code is wrong' }),
  })
  await site.visit('/register?aff=aB3d', {}, async (page) => {
    await page.getByText('You were invited: $0.50 are added to your balance').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('aff'))).toBe('aB3d')
    await page.getByRole('button', { name: 'Continue with WeChat' }).click()
    await page.getByRole('dialog').getByLabel('Code').last().fill('x')
    await page.keyboard.press('Enter')
    await expect.poll(() => site.inputs('auth.wechat')).toEqual([{ code: 'x', aff: 'aB3d' }])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL('**/gate/login')
    expect(site.inputs('auth.oauthStart')).toEqual([{ type: 'github', aff: 'aB3d' }])
    await page.getByRole('link', { name: 'Sign up' }).click()
    await fillIn(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/token')
    expect(site.inputs('auth.register').at(-1)).toMatchObject({ aff_code: 'aB3d' })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('aff'))).toBeNull()
  })
})

it('offers every service that is declared, as the login does', async () => {
  await site.visit('/', { expected: /ERR_FAILED/ }, async (page) => {
    await answersOf(page, {})
    const flags = Object.fromEntries(Object.values(signInServices).map(({ shown }) => [shown, true]))
    offers({ ...flags, telegram_bot_name: 'weir_bot', password_register: false })
    await page.goto(`${site.server.url}/register`)
    await page.getByText('Sign up with one of these services.').waitFor()
    for (const { name } of Object.values(signInServices))
      await page
        .getByRole('button', { name: `Continue with ${name.en}` })
        .or(page.getByText(`The button of ${name.en}`))
        .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Sign up' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  })
})

it.each([
  [{ register_enabled: false }, 'Registration is switched off on this server.'],
  [{ self_use_mode_enabled: true }, 'This server is for its owner only'],
  [{ password_register: false }, 'Registration with a password is switched off'],
])('says that nobody signs up here: %j', async (flags, said) => {
  offers(flags)
  await site.visit('/register', {}, async (page) => {
    await page.getByText(said).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Sign up' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Reset it' }).waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Sign up' }).count())
      .toBe('password_register' in flags ? 1 : 0)
  })
})

it('waits for the human check of a new account and of a code, and has people sign in after it', async () => {
  await site.visit('/', {}, async (page) => {
    offers({ turnstile_check: true, turnstile_site_key: 'site-key', email_verification: true })
    await answersOf(page, { 'challenges.cloudflare.com': TURNSTILE })
    await page.goto(`${site.server.url}/register`)
    await page.getByText('Turnstile site-key').waitFor()
    await fillIn(page)
    await box(page, 'Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByText('wait a few seconds, Turnstile is checking').waitFor()
    await page.evaluate(`solve('first')`)
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByText('verification code sent').waitFor()
    await box(page, 'Code').fill('123456')
    await page.evaluate(`solve('second')`)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/gate/login')
    expect(site.inputs('auth.verification')).toEqual([{ email: 'ada@example.com', turnstile: 'first' }])
    expect(site.inputs('auth.register')[0]).toMatchObject({ turnstile: 'second' })
    expect(site.inputs('auth.login')).toEqual([])
  })
})

it('says that the default password is in use, and leads to where it is changed', async () => {
  site.server.use({ 'auth.login': () => ({ data: root }) })
  const enter = async (page: Page) => {
    await box(page, 'Username or email').fill('root')
    await password(page).fill('123456')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'you are using the default password, change it now' }).waitFor()
  }
  await site.visit('/login', {}, async (page) => {
    await enter(page)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.waitForURL('**/gate/token')
  })
  await site.visit('/login', {}, async (page) => {
    await enter(page)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.waitForURL('**/gate/personal')
  })
})

it('is led to from the bar on top, but on phones and where nobody signs up', async () => {
  await site.visit('/about-nothing', {}, async (page) => {
    await page.getByRole('banner').getByRole('button', { name: 'Register' }).click()
    await page.waitForURL('**/gate/register')
  })
  const shown = async (width: number) => {
    let count = 0
    await site.visit('/about-nothing', { width }, async (page) => {
      await page.getByRole('banner').getByRole('button', { name: 'Login' }).waitFor()
      count = await page.getByRole('banner').getByRole('button', { name: 'Register' }).count()
    })
    return count
  }
  expect(await shown(390)).toBe(0)
  offers({ self_use_mode_enabled: true })
  expect(await shown(1280)).toBe(0)
  offers({ register_enabled: false })
  expect(await shown(1280)).toBe(0)
})
