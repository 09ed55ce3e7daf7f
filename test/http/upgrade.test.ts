// Requests that wish for another protocol than HTTP/1.1: JDK's client, `curl --http2` and whatever else asks so.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { describeWithGateway, MODEL } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const WISHES: Record<string, string>[] = [
  { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' },
  { connection: 'upgrade', upgrade: 'TLS/1.2, h2c' },
  { connection: 'keep-alive, Upgrade', upgrade: 'no such protocol' },
]

describeWithGateway('a wish for another protocol', (weir) => {
  async function ask(agent: Agent, method: string, path: string, headers: Record<string, string>, pieces: string[]) {
    const asked = request(`${weir.url}${path}`, { method, agent, headers })
    const answered = once(asked, 'response')
    for (const piece of pieces) asked.write(piece)
    asked.end()
    const [response] = await answered
    return { status: response.statusCode, body: await text(response) }
  }

  it('is ignored on relay, API and console, with a body or without, again and again on one connection', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const json = { 'content-type': 'application/json' }
    const chat = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'x'.repeat(300_000) }] })
    for (const wish of WISHES) {
      const own = { ...json, authorization: `Bearer ${ada.key}`, ...wish }
      const whole = { ...own, 'content-length': String(chat.length) }
      expect(await ask(agent, 'POST', '/v1/chat/completions', whole, [chat])).toMatchObject({ status: 200 })
      const chunked = await ask(agent, 'POST', '/v1/chat/completions', own, [chat.slice(0, 9), chat.slice(9)])
      expect(chunked.body).toContain('Hello')
      expect(await ask(agent, 'GET', '/v1/models', own, [])).toMatchObject({ status: 200 })
      expect(await ask(agent, 'GET', '/api/status', wish, [])).toMatchObject({ status: 200 })
      const signIn = await ask(agent, 'POST', '/api/user/login', { ...json, ...wish }, ['{"username":"nobody"}'])
      expect(JSON.parse(signIn.body)).toMatchObject({ success: false })
      expect(await ask(agent, 'GET', '/', wish, [])).toMatchObject({ status: 200 })
    }
    agent.destroy()
  })

  it('for a WebSocket is none where nothing is got', async () => {
    const wish = { connection: 'Upgrade', upgrade: 'websocket', 'content-type': 'application/json' }
    const answer = await ask(new Agent(), 'POST', '/api/user/login', wish, ['{"username":"nobody"}'])
    expect(JSON.parse(answer.body)).toMatchObject({ success: false })
  })
})
