// Codes and links by mail reveal no account and flood no mailbox, and other users cannot invalidate them.
import { describe, expect, it, vi } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { useMailServer } from '../support/mail-server.ts'
import type { Visitor } from '../support/server.ts'

const NO_LIMIT = { api: [0, 60], login: [0, 60], verification: [0, 60], reset: [0, 60] }

describeWithGateway('a mail', (weir) => {
  it('to an address that somebody has is answered like any other, with the same work; so is a reset', async () => {
    const server = await useMailServer(weir)
    const { storage } = weir.gateway.ports
    const work = [
      vi.spyOn(storage.users, 'emailTaken'),
      vi.spyOn(storage.verifications, 'put'),
      vi.spyOn(weir.gateway.ports.mailer, 'send'),
    ]
    const ada = await weir.addVisitor()
    await weir.addUser({ patch: { email: 'taken@example.com' } })
    const ask = async (who: Visitor, path: string) => {
      for (const spy of work) spy.mockClear()
      const { status, json } = await who.send('GET', path, who === ada ? {} : { headers: { 'new-api-user': '-1' } })
      return { status, json, work: work.map((spy) => spy.mock.calls.length) }
    }
    for (const who of [weir.visitor(), ada]) {
      const free = await ask(who, '/api/verification?email=free@example.com')
      expect(free).toMatchObject({ status: 200, json: { success: true }, work: [1, 2, 1] })
      expect(await ask(who, '/api/verification?email=TAKEN@example.com')).toEqual(free)
      const [first, second] = server.mails.splice(0)
      expect(first?.text).toMatch(/\b[0-9a-f]{6}\b/)
      expect(second?.text).toMatch(/already belongs to an account/)
      expect(second?.text).not.toMatch(/\b[0-9a-f]{6}\b/)
      // Neither does a wrong code tell it, whatever it is for.
      const bind = (email: string) => ask(ada, `/api/oauth/email/bind?email=${email}&code=000000`)
      expect(await bind('taken@example.com')).toEqual(await bind('free@example.com'))
    }
    for (const spy of work) spy.mockRestore()
    const reset = async (email: string) =>
      (await weir.visitor().send('POST', '/api/user/reset', { body: { email, token: 'x' } })).json
    expect(await reset('taken@example.com')).toEqual(await reset('free@example.com'))
    await server.close()
  })

  it('is sent only so often to one recipient, whether anybody has the address or not', async () => {
    const server = await useMailServer(weir)
    await weir.addUser({ patch: { email: 'often@example.com' } })
    await weir.set('TrustedProxies', ['127.0.0.1'])
    const limits = { ...NO_LIMIT, mail: [2, 3600], mail_recipient: [4, 3600] }
    await weir.set('ApiRateLimits', limits)
    const ask = async (from: string, path: string) => {
      const headers = { 'new-api-user': '-1', 'x-forwarded-for': from }
      return (await weir.visitor().send('GET', path, { headers })).status
    }
    const code = '/api/verification?email='
    const reset = '/api/reset_password?email='
    for (const [network, name] of Object.entries({ 1: 'often', 2: 'never' })) {
      const from = `198.51.${network}.1`
      const asked = [
        await ask(from, `${code}${name}@example.com`),
        await ask(from, `${reset}${name.toUpperCase()}@example.com`),
        await ask(from, `${code}${name}@EXAMPLE.com`),
        await ask(from, `${reset}${name}@example.com`),
      ]
      expect(asked, name).toEqual([200, 200, 429, 429])
      // What was refused to one network is left to the others, to the bound of all together.
      const others = []
      for (const host of [2, 3, 4]) others.push(await ask(`198.51.${network}.${host}`, `${reset}${name}@example.com`))
      expect(others, name).toEqual([200, 200, 429])
      expect(await ask(from, `${code}another-${name}@example.com`)).toBe(200)
    }
    await server.close()
  })

  it('that strangers have asked for until nobody may is still sent to who signed in from this browser before', async () => {
    const server = await useMailServer(weir)
    const ada = await weir.addVisitor({ patch: { email: 'known@example.com' } })
    await ada.send('GET', '/api/user/logout')
    await weir.set('TrustedProxies', ['127.0.0.1'])
    const limits = { ...NO_LIMIT, mail: [3, 3600], mail_recipient: [1, 3600] }
    await weir.set('ApiRateLimits', limits)
    const ask = async (who: Visitor, from: string, email: string) =>
      (
        await who.send('GET', `/api/reset_password?email=${email}`, {
          headers: { 'new-api-user': '-1', 'x-forwarded-for': from },
        })
      ).status
    for (const email of ['known@example.com', 'other@example.com']) {
      expect([
        await ask(weir.visitor(), '198.51.100.1', email),
        await ask(weir.visitor(), '198.51.100.2', email),
      ]).toEqual([200, 429])
    }
    const own = async (email: string) => [await ask(ada, '198.51.100.3', email), await ask(ada, '198.51.100.3', email)]
    expect(await own('KNOWN@example.com')).toEqual([200, 200])
    // A browser is known to its own account alone.
    expect(await own('other@example.com')).toEqual([429, 429])
    await server.close()
  })
})

describeWithGateway('a link that lets in again', (weir) => {
  it('is not made useless by strangers who ask for another one or try at tokens, and the first one used ends the rest', async () => {
    const server = await useMailServer(weir)
    await weir.set('ServerAddress', 'https://weir.example')
    await weir.addUser({ patch: { email: 'owner@example.com' } })
    const ask = async () => {
      await weir.visitor().send('GET', '/api/reset_password?email=owner@example.com', {
        headers: { 'new-api-user': '-1' },
      })
      await vi.waitFor(() => expect(server.mails).toHaveLength(1))
      return new URL(/https:\S+/.exec(server.mails.splice(0)[0]!.text)![0]).searchParams.get('token')!
    }
    const reset = async (token: string) =>
      (await weir.visitor().send('POST', '/api/user/reset', { body: { email: 'owner@example.com', token } })).json
    const first = await ask()
    const second = await ask()
    for (let guess = 0; guess < 8; guess++) expect((await reset(`guess ${guess}`)).code).toBe('reset.invalid')
    expect((await reset(first)).data).toMatch(/^\w{12}$/)
    for (const used of [first, second]) expect((await reset(used)).code).toBe('reset.invalid')
    await server.close()
  })
})

const EMAIL = 'newcomer@example.com'
const OWNER = { 'x-forwarded-for': '198.51.100.1' }
const STRANGER = { 'x-forwarded-for': '198.51.100.2' }
const WRONG = '00000g'

/** Where a code is taken; what is said of it, `done` for a right one. */
const PLACES: Record<string, (who: Visitor, code: string, headers?: Record<string, string>) => Promise<string>> = {
  async registering(who, verification_code, headers = {}) {
    const body = { username: 'newcomer', password: 'a new password', email: EMAIL, verification_code }
    return (await who.send('POST', '/api/user/register', { headers, body })).json.code ?? 'done'
  },
  async binding(who, code, headers = {}) {
    return (await who.send('GET', `/api/oauth/email/bind?email=${EMAIL}&code=${code}`, { headers })).json.code ?? 'done'
  },
}

describeWithGateway('a code by mail', (weir) =>
  describe.each(Object.entries(PLACES))('when %s', (place, attempt) => {
    const asker = () => (place === 'binding' ? weir.addVisitor() : weir.visitor())
    const using = async <T>(
      work: (ask: (who: Visitor, headers?: Record<string, string>) => Promise<string>) => Promise<T>,
    ) => {
      const server = await useMailServer(weir)
      await weir.set('TrustedProxies', ['127.0.0.1'])
      await weir.set('EmailVerificationEnabled', true)
      await work(async (who, headers) => {
        const nobody: Record<string, string> = place === 'binding' ? {} : { 'new-api-user': '-1' }
        await who.send('GET', `/api/verification?email=${EMAIL}`, { headers: { ...nobody, ...headers } })
        return /\b[0-9a-f]{6}\b/.exec(server.mails.splice(0)[0]?.text ?? '')![0]
      })
      const found = await weir.gateway.ports.storage.users.findByLogin(EMAIL)
      await weir.changeUser(found!.user.id, { email: '', username: `used${found!.user.id}` })
      await server.close()
    }

    it('is not replaced or used up by strangers who ask for one, or guess', () =>
      using(async (ask) => {
        const [owner, stranger] = [await asker(), await asker()]
        const code = await ask(owner)
        const other = await ask(stranger)
        for (let guess = 0; guess < 6; guess++) expect(await attempt(stranger, WRONG)).toBe('verification.wrong')
        expect(await attempt(stranger, other), 'its own, guessed at too often').toBe('verification.wrong')
        expect(await attempt(stranger, code), 'of another asker').toBe('verification.wrong')
        expect(await attempt(owner, code)).toBe('done')
        expect(await attempt(owner, code)).not.toBe('done')
      }))

    it('of who keeps no cookies belongs to the network it was asked from', () =>
      using(async (ask) => {
        const [owner, stranger] = [await asker(), await asker()]
        const bare = (who: Visitor): Visitor => {
          const cookie = () => who.cookie().replace(/(; )?weir_browser=[^;]+/, '')
          return { ...who, send: (m, p, a) => who.send(m, p, { ...a, headers: { ...a?.headers, cookie: cookie() } }) }
        }
        const code = await ask(bare(owner), OWNER)
        await ask(bare(stranger), STRANGER)
        for (let guess = 0; guess < 6; guess++) await attempt(bare(stranger), WRONG, STRANGER)
        expect(await attempt(bare(stranger), code, STRANGER)).toBe('verification.wrong')
        expect(await attempt(bare(owner), code, OWNER)).toBe('done')
      }))

    it('is not the likelier guessed the more ask for one', () =>
      using(async (ask) => {
        const limits = { ...NO_LIMIT, mail: [0, 60], mail_recipient: [0, 60] }
        await weir.set('ApiRateLimits', { ...limits, mail_code: [4, 3600] })
        const owner = await asker()
        const code = await ask(owner)
        const compare = vi.spyOn(weir.gateway.ports.storage.verifications, 'attempt')
        const said: string[] = []
        for (let others = 0; others < 4; others++) {
          const stranger = await asker()
          // Who has asked for nothing guesses at nothing, and is not counted.
          expect(await attempt(stranger, WRONG, { 'x-forwarded-for': `203.0.113.${others}` })).toBe(
            'verification.wrong',
          )
          await ask(stranger)
          for (const _ of [1, 2]) said.push(await attempt(stranger, WRONG))
        }
        expect(compare.mock.calls.length).toBeLessThanOrEqual(4)
        expect(said.filter((word) => word === 'verification.wrong')).toHaveLength(compare.mock.calls.length)
        compare.mockRestore()
        // Who is slowed down loses nothing by it.
        expect(await attempt(owner, code)).toBe('limit.requests')
        await weir.set('ApiRateLimits', { ...limits, mail_code: [0, 60] })
        expect(await attempt(owner, code)).toBe('done')
      }))
  }),
)
