// Passkeys and authenticator apps over HTTP: set up, used, used again, forged.
import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, it } from 'vitest'
import { createAuthenticator, type Lies } from '../support/authenticator.ts'
import { createGitHub } from '../support/code-services.ts'
import { startElsewhere } from '../support/elsewhere.ts'
import { describeWithGateway, describeWithOwnGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'

const SERVER = 'https://weir.example'
const anybody = { headers: { 'new-api-user': '-1' } }

describeWithGateway('a passkey', (weir) => {
  beforeEach(() => weir.set('ServerAddress', SERVER))

  async function owner() {
    const visitor = await weir.addVisitor()
    const device = createAuthenticator(SERVER)
    const passkey = device.make(await visitor.client.auth.passkeyBegin())
    const { id } = await visitor.client.auth.passkeyAdd({ name: 'my key', passkey })
    return { ...visitor, device, id }
  }
  const ask = async (visitor: Visitor) => visitor.client.auth.passkeyAsk()
  const enter = async (visitor: Visitor, passkey: object) =>
    (await visitor.send('POST', '/api/user/login/passkey', { body: { passkey } })).json

  it('signs its owner in without a name, in a new session', async () => {
    const ada = await owner()
    const visitor = weir.visitor()
    const options = await ask(visitor)
    expect(options).toMatchObject({ rpId: 'weir.example', userVerification: 'required' })
    expect(options).not.toHaveProperty('allowCredentials')
    const entered = await enter(visitor, ada.device.use(options))
    expect(entered).toMatchObject({ success: true, data: { id: ada.user.id } })
    expect(visitor.cookie()).toMatch(/weir_session=[\w-]{43}/)
    const [kept] = await ada.client.auth.passkeys()
    expect(kept).toMatchObject({ id: ada.id, name: 'my key', used_time: expect.any(Number) })
    expect(kept?.used_time).toBeGreaterThan(0)
  })

  it.each<[string, Lies]>([
    ['made on a page of somebody else', { origin: 'https://weir.example.evil' }],
    ['made for another host', { party: 'evil.example' }],
    ['of another challenge', { challenge: Buffer.from('another challenge').toString('base64url') }],
    ['that was meant for something else', { type: 'webauthn.create' }],
    ['whose device did not check its owner', { verified: false }],
    ['signed by another key', { otherKey: true }],
    ['of a copy that lags behind', { counter: 1 }],
  ])('is refused with an answer %s', async (_, lies) => {
    const ada = await owner()
    for (const _ of [1, 2]) {
      const visitor = weir.visitor()
      expect((await enter(visitor, ada.device.use(await ask(visitor)))).success).toBe(true)
    }
    const visitor = weir.visitor()
    expect(await enter(visitor, ada.device.use(await ask(visitor), lies))).toMatchObject({ code: 'passkey.invalid' })
    expect(visitor.cookie()).not.toContain('weir_session=')
  })

  it('answers once, at the browser that asked, and in time', async () => {
    const ada = await owner()
    const visitor = weir.visitor()
    const answer = ada.device.use(await ask(visitor))
    expect((await enter(weir.visitor(), answer)).code).toBe('passkey.invalid')
    expect((await enter(visitor, answer)).success).toBe(true)
    const thief = weir.visitor()
    await ask(thief)
    expect((await enter(thief, answer)).code).toBe('passkey.invalid')
    const late = ada.device.use(await ask(visitor))
    await weir.gateway.ports.storage.verifications.deleteExpired(Math.floor(Date.now() / 1000) + 301)
    expect((await enter(visitor, late)).code).toBe('passkey.invalid')
    for (const odd of [{}, { id: 7 }, { id: ada.id, response: null }, { id: ada.id, response: { signature: '💥' } }]) {
      await ask(visitor)
      expect((await enter(visitor, odd)).code).toBe('passkey.invalid')
    }
  })

  it('is made only by an honest device, once, and belongs to one user', async () => {
    const [ada, eve] = [await weir.addVisitor(), await weir.addVisitor()]
    const add = async (visitor: Visitor, passkey: object) =>
      (await visitor.send('POST', '/api/user/passkeys', { body: { passkey } })).json.code
    const device = createAuthenticator(SERVER)
    for (const lies of [{ origin: 'https://evil.example' }, { party: 'evil.example' }, { verified: false }]) {
      expect(await add(ada, device.make(await ada.client.auth.passkeyBegin(), lies))).toBe('passkey.invalid')
    }
    const made = device.make(await ada.client.auth.passkeyBegin())
    await eve.client.auth.passkeyBegin()
    expect(await add(eve, made)).toBe('passkey.invalid')
    expect(await add(ada, made)).toBeUndefined()
    expect(await add(ada, made)).toBe('passkey.invalid')
    const [{ id } = { id: '' }] = await ada.client.auth.passkeys()
    expect((await eve.send('DELETE', `/api/user/passkeys/${id}`)).json.code).toBe('passkey.missing')
    await ada.client.auth.passkeyRemove({ passkey_id: id })
    const visitor = weir.visitor()
    expect((await enter(visitor, device.use(await ask(visitor)))).code).toBe('passkey.invalid')
  })

  it('lets nobody in who is banned or gone', async () => {
    const ada = await owner()
    const again = async () => {
      const visitor = weir.visitor()
      return (await enter(visitor, ada.device.use(await ask(visitor)))).code
    }
    await weir.changeUser(ada.user.id, { status: 2 })
    expect(await again()).toBe('access.banned')
    await weir.root.client.users.manage({ id: ada.user.id, action: 'delete' })
    expect(await again()).toBe('passkey.invalid')
  })
})

const app = { client_id: 'weir at github', client_secret: 'the secret at github' }
const github = createGitHub(app)
const elsewhere = startElsewhere(github.hosts)

describeWithOwnGateway(
  'an authenticator app',
  (weir) => {
    const codeOf = (secret: string, ahead = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead })

    async function owner() {
      const visitor = await weir.addVisitor()
      const { secret, address } = await visitor.client.auth.totpBegin()
      expect(address).toContain(`secret=${secret}`)
      const { backup_codes } = await visitor.client.auth.totpConfirm({ code: codeOf(secret) })
      return { ...visitor, secret, backup_codes }
    }
    const finish = async (visitor: Visitor, code: string) =>
      (await visitor.send('POST', '/api/user/login/code', { body: { code } })).json

    it('asks after the password; there is no session before its code', async () => {
      const ada = await owner()
      const visitor = weir.visitor()
      const first = await visitor.login(ada.user.username, ada.password)
      expect([first.status, first.json.success, first.json.code]).toEqual([200, false, 'login.second_factor'])
      expect(visitor.cookie()).not.toContain('weir_session=')
      // At the browser that gave the password, and nowhere else.
      const next = codeOf(ada.secret, 30_000)
      expect((await finish(weir.visitor(), next)).code).toBe('second_factor.expired')
      expect(await finish(visitor, next)).toMatchObject({ success: true, data: { id: ada.user.id } })
      expect(visitor.cookie()).toMatch(/weir_session=[\w-]{43}/)
      // Replayed at once, and at another sign-in.
      expect((await finish(visitor, next)).code).toBe('second_factor.expired')
      const thief = weir.visitor()
      await thief.login(ada.user.username, ada.password)
      expect((await finish(thief, next)).code).toBe('second_factor.wrong')
    })

    it('lets backup codes stand in, each once, however they are typed', async () => {
      const ada = await owner()
      const [one = '', two = ''] = ada.backup_codes
      const enter = async (code: string) => {
        const visitor = weir.visitor()
        await visitor.login(ada.user.username, ada.password)
        return (await finish(visitor, code)).code
      }
      expect(await enter(one)).toBeUndefined()
      expect(await enter(one)).toBe('second_factor.wrong')
      expect(await enter(` ${two.slice(0, 5)}-${two.slice(5)} `)).toBeUndefined()
      expect(await ada.client.auth.totp()).toEqual({ enabled: true, backup_codes_left: 8 })
      const eve = await owner()
      expect(await enter(eve.backup_codes[0] ?? '')).toBe('second_factor.wrong')
    })

    it('is not guessed: a few tries for a sign-in, and some for an account from wherever they come', async () => {
      const ada = await owner()
      const visitor = weir.visitor()
      await visitor.login(ada.user.username, ada.password)
      for (let guess = 0; guess < 5; guess++) expect((await finish(visitor, '000000')).code).toBe('second_factor.wrong')
      expect((await finish(visitor, ada.backup_codes[0] ?? '')).code).toBe('second_factor.expired')
      await weir.set('ApiRateLimits', { api: [0, 60], login: [0, 60], login_failures: [5, 60] })
      const again = weir.visitor()
      await again.login(ada.user.username, ada.password)
      for (let guess = 0; guess < 5; guess++) await finish(again, '000000')
      const elsewhereAgain = weir.visitor()
      await elsewhereAgain.login(ada.user.username, ada.password)
      expect((await finish(elsewhereAgain, ada.backup_codes[0] ?? '')).code).toBe('limit.requests')
    })

    it('that is lost is removed by an administrator above its owner, or at the terminal', async () => {
      const [ada, boss, peer] = [await owner(), await weir.addVisitor({ patch: { role: 10 } }), await owner()]
      await weir.changeUser(peer.user.id, { role: 10 })
      const remove = async (who: Visitor, id: number) => (await who.send('DELETE', `/api/user/${id}/proofs`)).json.code
      expect(await remove(ada, ada.user.id)).toBe('access.forbidden')
      for (const id of [boss.user.id, peer.user.id, weir.rootId])
        expect(await remove(boss, id)).toBe('user.edit_denied')
      expect(await remove(weir.root, weir.rootId)).toBe('user.edit_denied')
      expect(await remove(boss, 9999)).toBe('user.missing')
      expect(await remove(boss, ada.user.id)).toBeUndefined()
      expect((await ada.send('GET', '/api/user/self')).status).toBe(401)
      expect((await ada.login(ada.user.username, ada.password)).json.success).toBe(true)
      const { items } = await weir.root.client.audit.list({ action: 'user.remove_proofs' })
      expect(items[0]).toMatchObject({ target: String(ada.user.id), username: boss.user.username })
      await weir.gateway.client.users.removeProofs({ id: peer.user.id })
      expect((await weir.visitor().login(peer.user.username, peer.password)).json.success).toBe(true)
    })

    it('stands behind other services too', async () => {
      const settings = {
        GitHubClientId: app.client_id,
        GitHubClientSecret: app.client_secret,
        GitHubOAuthEnabled: true,
      }
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
      for (const [key, value] of Object.entries(settings)) await weir.set(key, value)
      const ada = await owner()
      const person = { id: 7, login: 'ada', name: 'Ada', email: null }
      const comeBack = async (visitor: Visitor, asked?: object) => {
        const { url } = await visitor.client.auth.oauthStart({ type: 'github' })
        const query = new URLSearchParams(github.approve(url, person))
        return (await visitor.send('GET', `/api/oauth/github?${query}`, asked)).json
      }
      expect((await comeBack(ada)).message).toBe('bind')
      const visitor = weir.visitor()
      expect((await comeBack(visitor, anybody)).code).toBe('login.second_factor')
      expect((await finish(visitor, codeOf(ada.secret, 30_000))).data.id).toBe(ada.user.id)
    })
  },
  { web: elsewhere.web },
)
