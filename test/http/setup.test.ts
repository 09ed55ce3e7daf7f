// The first run: who may set Weir up, and that it happens once.
import { afterEach, describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { relayPathDocument } from '../../http/relay-document.ts'
import { freshDatabase } from '../support/postgres.ts'
import { createVisitor, send, startTestServer, type TestServer } from '../support/server.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { listFailures } from '../support/list-failures.ts'
import { sampleCases } from '../support/suite.ts'

const account = { username: 'chief', password: 'a long password', confirmPassword: 'a long password' }

describe.each(listDatabaseKinds())('a new Weir on %s', (kind) => {
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const start = async () =>
    (server = await startTestServer(kind === 'postgres' ? { database: await freshDatabase() } : {}))
  const setup = ({ url, gateway }: TestServer, body: object = {}, headers: Record<string, string> = {}) =>
    send('POST', `${url}/api/setup`, { headers, body: { ...account, code: gateway.setupCode, ...body } })

  it('is set up with the code that its terminal printed, and lets its administrator in', async () => {
    const weir = await start()
    const visitor = createVisitor(weir.url)
    expect(await visitor.client.site.setupStatus()).toEqual({
      status: false,
      root_init: false,
      database_type: kind,
      code_required: true,
    })
    expect((await setup(weir, { SelfUseModeEnabled: true })).json).toMatchObject({ success: true })
    expect(await visitor.client.site.setupStatus()).toEqual({
      status: true,
      root_init: false,
      database_type: '',
      code_required: false,
    })
    expect((await visitor.login(account.username, account.password)).json.data).toMatchObject({ role: 100 })
    expect((await visitor.client.users.self()).quota).toBe(100_000_000)
    expect(await visitor.client.site.status()).toMatchObject({ setup: true, self_use_mode_enabled: true })
    expect((await visitor.client.quota.verify()).ok).toBe(true)
    expect((await setup(weir)).json.code).toBe('setup.done')
  })

  const disguises: Record<string, string>[] = [
    {},
    { host: '127.0.0.1' },
    { host: 'weir.example.com' },
    { host: '192.0.2.1:3000' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
  ]

  it('A9: asks every request over TCP for the code, whatever its headers', async () => {
    const weir = await start()
    const unlimited = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
    await weir.gateway.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(unlimited) })
    const wrong = await listFailures(
      disguises,
      (headers) => JSON.stringify(headers),
      async (headers) => {
        expect((await send('GET', `${weir.url}/api/setup`, { headers })).json.data.code_required).toBe(true)
        for (const code of ['', 'wrong', `${weir.gateway.setupCode}x`, weir.gateway.setupCode.slice(1)]) {
          expect((await setup(weir, { code }, headers)).json.code, code).toBe('setup.not_here')
        }
        const { text } = await send('GET', `${weir.url}/api/setup`, { headers })
        expect(text).not.toContain(weir.gateway.setupCode)
      },
    )
    expect(wrong).toEqual([])
  })

  it.each(sampleCases(disguises.slice(1), 6))('A9: is set up with the code, also with %j', async (headers) => {
    const weir = await start()
    const { json } = await setup(weir, { code: weir.gateway.setupCode }, headers)
    expect(json).toMatchObject({ success: true, data: { id: 1, role: 100 } })
  })

  it('refuses a bad account and stays new', async () => {
    const weir = await start()
    const code = async (body: object) => (await setup(weir, body)).json.code
    expect(await code({ username: ' ' })).toBe('setup.username')
    expect(await code({ password: 'short', confirmPassword: 'short' })).toBe('setup.password_short')
    expect(await code({ confirmPassword: 'another password' })).toBe('setup.password_mismatch')
    expect(await code({ username: 'a name that is too long' })).toBe('user.limits')
    expect((await send('GET', `${weir.url}/api/setup`)).json.data).toMatchObject({ status: false, root_init: false })
  })

  it('A9: is won by one of many who try at once', async () => {
    const weir = await start()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => setup(weir, { username: `chief${index % 4}` })),
    )
    const codes = answers.map(({ json }) => (json.success ? 'won' : json.code)).sort()
    expect(codes).toEqual([...Array<string>(7).fill('setup.done'), 'won'])
    const { items } = await weir.gateway.client.users.list()
    expect(items.filter(({ role }) => role === 100)).toHaveLength(1)
    expect(items).toHaveLength(1)
    expect((await weir.gateway.client.quota.verify()).ok).toBe(true)
  })

  it('answers no public call before it is set up but those that set it up', async () => {
    const weir = await start()
    const open: string[] = []
    for (const [name, { method, path, access, changes }] of endpointsByName) {
      if (access !== 'public' || name === 'site.setup') continue
      const headers: Record<string, string> = changes ? { 'new-api-user': '-1' } : {}
      const body = method === 'POST' ? { body: {} } : {}
      const { json } = await send(method, weir.url + path.replace(/\{\w+\}/g, 'github'), { headers, ...body })
      if (json.code !== 'setup.first') open.push(name)
    }
    expect(open.sort()).toEqual(['site.setupStatus', 'site.status'])
    expect((await setup(weir)).json.success).toBe(true)
    expect((await createVisitor(weir.url).client.pricing.list()).data).toEqual([])
  })

  it('serves nobody before it is set up', async () => {
    const weir = await start()
    const headers = { authorization: 'Bearer sk-x' }
    for (const [path, ways] of Object.entries(relayPathDocument)) {
      for (const way of Object.keys(ways)) {
        const { status } = await send(way.toUpperCase(), weir.url + path.replace(/\{\w+\}/g, 'x'), {
          headers,
          body: {},
        })
        expect([401, 404, 426], `${way} ${path}`).toContain(status)
      }
    }
    for (const path of ['/api/openapi.json', '/api/user/epay/notify', '/api/user/stripe/notify']) {
      const way = path.includes('stripe') ? 'POST' : 'GET'
      expect((await send(way, weir.url + path)).json, path).toMatchObject({ success: false, code: 'setup.first' })
    }
    expect((await send('GET', `${weir.url}/api/user/`)).status).toBe(401)
    expect((await send('GET', `${weir.url}/api/status`)).json.data.setup).toBe(false)
  })
})
