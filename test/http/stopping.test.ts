// A server that stops: no call begins, those under way have their time, and who is cut is told so in the answer and charged.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const USAGE = { prompt_tokens: 10, completion_tokens: 5 }
let weir: Awaited<ReturnType<typeof openTestGateway>> | undefined
afterEach(async () => {
  await weir?.close().catch(() => undefined)
  weir = undefined
})

async function stopping(seconds: number): Promise<TestGateway> {
  weir = await openTestGateway()
  await weir.set('relay.stop_seconds', seconds)
  await weir.addChannel()
  await weir.addChannel()
  return weir
}

const FORMATS = {
  openai: { path: '/v1/chat/completions', body: { model: 'gpt-4o-mini' }, code: /"code":"server_stopping"/ },
  anthropic: { path: '/v1/messages', body: { model: 'gpt-4o-mini', max_tokens: 50 }, code: /event: error[^]*stopping/ },
}

describe('a server that stops', { timeout: 30_000 }, () => {
  it.each(Object.entries(FORMATS))(
    'tells streams whose time is up so, in %s, and charges what came',
    async (_, format) => {
      const { url, upstream, addCaller, gateway } = await stopping(0)
      const ada = await addCaller({ quota: 1_000_000 })
      upstream.reply(chatStream(['Hello ', 'there ', 'you'], USAGE, { stall: 3 }))
      const answer = send('POST', `${url}${format.path}`, {
        headers: { authorization: `Bearer ${ada.key}`, 'x-api-key': ada.key },
        body: { ...format.body, stream: true, messages: [{ role: 'user', content: 'Hello' }] },
      })
      while (upstream.open === 0) await sleep(10)
      await sleep(100)
      const { storage } = gateway.ports
      const close = storage.close
      // The books are looked at before they are closed.
      let row: { quota: number; other: string } | undefined
      let left = 0
      storage.close = async () => {
        row = (await gateway.client.logs.list({ type: 2 })).items[0]
        left = (await storage.users.find(ada.user.id))?.quota ?? 0
        await close()
      }
      await weir?.stop()
      const { status, text } = await answer
      expect(status).toBe(200)
      expect(text).toContain('there')
      expect(text).toMatch(format.code)
      expect(upstream.requests).toHaveLength(1)
      expect(row?.quota).toBeGreaterThan(0)
      expect(1_000_000 - left).toBe(row?.quota)
      expect(row?.other).toContain('server_stopping')
      expect(row?.other).not.toMatch(/hung_up|bad_response/)
    },
  )

  it('lets those end that have the time, and takes no other', async () => {
    const { url, upstream, addCaller } = await stopping(20)
    const ada = await addCaller({ quota: 1_000_000 })
    upstream.reply(chatReply('Hello', USAGE, { latency_ms: 1_000 }))
    const under = ada.chat()
    while (upstream.open === 0) await sleep(10)
    weir?.gateway.refuseCalls()
    const refused = await ada.chat()
    expect(refused.status).toBe(503)
    expect(refused.json.error).toMatchObject({ code: 'server_stopping' })
    expect(refused.headers['retry-after']).toBe('1')
    await weir?.stop()
    expect((await under).status).toBe(200)
    await expect(send('GET', `${url}/v1/models`)).rejects.toThrow()
  })
})
