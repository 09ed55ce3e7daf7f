// Channels that an administrator points into a private network: no request of theirs gets there, whatever kind it is.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { allProviders } from '../../core/providers/index.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { sampleCases } from '../support/suite.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** A server that counts the connections and the requests that come, and refuses all of them. */
async function startTrap() {
  const server = createServer((_, response) => {
    trap.connections += 1
    response.writeHead(400, { connection: 'close' }).end('{}')
  })
  const trap = { connections: 0, url: '' }
  server
    .on('connection', () => (trap.connections += 1))
    .on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 No\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  trap.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(() => void (server.closeAllConnections(), server.close()))
  return trap
}

/** Keys in the forms that providers want; addresses in them lead to this machine too. */
const KEYS: Record<number, string> = {
  15: 'id|secret',
  18: 'app|secret|key',
  23: 'app|id|secret',
  33: 'token|us-east-1',
}

const HELLO = [{ role: 'user', content: 'hi' }]

describeWithGateway('channels of administrators', (weir) => {
  const channels = () => weir.gateway.client.channels
  const stored = async (id: number) => (await weir.gateway.ports.storage.channels.find(id))!

  it('reach no private network by any kind of request that a channel makes, while those of root do', async () => {
    const trap = await startTrap()
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const ada = await weir.addCaller({ quota: 10_000_000 })
    const wrong: string[] = []
    const post = (path: string, body: object) =>
      ada.openai.post(new URL(path, ada.openai.baseURL).href, { body, maxRetries: 0 }).then(
        () => undefined,
        () => undefined,
      )
    const reached = new Set<string>()
    const kinds = sampleCases(
      allProviders.filter(({ answer, retired }) => !answer && !retired),
      2,
    )
    for (const { type, id: name, balance, models_path, tasks = [] } of kinds) {
      const form = {
        ...{
          name,
          type,
          key: KEYS[type] ?? 'key',
          base_url: trap.url,
          other: 'us-east1',
          group: 'default',
          auto_ban: 0,
        },
        models:
          'probe-model,claude-sonnet-4-5,gemini-2.5-pro,text-embedding-3-small,suno_music,mj_imagine,gpt-realtime',
      }
      const as = { root: weir.root, admin } as const
      for (const setter of ['root', 'admin'] as const) {
        const made = await as[setter].send('POST', '/api/channel/', { body: form })
        if (made.json.success !== true) continue
        const page = await channels().list({ p: 0, page_size: 1, sort: '-id' })
        const id = page.data[0]!.id
        const asked: Record<string, () => Promise<unknown>> = {
          test: () => as[setter].send('GET', `/api/channel/test/${id}?model=probe-model`),
          ...(balance ? { balance: () => as[setter].send('GET', `/api/channel/update_balance/${id}`) } : {}),
          ...(models_path ? { models: () => as[setter].send('GET', `/api/channel/fetch_models/${id}`) } : {}),
          trial: () => as[setter].send('POST', '/api/channel/try', { body: { ...form, model: 'probe-model' } }),
          chat: () => ada.chat({ model: 'claude-sonnet-4-5', stream: true }),
          embeddings: () => post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }),
          count: () =>
            post('/v1/messages/count_tokens', { model: 'claude-sonnet-4-5', messages: HELLO, max_tokens: 9 }),
          ...(tasks.length > 0 ? { task: () => post('/suno/submit/music', { prompt: 'a ferry' }) } : {}),
        }
        for (const [kind, ask] of Object.entries(asked)) {
          trap.connections = 0
          await ask()
          if (setter === 'root' && trap.connections > 0) reached.add(kind)
          if (setter === 'admin' && trap.connections > 0) wrong.push(`${name}: ${kind}`)
        }
        await channels().delete({ id })
      }
    }
    expect(wrong).toEqual([])
    expect([...reached].sort()).toEqual(
      expect.arrayContaining(['balance', 'chat', 'count', 'embeddings', 'models', 'test', 'trial']),
    )
  })

  it('are told so, and reach what root lists', async () => {
    const trap = await startTrap()
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const form = { name: 'mine', type: 1, key: 'k', base_url: trap.url, models: 'probe-model' }
    const tried = async () => (await admin.send('POST', '/api/channel/try', { body: form })).json
    expect((await tried()).message).toContain('ChannelNetworks')
    expect(trap.connections).toBe(0)
    const listed = { key: 'ChannelNetworks', value: '["127.0.0.0/8"]' }
    expect((await admin.send('PUT', '/api/option/', { body: listed })).json.success).toBe(false)
    await weir.set('ChannelNetworks', listed.value)
    await tried()
    expect(trap.connections).toBeGreaterThan(0)
    await weir.set('ChannelNetworks', '[]')
    expect((await tried()).message).toContain('ChannelNetworks')
  })

  it('are those whose address, proxy or type an administrator set last; what stays as it was sets nothing', async () => {
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const { id, base_url } = await weir.addChannel()
    const set = async (who: typeof admin | typeof weir.root, body: object) => {
      const { json } = await who.send('PUT', '/api/channel/', { body: { id, key: 'k', ...body } })
      return json.success === true ? (await stored(id)).address_by : json.message
    }
    expect((await stored(id)).address_by).toBe('root')
    const steps = [
      [admin, { weight: 3, base_url }, 'root'],
      [admin, { base_url: 'https://other.example' }, 'admin'],
      [weir.root, { weight: 4, base_url: 'https://other.example' }, 'admin'],
      [weir.root, { base_url }, 'root'],
      [admin, { setting: '{"proxy":"http://proxy.example"}' }, 'admin'],
      [weir.root, { setting: '' }, 'root'],
      [admin, { type: 43 }, 'admin'],
      [weir.root, { type: 1 }, 'root'],
    ] as const
    for (const [who, body, expected] of steps) expect(await set(who, body), JSON.stringify(body)).toBe(expected)
    expect((await stored(id)).status).toBe(CHANNEL_STATUS.enabled)
  })
})
