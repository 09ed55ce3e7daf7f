// The address of a client behind proxies, which no other client can claim.
import { describe, expect, it, test } from 'vitest'
import { findClientAddress, getTrustedProxies } from '../../http/peer.ts'
import { describeWithOwnGateway, ROOT } from '../support/gateway.ts'
import { createVisitor, send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const PROXIES = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

describe('the address of a request', () => {
  test.each([
    ['without the setting is who is connected, whatever a header says', '10.0.0.1', '203.0.113.9', [], '10.0.0.1'],
    ['from nobody trusted is who is connected', '198.51.100.1', '203.0.113.9', PROXIES, '198.51.100.1'],
    ['through one proxy is the one it names', '10.0.0.1', '203.0.113.9', PROXIES, '203.0.113.9'],
    ['written by the client itself is not believed', '10.0.0.1', '1.1.1.1, 203.0.113.9', PROXIES, '203.0.113.9'],
    ['through two proxies passes both', '10.0.0.1', '203.0.113.9, 192.0.2.7', PROXIES, '203.0.113.9'],
    ['goes no further than the first stranger', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.2.2.2', PROXIES, '203.0.113.9'],
    ['of a proxy itself is its own', '10.0.0.1', '10.0.0.9', PROXIES, '10.0.0.9'],
    ['may come with a port', '10.0.0.1', '203.0.113.9:4711', PROXIES, '203.0.113.9'],
    ['may be IPv6, with a port too', 'fd00::1', '[2001:db8::9]:4711', PROXIES, '2001:db8::9'],
    ['may be IPv4 written inside IPv6', '::ffff:10.0.0.1', '::ffff:203.0.113.9', PROXIES, '203.0.113.9'],
    ['stays where the list is not one of addresses', '10.0.0.1', '203.0.113.9, unknown', PROXIES, '10.0.0.1'],
    ['stays where the list is empty', '10.0.0.1', '', PROXIES, '10.0.0.1'],
    ['without the header is the proxy', '10.0.0.1', undefined, PROXIES, '10.0.0.1'],
    ['takes no markup for an address', '10.0.0.1', "203.0.113.9' or '1'='1", PROXIES, '10.0.0.1'],
  ])('%s', (_, remote, forwarded, trusted, address) => {
    expect(findClientAddress(remote, forwarded, getTrustedProxies({ TrustedProxies: trusted }))).toBe(address)
  })
})

describeWithOwnGateway('behind a proxy', (weir) => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const off = { api: [0, 60], login: [0, 60], login_failures: [0, 60] }

  it('a session, a limit and a token see the client, once the proxy is trusted', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const ada = await weir.addCaller({ quota: 1_000_000, token: { allow_ips: '203.0.113.0/24' } })
    const chat = async (headers: Record<string, string>) => (await ada.chat({}, headers)).status
    const login = async (address: string, password = ada.password) => {
      const visitor = createVisitor(weir.url)
      const asked = { headers: from(address), body: { username: ada.user.username, password } }
      const { status, json } = await visitor.send('POST', '/api/user/login', asked)
      return { status, json, visitor }
    }
    const seen = async () => (await weir.gateway.ports.storage.sessions.listOfUser(ada.user.id, 0))[0]?.ip

    // Nobody is trusted: what anybody claims is nothing.
    expect(await chat(from('203.0.113.9'))).toBe(403)
    await login('203.0.113.9')
    expect(await seen()).toBe('127.0.0.1')
    await weir.set('ApiRateLimits', { ...off, login: [2, 60] })
    const statuses: number[] = []
    for (const n of [1, 2, 3]) statuses.push((await login(`203.0.113.${n}`, 'a wrong one')).status)
    expect(statuses).toEqual([200, 200, 429])

    await weir.set('TrustedProxies', ['127.0.0.1', '::1'])
    expect(await chat(from('203.0.113.9'))).toBe(200)
    expect(await chat(from('203.0.113.9, 198.51.100.1'))).toBe(403)
    expect(await chat({})).toBe(403)
    expect((await login('203.0.113.200')).status).toBe(200)
    const listed = await weir.gateway.ports.storage.sessions.listOfUser(ada.user.id, 0)
    expect(listed.map(({ ip }) => ip)).toContain('203.0.113.200')
    // Each client has a limit of its own, whatever it puts in front.
    const guesses = ['9.9.9.1, 203.0.113.77', '9.9.9.2, 203.0.113.77', '9.9.9.3, 203.0.113.77']
    const more: number[] = []
    for (const guess of guesses) more.push((await login(guess, 'a wrong one')).status)
    expect(more).toEqual([200, 200, 429])
  })

  it('cookies are for encrypted connections alone where the proxy says that the browser has one', async () => {
    const secure = async (proto: string) => {
      const asked = { headers: { 'x-forwarded-proto': proto }, body: ROOT }
      const { headers } = await createVisitor(weir.url).send('POST', '/api/user/login', asked)
      return /; secure/i.test(String(headers['set-cookie']))
    }
    expect(await secure('https')).toBe(false)
    await weir.set('TrustedProxies', ['127.0.0.1'])
    expect([await secure('https'), await secure('http'), await secure('http, https')]).toEqual([true, false, false])
    await weir.set('TrustedProxies', [])
    await weir.set('ServerAddress', 'https://weir.example')
    expect(await secure('http')).toBe(true)
  })

  it('who claims to be this machine through it is not taken for it', async () => {
    await weir.set('TrustedProxies', ['127.0.0.1'])
    await weir.set('ApiRateLimits', { ...off, api: [1, 60] })
    const ask = async (headers: Record<string, string>) =>
      (await send('GET', `${weir.url}/api/status`, { headers })).status
    expect([await ask(from('127.0.0.1')), await ask(from('127.0.0.1'))]).toEqual([200, 429])
    expect([await ask({}), await ask({})]).toEqual([200, 200])
  })

  it('only the super administrator says who is trusted, and only by addresses', async () => {
    const boss = await weir.addVisitor({ patch: { role: 10 } })
    const set = async (who: typeof weir.root, value: string) =>
      (await who.send('PUT', '/api/option/', { body: { key: 'TrustedProxies', value } })).json.code
    expect(await set(boss, '["127.0.0.1"]')).toBe('setting.root_only')
    for (const bad of ['["proxy.example"]', '["10.0.0.0/33"]', '"10.0.0.1"', '[true]', 'all']) {
      expect(await set(weir.root, bad), bad).toMatch(/^(setting\.shape|json\.invalid)$/)
    }
    expect(weir.gateway.settings().TrustedProxies).toEqual([])
  })
})
