// Signing in a program by a short code: who is in the way, guesses, answers for others, or asks twice gets nothing.
import { expect, it } from 'vitest'
import { createSystemClock } from '../../core/adapters/platform.ts'
import { ACCESS_TOKEN_SCOPES } from '../../core/contract/endpoint.ts'
import {
  ANSWER_TIMEOUT_SECONDS,
  POLL_INTERVAL_SECONDS,
  POLL_SLOWDOWN_SECONDS,
  TOKEN_LIFETIME_SECONDS,
} from '../../core/devices/device.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'

let ahead_ms = 0
const clock: Clock = { ...createSystemClock(), now: () => Date.now() + ahead_ms }
const pass = (seconds: number) => (ahead_ms += seconds * 1000)
const now = () => Math.floor(clock.now() / 1000)

describeWithOwnGateway(
  'a program without a browser',
  (weir) => {
    const nobody = () => weir.visitor().client.devices
    const begin = (more: object = {}) => nobody().begin({ name: 'weir on a laptop', ...more })
    /** What a question about the access token comes to, when it is time for it. */
    const ask = async (device_code: string) => {
      pass(POLL_INTERVAL_SECONDS)
      const { json } = await weir.visitor().send('POST', '/api/device/token', { body: { device_code } })
      return (json.code ?? json.data) as unknown
    }
    const codeOf = async (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )

    it('gets a named, scoped, ending access token of who allowed it, once', async () => {
      const ada = await weir.addVisitor()
      const end = now() + 3600
      const { device_code, user_code, expires_in, interval } = await begin({ scope: 'relay', expired_time: end })
      expect([expires_in, interval]).toEqual([ANSWER_TIMEOUT_SECONDS, POLL_INTERVAL_SECONDS])
      expect(user_code).toMatch(/^[B-DF-HJ-NP-T]{4}-[B-DF-HJ-NP-T]{4}$/)
      expect(await ask(device_code)).toBe('device.authorization_pending')
      const asked = await ada.client.devices.request({ user_code: ` ${user_code.toLowerCase().replace('-', ' ')}` })
      const told = {
        name: 'weir on a laptop',
        scope: 'relay',
        expired_time: end,
        ip: '127.0.0.1',
        near: true,
        user_code,
      }
      expect(asked).toMatchObject(told)
      expect(Object.keys(asked).sort()).toEqual([...Object.keys(told), 'created_time', 'expires_time'].sort())
      expect(await ada.client.users.accessTokens()).toEqual([])
      await ada.client.devices.answer({ user_code, allow: true })
      const got = (await ask(device_code)) as { token: string; id: number }
      expect(got).toMatchObject({ name: 'weir on a laptop', scope: 'relay', expired_time: end, used_time: 0 })
      const machine = weir.visitor({ accessToken: got.token })
      expect(await machine.client.users.self()).toMatchObject({ id: ada.user.id })
      expect(await ask(device_code)).toBe('device.expired_token')
      expect((await ada.client.users.accessTokens()).map(({ id }) => id)).toEqual([got.id])
      const { items } = await weir.root.client.audit.list({ action: 'device.allow' })
      expect(items[0]).toMatchObject({ username: ada.user.username, target: 'weir on a laptop', via: 'session' })
      expect(JSON.parse(items[0]!.after)).toEqual({ scope: 'relay', expired_time: end, ip: '127.0.0.1' })
    })

    it('is told no for as long as it asks, and nobody has a token then', async () => {
      const ada = await weir.addVisitor()
      const { device_code, user_code } = await begin()
      await ada.client.devices.answer({ user_code, allow: false })
      for (const _ of [1, 2]) expect(await ask(device_code)).toBe('device.access_denied')
      expect(await codeOf(ada.client.devices.answer({ user_code, allow: true }))).toBe('device.missing')
      expect(await ada.client.users.accessTokens()).toEqual([])
    })

    it('waits longer each time it asks too soon', async () => {
      const { device_code } = await begin()
      expect(await ask(device_code)).toBe('device.authorization_pending')
      const soon = () => codeOf(nobody().token({ device_code }))
      expect(await soon()).toBe('device.slow_down')
      expect(await ask(device_code)).toBe('device.slow_down')
      pass(POLL_INTERVAL_SECONDS + 2 * POLL_SLOWDOWN_SECONDS)
      expect(await soon()).toBe('device.authorization_pending')
    })

    it('is over after some minutes: for who answers, for who asks, and the token that nobody fetched ends', async () => {
      const ada = await weir.addVisitor()
      const [late, unfetched] = [await begin(), await begin()]
      await ada.client.devices.answer({ user_code: unfetched.user_code, allow: true })
      expect(await ada.client.users.accessTokens()).toHaveLength(1)
      pass(ANSWER_TIMEOUT_SECONDS + 1)
      expect(await codeOf(ada.client.devices.answer({ user_code: late.user_code, allow: true }))).toBe('device.missing')
      for (const { device_code } of [late, unfetched]) expect(await ask(device_code)).toBe('device.expired_token')
      const { storage } = weir.gateway.ports
      await storage.transaction((within) => within.devices.deleteExpired(now()))
      expect(await ada.client.users.accessTokens()).toEqual([])
      expect(await storage.devices.find({ user_code: late.user_code.replace('-', '') }, 0)).toBeNull()
    })

    it('is answered once and fetched once, however many do at a time', async () => {
      const people = await Promise.all([weir.addVisitor(), weir.addVisitor()])
      const { device_code, user_code } = await begin()
      const twice = [...people, ...people]
      const answers = await Promise.all(
        twice.map((who) => codeOf(who.client.devices.answer({ user_code, allow: true }))),
      )
      expect(answers.sort()).toEqual(['device.missing', 'device.missing', 'device.missing', 'done'])
      pass(POLL_INTERVAL_SECONDS)
      const polls = await Promise.all([1, 2, 3].map(() => codeOf(nobody().token({ device_code }))))
      expect(polls.filter((code) => code === 'done')).toHaveLength(1)
      const made = await Promise.all(people.map((who) => who.client.users.accessTokens()))
      expect(made.flat()).toHaveLength(1)
    })

    it('is answered in a session alone, proven lately: an access token makes none that may more than itself', async () => {
      const { user_code } = await begin({ scope: 'all' })
      const { token } = await weir.root.client.users.createAccessToken({ name: 'a machine', scope: 'all' })
      const machine = weir.visitor({ accessToken: token })
      const local = weir.gateway.client
      for (const { devices } of [machine.client, local]) {
        expect(await codeOf(devices.request({ user_code }))).toBe('device.session')
        expect(await codeOf(devices.answer({ user_code, allow: true }))).toBe('device.session')
      }
      expect(await codeOf(nobody().answer({ user_code, allow: true }))).toBe('access.login_required')
      const ada = await weir.addVisitor()
      const sent = async (headers: Record<string, string>) =>
        (await ada.send('POST', '/api/device/request', { headers, body: { user_code, allow: true } })).json
          .code as string
      // What a foreign page can make a browser send.
      expect(await sent({ 'new-api-user': '' })).toBe('access.user_mismatch')
      expect(await sent({ 'sec-fetch-site': 'cross-site' })).toBe('access.cross_site')
      expect(await sent({ 'content-type': 'text/plain' })).toBe('request.unreadable')
      const [session] = await ada.client.users.sessions()
      await weir.gateway.ports.storage.sessions.update(session!.id, { proven_time: 1 })
      expect(await sent({})).toBe('access.step_up')
      const another = await begin()
      expect(await codeOf(ada.client.devices.answer({ user_code: another.user_code, allow: false }))).toBe('done')
      await weir.changeUser(ada.user.id, { status: 2 })
      expect(await sent({})).toBe('access.banned')
      expect(await codeOf(weir.root.client.devices.request({ user_code }))).toBe('done')
    })

    it.each(['disabled', 'deregistered', 'given a new password', 'rid of the token'])(
      'gets nothing of somebody who is %s meanwhile',
      async (what) => {
        const ada = await weir.addVisitor()
        const { device_code, user_code } = await begin({ scope: 'all' })
        await ada.client.devices.answer({ user_code, allow: true })
        const { id } = ada.user
        if (what === 'disabled') await weir.root.client.users.manage({ id, action: 'disable' })
        if (what === 'deregistered') await weir.root.client.users.manage({ id, action: 'delete' })
        if (what === 'given a new password') await weir.root.client.users.update({ id, password: 'another password' })
        if (what === 'rid of the token') {
          const [token] = await ada.client.users.accessTokens()
          await ada.client.users.deleteAccessToken({ id: token!.id })
        }
        expect(await ask(device_code)).toBe('device.access_denied')
      },
    )

    it('is found by no guess: wrong codes are slowed down, and right ones of the own do not buy more', async () => {
      const ada = await weir.addVisitor()
      const own = await begin()
      await weir.set('ApiRateLimits', { login: [5, 600] })
      const guess = (user_code: string) => codeOf(ada.client.devices.request({ user_code }))
      const seen: (string | undefined)[] = []
      for (const at of Array.from({ length: 12 }, (_, index) => index)) {
        await guess(own.user_code)
        seen.push(await guess(`BBBB-BBB${'BCDFGHJKLMNP'[at]}`))
      }
      expect(seen.filter((code) => code === 'device.missing').length).toBeLessThan(7)
      expect(seen.at(-1)).toBe('limit.requests')
      // Nobody else is.
      expect(await codeOf(weir.root.client.devices.request({ user_code: own.user_code }))).toBe('done')
    })

    it('calls itself by a short plain name, and asks for an end that comes', async () => {
      for (const name of [
        '',
        ' ',
        'x'.repeat(31),
        'a\nb',
        'a\u0000b',
        '\u202eb',
        '\u001b[31mred',
        'a\u200bb',
        '\ud800',
      ])
        expect(await codeOf(begin({ name })), JSON.stringify(name)).not.toBe('done')
      for (const expired_time of [-1, 0, now() - 1, now() + TOKEN_LIFETIME_SECONDS.most + 60, 2 ** 53])
        expect(await codeOf(begin({ expired_time })), String(expired_time)).not.toBe('done')
      for (const scope of [...ACCESS_TOKEN_SCOPES, 'root'])
        expect((await codeOf(begin({ scope }))) === 'done').toBe(scope !== 'root')
      expect(await codeOf(nobody().token({ device_code: 'x'.repeat(101) }))).not.toBe('done')
      expect(await ask('nobody’s')).toBe('device.expired_token')
    })

    it('has a number behind its name where there is one of it, and is refused where there are too many', async () => {
      const ada = await weir.addVisitor()
      const name = `${'x'.repeat(28)}😀`
      for (const _ of [1, 2, 3]) {
        const { user_code } = await begin({ name })
        await ada.client.devices.answer({ user_code, allow: true })
      }
      const names = (await ada.client.users.accessTokens()).map((token) => token.name)
      expect(names).toEqual([name, `${'x'.repeat(28)} 2`, `${'x'.repeat(28)} 3`])
      for (const at of Array.from({ length: 17 }, (_, index) => index))
        await ada.client.users.createAccessToken({ name: `token ${at}` })
      const { device_code, user_code } = await begin()
      expect(await codeOf(ada.client.devices.answer({ user_code, allow: true }))).toBe('access_token.many')
      // Not answered by that.
      expect(await ask(device_code)).toBe('device.authorization_pending')
    })

    it('is limited by where it asks from', async () => {
      await weir.set('ApiRateLimits', { login: [3, 600] })
      const seen = []
      for (const _ of [1, 2, 3, 4]) seen.push(await codeOf(begin()))
      expect(seen).toEqual(['done', 'done', 'done', 'limit.requests'])
    })

    it('tells nobody its secrets: no code is kept that a token could be fetched with', async () => {
      const { device_code } = await begin()
      const { storage, secrets } = weir.gateway.ports
      const row = await storage.devices.find({ device_hash: secrets.hash(device_code) }, 0)
      expect(JSON.stringify(row)).not.toContain(device_code)
      expect(await storage.devices.find({ device_hash: device_code }, 0)).toBeNull()
    })
  },
  { clock },
)
