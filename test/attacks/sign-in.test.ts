// Passwords and codes: guessed at slowly, wherever they are compared, without locking their owners out; and who knew a
// password keeps nothing of it when it changes.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { noSession } from '../../core/index.ts'
import { describeWithGateway, eventually, ROOT, type TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sourcesBelow = (folder: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)

describe('what can be guessed', () => {
  it('is compared in one place, which counts before it compares', () => {
    const files = ['core', 'http', 'cli'].flatMap(sourcesBelow)
    const calling = (what: RegExp) => files.filter((file) => what.test(readFileSync(root + file, 'utf8')))
    expect(calling(/\bverifyPassword\(/).sort()).toEqual([
      'core/adapters/crypto.ts',
      'core/auth/sign-in.ts',
      'core/ports/secrets.ts',
    ])
    // Codes, backup codes and passkeys: where they are compared stands an attempt.
    const others = calling(/\.stepOf\(|\.useBackup\(|passkeys\.authenticated\(|, setupCode\)/)
    expect(others.sort()).toEqual(['core/auth/second-factors.ts', 'core/auth/sign-in.ts', 'core/site/setup.ts'])
    for (const file of others) {
      const text = readFileSync(root + file, 'utf8')
      for (const [compared] of text.matchAll(/\n(?:export )?(?:async )?function[\s\S]*?\n}/g)) {
        if (/\.stepOf\(|\.useBackup\(|passkeys\.authenticated\(|, setupCode\)/.test(compared))
          expect(compared, file).toMatch(/await attempt\(/)
      }
    }
  })
})

const NO_LIMIT = { api: [0, 60], login: [0, 60], login_failures: [0, 60], login_account: [0, 60] }
const wrong = 'a wrong password'

/** A sign-in from an address of the test's own. */
const loginFrom = (weir: TestGateway, address: string, visitor: Visitor = weir.visitor()) => {
  const headers = { 'x-forwarded-for': address }
  return async (username: string, password: string) =>
    (await visitor.send('POST', '/api/user/login', { headers, body: { username, password } })).status
}

describeWithGateway('a guess', (weir) => {
  const limit = (rates: object) => weir.set('ApiRateLimits', { ...NO_LIMIT, ...rates })

  it('counts at every endpoint that takes a password or a code, before anything is compared', async () => {
    const { gateway } = weir
    const { user, password } = await weir.addUser()
    await limit({ login_failures: [1, 60] })
    const { storage, secrets, identity } = gateway.ports
    await storage.secondFactors.begin(user.id, identity.codes.newSecret())
    const compare = [vi.spyOn(secrets, 'verifyPassword'), vi.spyOn(identity.codes, 'stepOf')]
    const now = Math.floor(Date.now() / 1000)
    const times = { created_time: now, used_time: now, proven_time: now, expires_time: now + 60 }
    const current = { id: 0, id_hash: '', user_id: user.id, ip: '', user_agent: '', ...times }
    const guesses = {
      password: wrong,
      original_password: wrong,
      password2: wrong,
      code: '000000',
      username: user.username,
    }
    const comparing: string[] = []
    let place = 0
    for (const [name, { access, body, query }] of endpointsByName) {
      const fields = Object.keys({ ...body?.shape, ...query?.shape })
      if (!fields.some((field) => /password|^code$/.test(field)) || !['public', 'user'].includes(access)) continue
      place += 1
      for (const spy of compare) spy.mockClear()
      const asker = access === 'public' ? null : user
      const base = { token: null, request_id: '', language: 'en' } as const
      const caller = { ...base, user: asker, via: asker ? 'session' : 'none', ip: `203.0.113.${place}` } as const
      const session = { ...noSession, current: asker && current, browser: () => 'a browser' }
      const input = Object.fromEntries(Object.entries(guesses).filter(([field]) => fields.includes(field)))
      const refusals: string[] = []
      for (const _ of [1, 2, 3]) {
        const refusal = gateway.dispatch(name, input, { caller, session }).then(
          () => 'done',
          (error: { code: string }) => error.code,
        )
        refusals.push(await refusal)
      }
      const compared = compare.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
      if (compared === 0) continue
      comparing.push(name)
      expect(compared, name).toBe(1)
      expect(refusals.slice(1), name).toEqual(['limit.requests', 'limit.requests'])
    }
    for (const spy of compare) spy.mockRestore()
    expect(comparing.sort()).toEqual(['auth.login', 'auth.stepUp', 'auth.totpConfirm', 'users.updateSelf'])
    await limit({})
    expect((await weir.visitor().login(user.username, password)).json.success).toBe(true)
  })

  it('of many at once is compared only as often as it may be', async () => {
    const { user } = await weir.addUser()
    await limit({ login_failures: [3, 60] })
    const compare = vi.spyOn(weir.gateway.ports.secrets, 'verifyPassword')
    const answers = await Promise.all(Array.from({ length: 20 }, () => weir.visitor().login(user.username, wrong)))
    expect(compare).toHaveBeenCalledTimes(3)
    compare.mockRestore()
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json).toMatchObject({ code: 'limit.requests', message: 'too many requests, try again later' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    // Nobody is told whether there is such an account, by whatever name.
    await limit({ login_failures: [2, 90] })
    for (const name of [user.username.toUpperCase(), 'nobody-here']) {
      const statuses = []
      for (const _ of [1, 2, 3]) statuses.push((await weir.visitor().login(name, wrong)).status)
      expect(statuses, name).toEqual([200, 200, 429])
    }
  })

  it('that was right makes the wrong ones forgotten; too many wrong ones wait a little and are not locked out', async () => {
    const { user, password } = await weir.addUser()
    await limit({ login_failures: [3, 60] })
    for (const _ of [1, 2, 3, 4]) {
      expect((await weir.visitor().login(user.username, wrong)).status).toBe(200)
      expect((await weir.visitor().login(user.username, password)).json.success).toBe(true)
    }
    await limit({ login_failures: [5, 5] })
    const other = await weir.addUser()
    for (let guess = 0; guess < 6; guess += 1) await weir.visitor().login(other.user.username, wrong)
    const refused = await weir.visitor().login(other.user.username, other.password)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    const enter = async () => (await weir.visitor().login(other.user.username, other.password)).json.success
    expect(await eventually(enter, (entered) => entered === true, 3000)).toBe(true)
  })

  it('is slowed by network and by account, and the browsers that the account knows are let in', async () => {
    await weir.set('TrustedProxies', ['127.0.0.1'])
    const [ada, bob] = [await weir.addUser(), await weir.addUser()]
    const own = weir.visitor()
    expect(await loginFrom(weir, '203.0.113.1', own)(ada.user.username, ada.password)).toBe(200)

    // One network: at one account, then at many.
    await limit({ login_failures: [2, 60] })
    const near = loginFrom(weir, '203.0.113.1')
    expect([await near(ada.user.username, wrong), await near(ada.user.username, wrong)]).toEqual([200, 200])
    expect(await near(ada.user.username, ada.password)).toBe(429)
    expect(await near(bob.user.username, bob.password)).toBe(200)
    expect(await loginFrom(weir, '203.0.113.2')(ada.user.username, ada.password)).toBe(200)
    expect(await loginFrom(weir, '203.0.113.1', own)(ada.user.username, ada.password)).toBe(200)
    await limit({ login: [2, 60] })
    const far = loginFrom(weir, '198.51.100.1')
    expect([await far('one', wrong), await far('another', wrong), await far('a third', wrong)]).toEqual([200, 200, 429])
    // A right password of one's own gives no new guesses at others'.
    expect(await far(bob.user.username, bob.password)).toBe(429)
    expect(await loginFrom(weir, '198.51.100.1', own)(ada.user.username, ada.password)).toBe(200)

    // One account, from everywhere.
    await limit({ login_account: [2, 60], login_failures: [5, 60] })
    for (const n of [1, 2]) expect(await loginFrom(weir, `192.0.2.${n}`)(ada.user.username, wrong)).toBe(200)
    expect(await loginFrom(weir, '192.0.2.3')(ada.user.username, ada.password)).toBe(429)
    expect(await loginFrom(weir, '192.0.2.4', own)(ada.user.username, ada.password)).toBe(200)
    // Known to one account is not known to all; and the known one guesses no faster than others.
    expect(await loginFrom(weir, '192.0.2.4', own)(bob.user.username, wrong)).toBe(200)
    const guessing = loginFrom(weir, '192.0.2.5', own)
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess += 1) statuses.push(await guessing(ada.user.username, wrong))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('of another browser is not helped by a name that was planted, nor by the password of yesterday', async () => {
    const { storage, secrets } = weir.gateway.ports
    const ada = await weir.addUser()
    const knows = (browser: string) => storage.browsers.knows(ada.user.id, secrets.hash(browser))
    const nameOf = (visitor: Visitor) => /weir_known=([\w-]+)/.exec(visitor.cookie())?.[1] ?? ''
    const planted = 'p'.repeat(43)
    const enter = {
      headers: { cookie: `weir_known=${planted}` },
      body: { username: ada.user.username, password: ada.password },
    }
    const victim = weir.visitor()
    expect((await victim.send('POST', '/api/user/login', enter)).json.success).toBe(true)
    expect([await knows(planted), await knows(nameOf(victim))]).toEqual([false, true])
    const here = weir.visitor()
    await here.login(ada.user.username, ada.password)
    const first = nameOf(here)
    // Who signs in to another account there is still known to this one, by the new name.
    await here.login(ROOT.username, ROOT.password)
    expect(nameOf(here)).not.toBe(first)
    await here.login(ada.user.username, ada.password)
    expect(await knows(nameOf(here))).toBe(true)
    const body = { password: 'another one', original_password: ada.password }
    expect((await here.send('PUT', '/api/user/self', { body })).json.success).toBe(true)
    expect([await knows(nameOf(here)), await knows(nameOf(victim))]).toEqual([true, false])
  })
})

describeWithGateway('a new password', (weir) => {
  it('ends the access tokens and the other sessions, whoever sets it and however', async () => {
    const mailed = async (username: string) => {
      const { storage, secrets } = weir.gateway.ports
      const { user, password_hash } = (await storage.users.findByLogin(username))!
      await weir.changeUser(user.id, { email: `${username}@example.com` })
      const proof = secrets.hash(`${user.id} ${password_hash}`)
      await storage.verifications.put('reset', 'the token', proof, Math.floor(Date.now() / 1000) + 60)
      const body = { email: `${username}@example.com`, token: 'the token' }
      return weir.visitor().send('POST', '/api/user/reset', { body })
    }
    type Known = Awaited<ReturnType<typeof weir.addVisitor>>
    const ways = {
      'by themselves': ({ send, password }: Known) =>
        send('PUT', '/api/user/self', { body: { password: 'another one', original_password: password } }),
      'by an administrator': ({ user }: Known) =>
        weir.root.send('PUT', '/api/user/', { body: { id: user.id, password: 'another one' } }),
      'at the terminal': async ({ user }: Known) => {
        await weir.gateway.client.users.update({ id: user.id, password: 'another one' })
        return { json: { success: true } }
      },
      'by a mailed link': ({ user }: Known) => mailed(user.username),
    }
    for (const [way, change] of Object.entries(ways)) {
      const ada = await weir.addVisitor()
      const elsewhere = weir.visitor()
      await elsewhere.login(ada.user.username, ada.password)
      const machine = weir.visitor({ accessToken: await ada.client.users.accessToken() })
      const { token } = await ada.client.users.createAccessToken({ name: 'another' })
      const another = weir.visitor({ accessToken: token })
      const can = async () =>
        Promise.all(
          [machine, another, elsewhere].map(async (who) => (await who.send('GET', '/api/user/self')).json.success),
        )
      expect(await can(), way).toEqual([true, true, true])
      expect((await change(ada)).json.success, way).toBe(true)
      expect(await can(), way).toEqual([false, false, false])
    }
  })
})
