// Acts that hurt when the wrong person does them ask a session for a fresh proof of who sits there.
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { createAuthenticator } from '../support/authenticator.ts'
import { describeWithGateway, ROOT, type TestGateway } from '../support/gateway.ts'
import { createVisitor, type Visitor } from '../support/server.ts'

const SERVER = 'https://weir.example'
const LONG_AGO = 1_700_000_000

/** The super administrator in a session that was proven long ago. */
async function staleRoot(weir: TestGateway): Promise<Visitor> {
  const root = weir.visitor()
  await root.login(ROOT.username, ROOT.password)
  await forget(weir, root)
  return root
}

async function forget(weir: TestGateway, visitor: Visitor): Promise<void> {
  const current = (await visitor.client.users.sessions()).find((session) => session.current)
  await weir.gateway.ports.storage.sessions.update(current?.id ?? 0, { proven_time: LONG_AGO })
}

/** One act of each kind, for a user of that id. */
const acts = (id: number) => {
  const option = (key: string, value: string) =>
    ['PUT', '/api/option/', { key, value }] as [string, string, Record<string, unknown>]
  const provider = { id: 'acme', name: 'Acme', well_known: 'https://acme.example/x', client_id: 'weir' }
  return [
    ['POST', '/api/user/manage', { id, action: 'demote' }],
    ['PUT', '/api/user/', { id, password: 'a new password' }],
    ['DELETE', `/api/user/${id}/proofs`, undefined],
    ['GET', '/api/user/token', undefined],
    ['POST', '/api/user/totp', {}],
    ['POST', '/api/user/totp/backup_codes', { code: '123456' }],
    ['POST', '/api/user/totp/remove', { code: '123456' }],
    ['POST', '/api/user/passkeys/begin', {}],
    ['DELETE', '/api/user/passkeys/x', undefined],
    ['POST', '/api/login_provider/', provider],
    ['PUT', '/api/login_provider/', provider],
    ['DELETE', '/api/login_provider/acme', undefined],
    // Payment, however harmless it looks; secrets; and what decides who is let in.
    option('Price', '1'),
    option('EpayId', 'mine'),
    option('PayAddress', 'https://pay.example'),
    option('EpayKey', 'a new secret'),
    option('stripe.secret_key', 'a new secret'),
    option('GitHubClientSecret', 'a new secret'),
    option('oidc.well_known', 'https://id.example/.well-known/openid-configuration'),
    option('SMTPToken', 'a new secret'),
    option('StepUpMinutes', '0'),
    option('TrustedProxies', '["0.0.0.0/0"]'),
    ['PUT', '/api/option/', { options: [option('Notice', 'x')[2], option('MinTopUp', '5')[2]] }],
  ] as [string, string, Record<string, unknown> | undefined][]
}

describeWithGateway('a proof', (weir) => {
  it('is asked for before each sensitive act, which does not happen without it', async () => {
    const { user } = await weir.addUser({ patch: { role: 10 } })
    const root = await staleRoot(weir)
    const before = [weir.gateway.settings(), await weir.gateway.ports.storage.users.find(user.id)]
    for (const [method, path, body] of acts(user.id)) {
      const { status, json } = await root.send(method, path, body ? { body } : {})
      expect([status, json.code], `${method} ${path} ${JSON.stringify(body)}`).toEqual([200, 'access.step_up'])
    }
    expect([weir.gateway.settings(), await weir.gateway.ports.storage.users.find(user.id)]).toEqual(before)
    const notice = await root.send('PUT', '/api/option/', { body: { key: 'Notice', value: 'hello' } })
    expect(notice.json.success).toBe(true)
    const headers = { 'accept-language': 'zh-CN' }
    const { json } = await root.send('GET', '/api/user/token', { headers })
    expect(json.message).toBe('请先确认您的身份')
  })

  it('by password opens this session for a while, and no other', async () => {
    const { user } = await weir.addUser()
    const [root, elsewhere] = [await staleRoot(weir), await staleRoot(weir)]
    const promote = async (who: Visitor, action = 'promote') =>
      (await who.send('POST', '/api/user/manage', { body: { id: user.id, action } })).json.code
    const prove = async (body: object) => (await root.send('POST', '/api/user/step_up', { body })).json.code
    for (const wrong of [{ password: 'a wrong one' }, { password: '' }, {}, { code: '000000' }]) {
      expect(await prove(wrong)).toBe('user.wrong_original')
    }
    expect(await promote(root)).toBe('access.step_up')
    expect(await prove({ password: ROOT.password })).toBeUndefined()
    expect(await promote(root)).toBeUndefined()
    expect(await promote(elsewhere, 'demote')).toBe('access.step_up')
    await weir.set('Price', 8)
    await forget(weir, root)
    expect(await promote(root, 'demote')).toBe('access.step_up')
  })

  it('is not asked of access tokens, which were made by a proven session', async () => {
    const machine = createVisitor(weir.url, { accessToken: await weir.root.client.users.accessToken() })
    await machine.client.settings.update({ key: 'EpayId', value: 'a merchant' })
    expect(weir.gateway.settings().EpayId).toBe('a merchant')
    await machine.client.settings.update({ key: 'EpayId', value: null })
  })

  it('can be switched off, and guessing at it stops', async () => {
    const root = await staleRoot(weir)
    await weir.set('ApiRateLimits', { login: [0, 60], api: [0, 60], login_failures: [3, 60] })
    const prove = (password: string) => root.send('POST', '/api/user/step_up', { body: { password } })
    for (let guess = 0; guess < 3; guess++) expect((await prove('a wrong one')).status).toBe(200)
    expect((await prove(ROOT.password)).status).toBe(429)
    await weir.set('StepUpMinutes', 0)
    expect((await root.send('GET', '/api/user/token')).json.success).toBe(true)
  })

  it('by passkey or code: only ones of this user, for this challenge', async () => {
    await weir.set('ServerAddress', SERVER)
    const [ada, eve] = [await weir.addVisitor(), await weir.addVisitor()]
    const device = async (visitor: Visitor) => {
      const made = createAuthenticator(SERVER)
      const passkey = made.make(await visitor.client.auth.passkeyBegin())
      await visitor.client.auth.passkeyAdd({ name: 'key', passkey })
      return made
    }
    const [mine, hers] = [await device(ada), await device(eve)]
    await forget(weir, ada)
    const prove = async (body: object) => (await ada.send('POST', '/api/user/step_up', { body })).json.code
    const token = async () => (await ada.send('GET', '/api/user/token')).json.code
    const ask = () => ada.client.auth.stepUpPasskey()
    expect(await prove({ passkey: hers.use(await ask()) })).toBe('passkey.invalid')
    const once = mine.use(await ask())
    expect(await token()).toBe('access.step_up')
    expect(await prove({ passkey: once })).toBeUndefined()
    expect(await token()).toBeUndefined()
    await forget(weir, ada)
    expect(await prove({ passkey: once })).toBe('passkey.invalid')

    await ada.client.auth.stepUp({ passkey: mine.use(await ask()) })
    const { secret } = await ada.client.auth.totpBegin()
    const code = (ahead = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead })
    const [backup = ''] = (await ada.client.auth.totpConfirm({ code: code() })).backup_codes
    await forget(weir, ada)
    // From now on the password is not enough.
    expect(await prove({ password: ada.password })).toBe('second_factor.wrong')
    expect(await prove({ code: backup })).toBeUndefined()
    await forget(weir, ada)
    expect(await prove({ code: backup })).toBe('second_factor.wrong')
    const next = code(30_000)
    expect(await prove({ code: next })).toBeUndefined()
    expect(await prove({ code: next })).toBe('second_factor.wrong')
  })
})
