// The security of the user's account: password, passkeys, authenticator app, sessions, access tokens.
import { beforeEach, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { parseUserAgent } from '../../console/screens/personal/user-agent.ts'
import { reader, signedIn } from './sample-data.ts'
import { facts } from './screens/personal.ts'
import { sayYes, useConsole } from './visit.ts'

const site = useConsole('/gate')
const storage = signedIn(reader)
beforeEach(() => site.server.use(facts.handlers!()))
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name).last()

it('changes the password, and says at its field what is wrong with it', async () => {
  await site.visit('/personal#password', { storage }, async (page) => {
    await part(page, 'Password').getByRole('button', { name: 'Change password' }).click()
    await page.keyboard.press('Enter')
    for (const said of ['enter the original password', 'enter the new password'])
      await page.getByRole('alert').getByText(said).waitFor()
    const type = async (original: string, fresh: string, again = fresh) => {
      await field(page, 'Original password').fill(original)
      await field(page, 'New password').fill(fresh)
      await field(page, 'Confirm password').fill(again)
      await page.keyboard.press('Enter')
    }
    const wrong: [original: string, fresh: string, again: string, said: string][] = [
      ['old password', 'short', 'short', '8 to 20 characters'],
      ['old password', 'x'.repeat(21), 'x'.repeat(21), '8 to 20 characters'],
      ['old password', 'old password', 'old password', 'the new password must differ from the original'],
      ['old password', 'new password', 'now password', 'the two passwords do not match'],
    ]
    for (const [original, fresh, again, said] of wrong) {
      await type(original, fresh, again)
      await page.locator('.field-error').getByText(said).waitFor()
    }
    expect(site.inputs('users.updateSelf')).toEqual([])
    await type('old password', 'new password')
    await page.getByText('password changed').waitFor()
    expect(site.inputs('users.updateSelf')).toEqual([{ password: 'new password', original_password: 'old password' }])
  })
})

it('lets people set a first password who came through another service', async () => {
  site.server.use({ 'auth.bindings': () => ({ data: { has_password: false, services: [] } }) })
  await site.visit('/personal#password', { storage }, async (page) => {
    await part(page, 'Password').getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('dialog', { name: 'Set a password' }).waitFor()
    await expect.poll(() => page.getByLabel('Original password').count()).toBe(0)
    for (const name of ['New password', 'Confirm password']) await field(page, name).fill('new password')
    await page.keyboard.press('Enter')
    await page.getByText('password changed').waitFor()
    expect(site.inputs('users.updateSelf')).toEqual([{ password: 'new password', original_password: '' }])
  })
})

it('adds a passkey that the browser makes, and removes one after a question', async () => {
  const made: { id: string; name: string }[] = []
  site.server.use({
    'auth.passkeys': () => ({ data: made.map((one) => ({ ...one, created_time: 1_790_000_000, used_time: 0 })) }),
    'auth.passkeyBegin': () => ({
      data: {
        rp: { id: 'localhost', name: 'Weir' },
        user: { id: 'AQ', name: 'ada', displayName: 'Ada' },
        challenge: 'Y2hhbGxlbmdl',
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    }),
    'auth.passkeyAdd': ({ name, passkey }) => {
      const { id } = passkey as { id: string }
      made.push({ id, name: String(name) })
      return { data: { id } }
    },
    'auth.passkeyRemove': ({ passkey_id: id }) => {
      made.splice(made.findIndex((one) => one.id === id))
      return { data: null }
    },
  })
  await site.visit('/', { storage, alone: true }, async (page) => {
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    // A passkey belongs to a name; an address of numbers has none.
    await page.goto(`${site.server.url.replace('127.0.0.1', 'localhost')}/login`)
    await page.evaluate((user) => localStorage.setItem('user', user), storage.user)
    await page.goto(`${site.server.url.replace('127.0.0.1', 'localhost')}/personal#passkeys`)
    await part(page, 'Passkeys').getByText('No passkey yet').waitFor()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('enter a name').waitFor()
    await field(page, 'Name').fill('my laptop')
    await page.keyboard.press('Enter')
    await page.getByText('passkey added').waitFor()
    const [added] = site.inputs('auth.passkeyAdd') as { name: string; passkey: { id: string; response: object } }[]
    expect(added).toMatchObject({ name: 'my laptop', passkey: { type: 'public-key' } })
    expect(Object.keys(added!.passkey.response)).toEqual(
      expect.arrayContaining(['attestationObject', 'clientDataJSON']),
    )
    await page.getByRole('button', { name: 'Remove my laptop' }).click()
    await sayYes(page, 'Remove')
    await page.getByText('passkey removed').waitFor()
    await part(page, 'Passkeys').getByText('No passkey yet').waitFor()
    expect(site.inputs('auth.passkeyRemove')).toEqual([{ passkey_id: added!.passkey.id }])
  })
})

it('sets up an authenticator app by its QR code, and shows the recovery codes once', async () => {
  let enabled = false
  site.server.use({
    'auth.totp': () => ({ data: { enabled, backup_codes_left: enabled ? 10 : 0 } }),
    'auth.totpBegin': () => ({
      data: { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/Weir:ada?secret=JBSWY3DPEHPK3PXP' },
    }),
    'auth.totpConfirm': ({ code }) => {
      enabled = code === '123456'
      return enabled ? { data: { backup_codes: ['aaaa-1111', 'bbbb-2222'] } } : { refuse: 'The code is wrong' }
    },
    'auth.totpBackups': () => ({ data: { backup_codes: ['cccc-3333'] } }),
    'auth.totpRemove': () => {
      enabled = false
      return { data: null }
    },
  })
  await site.visit('/personal#authenticator', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Set up the app' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await page.getByText('JBSWY3DPEHPK3PXP').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('enter the code of the app').waitFor()
    await field(page, 'Code of the app').fill('1')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong').waitFor()
    await field(page, 'Code of the app').fill('123456')
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await codes.getByText('aaaa-1111').waitFor()
    const file = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download' }).click()
    expect((await file).suggestedFilename()).toBe('Weir-recovery-codes.txt')
    await codes.getByRole('button', { name: 'Copy Recovery codes' }).click()
    await expect.poll(() => copied(page)).toBe('aaaa-1111\nbbbb-2222')
    await codes.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
    await expect.poll(() => page.getByText('aaaa-1111').count()).toBe(0)

    await page.getByRole('button', { name: 'Renew recovery codes' }).click()
    await field(page, 'Code of the app').fill('123456')
    await page.keyboard.press('Enter')
    await codes.getByText('cccc-3333').waitFor()
    await codes.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('button', { name: 'Remove the app' }).click()
    await field(page, 'Code of the app').fill('654321')
    await page.keyboard.press('Enter')
    await page.getByText('authenticator app removed').waitFor()
    await page.getByRole('button', { name: 'Set up the app' }).waitFor()
    expect(site.inputs('auth.totpRemove')).toEqual([{ code: '654321' }])
  })
})

it('names the device and the address of each session, and ends one, or all others', async () => {
  await site.visit('/personal#sessions', { storage }, async (page) => {
    const sessions = part(page, 'Sessions')
    const [here, phone] = [sessions.locator('li').first(), sessions.locator('li').nth(1)]
    await here.getByText('Chrome 140 on Linux').waitFor()
    await expect.poll(() => here.innerText()).toMatch(/This one[\s\S]*203\.0\.113\.7/)
    await expect.poll(() => here.getByRole('button').count()).toBe(0)
    await expect.poll(() => phone.innerText()).toMatch(/Safari 18 on iPhone[\s\S]*2001:db8::7/)
    await phone.getByRole('button', { name: /^End/ }).click()
    await page.getByText('End the session of Safari 18 on iPhone?').waitFor()
    await sayYes(page, 'End')
    await page.getByText('session ended').waitFor()
    expect(site.inputs('users.endSession')).toEqual([{ id: '2' }])
    await sessions.getByRole('button', { name: 'End all others' }).click()
    await sayYes(page, 'End all others')
    await page.getByText('all other sessions ended').waitFor()
    expect(site.inputs('users.endSessions')).toHaveLength(1)
  })
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.3405.86',
    'Edge 139',
    'Windows',
  ],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox 141', 'Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari 17',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/139.0.7258.76 Mobile/15E148 Safari/604.1',
    'Chrome 139',
    'iPad',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Samsung Internet 25',
    'Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'Chrome 138',
    'ChromeOS',
  ],
  ['curl/8.5.0', 'curl 8', undefined],
  ['something else', undefined, undefined],
  ['', undefined, undefined],
])('reads %s', (text, browser, system) => {
  expect(parseUserAgent(text)).toEqual({ ...(browser && { browser }), ...(system && { system }) })
})

it('makes an access token with name, scope and end, shows it once, and deletes it after a question', async () => {
  await site.visit('/personal#access-tokens', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Create access token' }).click()
    await field(page, 'Name').click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('enter a name').waitFor()
    await field(page, 'Name').fill('nightly')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Scope' }).selectOption('relay')
    await page.getByRole('dialog').getByRole('button', { name: '1 day' }).click()
    await page.keyboard.press('Control+Enter')
    const shown = page.getByRole('dialog', { name: 'Access token' })
    await shown.getByText('It is shown once').waitFor()
    await shown.getByRole('textbox').click()
    await page.getByText('copied: Access token').waitFor()
    await expect.poll(() => copied(page)).toBe('wt-new')
    await shown.getByRole('button', { name: 'I have saved it' }).click()
    expect(await page.locator('body').innerHTML()).not.toContain('wt-new')
    const [asked] = site.inputs('users.createAccessToken')
    expect(asked).toMatchObject({ name: 'nightly', scope: 'relay' })
    expect(Math.abs(Number(asked!['expired_time']) - Date.now() / 1000 - 86_400)).toBeLessThan(60)
    await page.getByRole('button', { name: 'Delete backup' }).click()
    await sayYes(page, 'Delete')
    await page.getByText('access token deleted').waitFor()
    expect(site.inputs('users.deleteAccessToken')).toEqual([{ id: '5' }])
  })
})

it('asks before it resets the system access token, then shows and copies it', async () => {
  await site.visit('/personal#access-tokens', { storage, language: 'zh' }, async (page) => {
    const generate = page.getByRole('button', { name: '生成系统访问令牌' })
    await generate.click()
    await page.getByText('重置系统访问令牌？').waitFor()
    await page.keyboard.press('Escape')
    expect(site.inputs('users.accessToken')).toEqual([])
    await generate.click()
    await sayYes(page, '重置')
    await page.getByText('令牌已重置并复制到剪贴板').waitFor()
    await expect.poll(() => copied(page)).toBe('wt-system')
    const shown = page.getByRole('dialog', { name: '访问令牌' }).getByRole('textbox')
    expect([await shown.inputValue(), await shown.getAttribute('readonly')]).toEqual(['wt-system', ''])
    site.server.use({ 'users.accessTokens': () => ({ data: [] }) })
    await page.getByRole('button', { name: '我已保存' }).click()
    // The first one ends nothing.
    await generate.click()
    await expect.poll(() => site.inputs('users.accessToken').length).toBe(2)
  })
})

it('asks for a fresh proof where the server wants one, and goes on', async () => {
  let proven = false
  site.server.use({
    'users.createAccessToken': ({ name }) =>
      proven
        ? { data: { id: 7, name, scope: 'read', expired_time: -1, token: 'wt-new' } }
        : { refuse: 'Prove who you are', code: 'access.step_up' },
    'auth.stepUp': () => {
      proven = true
      return { data: null }
    },
  })
  await site.visit('/personal', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Access tokens' }).click()
    await page.getByRole('button', { name: 'Create access token' }).click()
    await field(page, 'Name').fill('nightly')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').last().locator('input[type=password]').fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Access token' }).getByText('It is shown once').waitFor()
    expect(site.inputs('auth.stepUp')).toEqual([{ password: 'correct-horse' }])
  })
})

it('gives all that is kept of whoever asks as a file', async () => {
  site.server.use({ 'privacy.exportSelf': () => ({ events: [] }) })
  await site.visit('/personal#data', { storage }, async (page) => {
    await page.getByRole('region', { name: 'Your data' }).getByRole('button', { name: 'Download my data' }).click()
    await expect.poll(() => site.inputs('privacy.exportSelf')).toEqual([{}])
  })
})
