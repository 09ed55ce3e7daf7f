// A server plays calls to itself before it reports ready, and nobody is charged for them.
import { afterEach, expect, it } from 'vitest'
import { createUpstream } from '../../core/adapters/upstream.ts'
import type { UpstreamRequest } from '../../core/ports/upstream.ts'
import { warmUpRelay } from '../../http/start.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

/** A server whose calls to anybody are noted. */
async function watched() {
  const real = createUpstream()
  const asked: UpstreamRequest[] = []
  const upstream: typeof real = {
    ...real,
    send(request, signal) {
      asked.push(request)
      return real.send(request, signal)
    },
  }
  server = await startTestServer({ upstream })
  return { gateway: server.gateway, asked }
}

const root = { username: 'root', password: 'a root password', confirmPassword: 'a root password' }

it('plays whole and streamed calls through the relay, on this machine, and keeps nothing of them', async () => {
  const { gateway, asked } = await watched()
  await gateway.client.site.setup(root)
  const before = await gateway.client.users.list({})
  await warmUpRelay(gateway)

  const relayed = asked.filter(({ url }) => url.includes('/provider/'))
  expect(relayed.length).toBeGreaterThan(50)
  // Each went in at the door and out to the provider: nothing was refused or tried twice.
  expect(asked.length).toBe(relayed.length * 2)
  expect(asked.every(({ url }) => url.startsWith('http://127.0.0.1:'))).toBe(true)
  const texts = relayed.map(({ body }) => new TextDecoder().decode(body))
  expect(texts.some((text) => text.includes('"stream":true'))).toBe(true)
  expect(texts.some((text) => text.includes('"stream":false'))).toBe(true)

  expect((await gateway.client.users.list({})).items).toEqual(before.items)
  expect((await gateway.client.logs.list({ type: 2 })).items).toEqual([])
  expect((await gateway.client.logs.list({ type: 5 })).items).toEqual([])
  expect(await gateway.client.quota.verify({})).toMatchObject({ ok: true, open_holds: 0 })
})

it('has nothing to play before somebody is there to call', async () => {
  const { gateway, asked } = await watched()
  await warmUpRelay(gateway)
  expect(asked).toEqual([])
})
