// Personal settings: who one is, inviting others, what one is bound to, how one is warned, and leaving.
import { beforeEach, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { signInServices } from '../../core/settings/sign-in-services.ts'
import { answersOf, TELEGRAM } from './foreign.ts'
import { reader, root, signedIn, status } from './sample-data.ts'
import { facts } from './screens/personal.ts'
import { sayYes, useConsole } from './visit.ts'

const site = useConsole('/gate')
const storage = signedIn(reader)
const samples = facts.handlers!()
beforeEach(() => site.server.use(samples))
const own = (samples['users.self']!({}) as { data: object }).data
const has = (change: object) => site.server.use({ 'users.self': () => ({ data: { ...own, ...change } }) })
const offers = (more: object) => site.server.use({ 'site.status': () => ({ data: { ...status, ...more } }) })
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true }).last()
const thing = (page: Page, name: string) => page.locator('.things > li').filter({ hasText: name })

it('shows who one is, and what is left, spent and asked', async () => {
  await site.visit('/personal', { storage }, async (page) => {
    const profile = page.getByRole('region', { name: 'Profile' })
    await profile.getByText('Ada Lovelace').waitFor()
    await expect
      .poll(() => profile.innerText())
      .toMatch(/Common user[\s\S]*ID 2[\s\S]*vip[\s\S]*Balance\s*\$8\.50[\s\S]*Used\s*\$1\.50[\s\S]*Requests\s*12\.3k/)
    await profile.getByRole('button', { name: 'Edit profile' }).click()
    await box(page, 'Username').fill('ada2')
    await box(page, 'Display name').fill('Ada')
    await page.keyboard.press('Enter')
    await page.getByText('profile saved').waitFor()
    expect(site.inputs('users.updateSelf')).toEqual([{ username: 'ada2', display_name: 'Ada', version: 4 }])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"username":"ada2"')
  })
})

it.each([
  [1, 'common user'],
  [10, 'admin'],
  [100, 'super admin'],
  [7, 'unknown'],
])('calls role %i %s', async (role, said) => {
  has({ role })
  await site.visit('/personal', { storage }, async (page) => {
    await page.getByRole('region', { name: 'Profile' }).getByText(said, { exact: true }).waitFor()
  })
})

it('folds models after ten, copies one that is pressed, and remembers what was unfolded', async () => {
  const models = Array.from({ length: 13 }, (_, at) => `model-${at + 1}`)
  site.server.use({ 'users.models': () => ({ data: models }) })
  await site.visit('/personal', { storage }, async (page) => {
    const list = page.getByRole('group', { name: 'Available models' })
    await list.getByText('model-10').waitFor()
    await expect.poll(() => list.getByText('model-11').count()).toBe(0)
    await list.getByRole('button', { name: '3 more models' }).click()
    await list.getByText('model-13').click()
    await page.getByText('copied: model-13').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('modelsExpanded'))).toBe('true')
    await page.reload()
    await list.getByText('model-13').waitFor()
    await list.getByRole('button', { name: 'Collapse' }).click()
    await list.getByText('model-11').waitFor({ state: 'detached' })
  })
})

it('copies the invite link, and moves earnings from one unit on', async () => {
  await site.visit('/personal', { storage, language: 'zh' }, async (page) => {
    const part = page.getByRole('region', { name: '邀请信息' })
    await part.getByText('$3.00').waitFor()
    await expect.poll(() => part.innerText()).toMatch(/待使用收益\s*\$3\.00[\s\S]*总收益\s*\$4\.00[\s\S]*邀请人数\s*3/)
    const link = `${new URL(site.server.url).origin}/gate/register?aff=aB3d`
    await expect.poll(() => box(page, '邀请链接').inputValue()).toBe(link)
    await box(page, '邀请链接').click()
    await page.getByText('邀请链接已复制').waitFor()
    await expect.poll(() => copied(page)).toBe(link)
    await part.getByRole('button', { name: '划转' }).click()
    await page.getByRole('dialog').getByText('$3.00').waitFor()
    const amount = page.getByRole('dialog').getByRole('textbox')
    await expect.poll(() => amount.inputValue()).toBe('1.00')
    await page.getByText('等价金额：500,000 额度').waitFor()
    await amount.fill('0.999998')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('划转金额最低为 $1.00').waitFor()
    expect(site.inputs('users.affTransfer')).toEqual([])
    await amount.fill('2')
    await page.keyboard.press('Control+Enter')
    await page.getByText('已转入余额：$2.00').waitFor()
    expect(site.inputs('users.affTransfer')).toEqual([{ quota: 1_000_000 }])
  })
})

it('binds an address by the code that was sent to it, which rests for 30 s', async () => {
  has({ email: '' })
  await site.visit('/personal#bindings', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Bind email' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('enter the email verification code').waitFor()
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByRole('alert').getByText('enter the email address').first().waitFor()
    expect(site.inputs('auth.verification')).toEqual([])
    await box(page, 'Email').fill('new@example.com')
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByText('verification code sent, check your mailbox').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Resend \((30|29)\)$/ }).isDisabled()).toBe(true)
    await box(page, 'Code').fill('123456')
    await page.keyboard.press('Enter')
    await page.getByText('email bound').waitFor()
    expect(site.inputs('auth.emailBind')).toEqual([{ email: 'new@example.com', code: '123456' }])
  })
})

it('says of every service that is declared whether it is bound or not enabled', async () => {
  await site.visit('/personal#bindings', { storage }, async (page) => {
    for (const { name } of Object.values(signInServices)) {
      const text = name.en === 'GitHub' ? /ada-l\s*Unbind/ : /Not bound\s*Not enabled/
      await expect.poll(() => thing(page, name.en).first().innerText()).toMatch(text)
    }
  })
})

it('sends the browser to a service to bind it, also to one of the operator, and unbinds after a question', async () => {
  offers({ oidc_enabled: true })
  site.server.use({
    'auth.bindings': () => ({
      data: {
        has_password: true,
        services: [{ provider: 'github', created_time: 0 }],
        offered: [{ id: 'house', name: 'House' }],
      },
    }),
    'auth.oauthStart': ({ type }) => ({ data: { url: `${site.server.url}/oauth/${String(type)}?code=abc&state=xyz` } }),
    'auth.oauth': () => ({ data: null, beside: { message: 'bind' } }),
  })
  await site.visit('/personal#bindings', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Unbind GitHub' }).click()
    expect(site.inputs('auth.unbind')).toEqual([])
    await sayYes(page, 'Unbind')
    await page.getByText('GitHub unbound').waitFor()
    expect(site.inputs('auth.unbind')).toEqual([{ provider: 'github' }])
    await page.getByRole('button', { name: 'Bind OIDC' }).waitFor()
    await page.getByRole('button', { name: 'Bind House' }).click()
    await page.getByText('binding success').waitFor()
    await page.waitForURL('**/gate/personal')
    expect(site.inputs('auth.oauth')).toEqual([{ type: 'house', code: 'abc', state: 'xyz' }])
  })
})

it('binds WeChat with the code that the account gave', async () => {
  offers({ wechat_login: true, wechat_qrcode: '' })
  site.server.use({ 'auth.wechatBind': () => ({ data: null, beside: { message: 'bind' } }) })
  await site.visit('/personal#bindings', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Bind WeChat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bind WeChat' })
    await dialog.getByText('(valid 3 minutes)').waitFor()
    await dialog.getByLabel('Code').last().fill(' followed ')
    await page.keyboard.press('Enter')
    await page.getByText('WeChat bound').waitFor()
    expect(site.inputs('auth.wechatBind')).toEqual([{ code: 'followed' }])
  })
})

it("binds Telegram by its button, and not by somebody else's link", async () => {
  site.server.use({ 'auth.telegramBind': () => ({ data: null, beside: { message: 'bind' } }) })
  offers({ telegram_oauth: true, telegram_bot_name: 'weir_bot' })
  await site.visit('/', { storage }, async (page) => {
    await answersOf(page, { 'telegram.org': TELEGRAM })
    await page.goto(`${site.server.url}/oauth/telegram?state=made-up&id=66&auth_date=1700000000&hash=cd34`)
    await page.getByText('operation failed').waitFor()
    await page.goto(`${site.server.url}/personal#bindings`)
    await page.getByRole('button', { name: 'Bind Telegram' }).click()
    await page.getByRole('button', { name: 'Log in as weir_bot' }).click()
    await page.getByText('binding success').waitFor()
    expect(site.inputs('auth.telegramBind').map(({ id }) => id)).toEqual(['42'])
    expect(site.inputs('auth.telegram')).toEqual([])
  })
})

it('saves how one is warned, by mail or webhook, and sends a test of what is saved', async () => {
  await site.visit('/personal#notifications', { storage }, async (page) => {
    const part = page.getByRole('region', { name: 'Notifications and prices' })
    const amount = part.locator('.money input')
    await expect.poll(() => amount.inputValue()).toBe('1.00')
    for (const pick of ['$0.20', '$1', '$2', '$10'])
      await part.getByRole('button', { name: pick, exact: true }).waitFor()
    await part.getByRole('button', { name: '$10', exact: true }).click()
    await expect.poll(() => amount.inputValue()).toBe('10.00')
    await part.getByText('Webhook', { exact: true }).click()
    await part.getByRole('button', { name: 'Save settings' }).click()
    await part.getByRole('alert').getByText('enter the address of the webhook').waitFor()
    await box(page, 'Webhook URL').fill('http://hook.example')
    await part.getByRole('alert').getByText('Webhook must be https').waitFor()
    await box(page, 'Webhook URL').fill('https://hook.example/ada')
    await part.getByLabel('Webhook secret').last().fill('shared')
    await part.getByText('Payload sample').first().click()
    await part.getByText('"type": "quota_exceed"').waitFor()
    await part.getByRole('button', { name: 'Save and send a test' }).click()
    await page.getByText('notification settings updated').waitFor()
    await page.getByText('test sent').waitFor()
    await expect.poll(() => part.getByLabel('Webhook secret').last().inputValue()).toBe('')
    const saved = site.inputs('users.setting')
    expect(saved).toMatchObject([
      {
        ...{ notify_type: 'webhook', quota_warning_threshold: 5_000_000 },
        ...{ webhook_url: 'https://hook.example/ada', webhook_secret: 'shared' },
      },
    ])
    site.server.use({ 'users.testNotice': () => ({ refuse: 'The webhook answered with status 500' }) })
    await part.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The webhook answered with status 500').waitFor()
    expect(site.inputs('users.setting')).toHaveLength(1)
  })
})

it('opens the price tab by its address, and accepts models without a price', async () => {
  const setting = {
    notify_type: 'email',
    quota_warning_threshold: 7,
    notification_email: 'a@example.com',
    language: 'zh',
  }
  has({ setting: JSON.stringify(setting) })
  await site.visit('/personal?tab=price#notifications', { storage }, async (page) => {
    await page.getByRole('tab', { name: 'Price', selected: true }).waitFor()
    await page.getByText('only if you trust this site, costs may be high').waitFor()
    await page.getByRole('switch', { name: 'Accept models without a price' }).click()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('notification settings updated').waitFor()
    expect(site.inputs('users.setting')).toEqual([
      {
        ...{ notify_type: 'email', quota_warning_threshold: 7, notification_email: 'a@example.com' },
        ...{ webhook_url: '', webhook_secret: '', accept_unset_model_ratio_model: true },
      },
    ])
    await page.getByRole('tab', { name: 'Notification' }).click()
    await expect.poll(() => box(page, 'Notification e-mail').inputValue()).toBe('a@example.com')
  })
})

it('deletes the account once the username is typed, and names what is lost', async () => {
  await site.visit('/personal#delete', { storage }, async (page) => {
    await page.getByRole('region', { name: 'Delete account' }).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    await dialog.getByText('you are deleting your own account; all data is cleared and cannot be restored').waitFor()
    for (const lost of [
      'Your balance and earnings: $11.50',
      'API tokens that stop working: 3',
      'Teams that you leave: research',
    ])
      await dialog.getByText(lost).waitFor()
    await dialog.getByRole('textbox').fill('eve')
    await page.keyboard.press('Enter')
    await dialog.getByText('type your username to confirm deletion').waitFor()
    expect(site.inputs('users.deleteSelf')).toEqual([])
    await dialog.getByRole('textbox').fill('ada')
    await page.keyboard.press('Enter')
    await page.getByText('account deleted').waitFor()
    await page.waitForURL('**/gate/login')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  })
})

it('does not offer the super administrator to leave', async () => {
  has({ role: 100, username: 'root' })
  await site.visit('/personal#delete', { storage: signedIn(root) }, async (page) => {
    await page.getByText("The super administrator's account cannot be deleted.").waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Delete account' }).getByRole('button').count()).toBe(0)
  })
})

it('leads to each section by keyboard on a phone, nothing wider than the window', async () => {
  await site.visit('/personal', { storage, width: 360, height: 740 }, async (page) => {
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    for (const link of await links.all()) {
      const name = await link.innerText()
      await link.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/#/)
      const region = page.getByRole('region', { name, exact: true })
      await expect.poll(() => region.evaluate((part) => part === document.activeElement)).toBe(true)
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  })
})

it('has no empty section in the window, before anything is scrolled or pointed at', async () => {
  await site.visit('/personal', { storage, height: 1100 }, async (page) => {
    await page.getByText('Ada Lovelace').waitFor()
    const empty = () =>
      page
        .locator('.personal-later')
        .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < window.innerHeight).length)
    await expect.poll(() => page.locator('.personal-part').count()).toBeGreaterThan(8)
    await expect.poll(empty).toBe(0)
    // What lies below is not asked for yet.
    expect(await page.locator('.personal-later').count()).toBeGreaterThan(0)
  })
})

it('keeps the section that the address names in sight while those above it are loaded', async () => {
  await site.visit('/personal#sessions', { storage }, async (page) => {
    const top = async () => (await page.getByRole('region', { name: 'Sessions' }).boundingBox())!.y
    await page.getByText('Chrome 140 on Linux').waitFor()
    await expect.poll(top).toBeGreaterThanOrEqual(56)
    await expect.poll(() => top()).toBeLessThan(96)
    // Whoever scrolls is not held.
    await page.mouse.wheel(0, -4000)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(100)
  })
})

it('says that the account could not be loaded, and tries again', async () => {
  site.server.use({ 'users.self': () => ({ refuse: 'x', status: 500 }) })
  await site.visit('/personal', { storage, expected: /500/ }, async (page) => {
    await page.getByText('This could not be loaded').waitFor()
    site.server.use({ 'users.self': samples['users.self']! })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Ada Lovelace').waitFor()
  })
})
