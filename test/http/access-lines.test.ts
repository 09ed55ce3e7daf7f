// The access log: one line for each call, with numbers and names, and nothing that is secret; slow calls; ids that callers name.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeWithGateway, describeWithOwnGateway, eventually } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import type { Json } from '../support/json.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-access-'))
const access_log = join(folder, 'access.log')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = () => {
  try {
    return readFileSync(access_log, 'utf8')
  } catch {
    return ''
  }
}
const lineOf = async (request_id: unknown): Promise<Json> => {
  const all = () =>
    text()
      .split('\n')
      .filter((line) => line.includes(`"${String(request_id)}"`))
  const [line] = await eventually(all, (found) => found.length > 0)
  return JSON.parse(line!)
}

describeWithOwnGateway(
  'the access log',
  (weir) => {
    it('has a call with what it used and cost', async () => {
      const channel = await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(chatStream(['Hello'], { prompt_tokens: 30, completion_tokens: 20 }))
      const { headers } = await ada.chat({ stream: true, stream_options: { include_usage: true } })
      expect(await lineOf(headers['x-request-id'])).toMatchObject({
        ...{ method: 'POST', route: '/v1/chat/completions', status: 200, model: weir.model, stream: true, attempts: 1 },
        ...{ channel_id: channel.id, user_id: ada.user.id, token_id: ada.token.id, group: 'default' },
        ...{ prompt_tokens: 30, completion_tokens: 20, quota: weir.due({ prompt: 30, completion: 20 }) },
        ...{ ms: expect.any(Number), first_content_ms: expect.any(Number), time: expect.stringMatching(/Z$/) },
      })
    })

    it('has refusals with why, and nothing that an address or a header holds', async () => {
      const asked = { headers: { authorization: 'Bearer sk-secret-in-header' }, body: {} }
      const paths = {
        '/v1/chat/completions?key=sk-secret': '/v1/chat/completions',
        '/v1beta/models/secret-name:generateContent?key=sk-secret': '/v1beta/models/{model}:generateContent',
        '/v1/secret-path': 'other',
        '/tasks/notify/secret0123456789': '/tasks/notify/{key}',
        '/api/user/self?token=secret': 'other',
      }
      for (const [path, route] of Object.entries(paths)) {
        const { status, headers } = await send('POST', weir.url + path, asked)
        const line = await lineOf(headers['x-oneapi-request-id'])
        expect(line).toMatchObject({ method: 'POST', status })
        if (!path.startsWith('/api')) expect(line.route).toBe(route)
      }
      expect(text()).not.toContain('secret')
    })

    it('has the model of a call that was refused, before or after its body was read', async () => {
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const expired = await weir.addCaller({ quota: 1_000_000, token: { expired_time: 1_000_000 } })
      for (const [caller, error] of [
        [ada, 'model_not_found'],
        [expired, 'invalid_api_key'],
      ] as const) {
        const { headers } = await caller.chat({ model: 'not-there', stream: true })
        expect(await lineOf(headers['x-request-id'])).toMatchObject({
          ...{ model: 'not-there', operation: 'chat', stream: true, group: 'default', error },
          ...{ user_id: caller.user.id, token_id: caller.token.id },
        })
      }
      const path = `${weir.url}/v1beta/models/not-there:generateContent`
      const { headers } = await send('POST', path, { headers: { 'x-goog-api-key': expired.key }, body: {} })
      expect(await lineOf(headers['x-request-id'])).toMatchObject({ model: 'not-there', error: 'invalid_api_key' })
    })

    it('has calls of the API by their endpoint, and who asked', async () => {
      const { headers } = await weir.root.send('GET', '/api/channel/999999?key=secret')
      expect(await lineOf(headers['x-oneapi-request-id'])).toMatchObject({
        ...{ method: 'GET', route: '/api/channel/{id}', user_id: weir.rootId, error: 'channel.missing' },
      })
    })

    it('has who left, with what came until then', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(chatStream(['Hello', ' you'], undefined, { stall: 2 }))
      const gone = new AbortController()
      const response = await fetch(`${weir.url}/v1/chat/completions`, {
        ...{ method: 'POST', signal: gone.signal },
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: weir.model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.body!.getReader().read()
      gone.abort()
      expect(await lineOf(response.headers.get('x-request-id'))).toMatchObject({
        status: 200,
        left: true,
        came: 'cut_short',
      })
    })
  },
  { access_log },
)

describeWithGateway('request ids of callers', (weir) => {
  const named = 'trace:0af7651916cd43dd.1_x-9'

  it('are new where nobody said that callers may name them', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { headers } = await ada.chat({}, { 'x-request-id': named })
    expect(headers['x-request-id']).not.toBe(named)
    expect(weir.upstream.requests[0]!.headers['x-request-id']).toBeUndefined()
  })

  it('are theirs where they may: in the answer, the log, the error, and what the provider is sent', async () => {
    await weir.set('relay.share_request_ids', true)
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const { headers } = await ada.chat({}, { 'x-request-id': named })
    expect([headers['x-request-id'], headers['x-oneapi-request-id'], headers['request-id']]).toEqual([
      named,
      named,
      named,
    ])
    expect(weir.upstream.requests[0]!.headers['x-request-id']).toBe(named)
    expect((await ada.logs())[0]?.request_id).toBe(named)
    const refused = await ada.chat({ model: 'nobody-has-it' }, { 'x-request-id': named })
    expect(refused.json.error.message).toContain(`(request id: ${named})`)
  })

  it.each(['short', 'x'.repeat(129), 'with space', 'quo"te-0123', 'semi;colon-0', 'ünicode-0123'])(
    'are new where what they name is none: %s',
    async (bad) => {
      await weir.set('relay.share_request_ids', true)
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const { headers } = await ada.chat({}, { 'x-request-id': Buffer.from(bad).toString('latin1') })
      expect(headers['x-request-id']).toMatch(/^\d{17}\w{12}$/)
    },
  )
})
