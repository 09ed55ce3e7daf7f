// Weir as a function from Request to Response: both streamed, and whoever leaves is known to have left.
import OpenAI from 'openai'
import { beforeAll, expect, it } from 'vitest'
import { createFetchHandler, type FetchHandler } from '../../http/fetch-handler.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { prompt_tokens: 9, completion_tokens: 999 }
const words = Array.from({ length: 200 }, (_, index) => `word ${index} `)

describeWithGateway('the fetch handler', (weir) => {
  let handle: FetchHandler
  beforeAll(() => void (handle = createFetchHandler(weir.gateway, { basePath: '/ai' })))

  const address = 'https://weir.example/ai'
  const call = ({ key }: Caller, init: RequestInit & { duplex?: 'half' } = {}) =>
    new Request(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: weir.model, stream: true, messages }),
      ...init,
    })

  /** A streamed call whose provider has begun and will take long to end. */
  async function begun(ada: Caller, init: RequestInit = {}) {
    weir.upstream.reply(chatStream(words, usage, { gap_ms: 20 }))
    const reader = (await handle(call(ada, init))).body!.getReader()
    await reader.read()
    return { reader, aborted: weir.upstream.aborted }
  }
  const told = (aborted: number) =>
    eventually(
      () => weir.upstream.aborted,
      (count) => count === aborted + 1,
    )

  it('serves an OpenAI client without a network in between', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const openai = new OpenAI({
      baseURL: `${address}/v1`,
      apiKey: ada.key,
      maxRetries: 0,
      fetch: (url, init) => handle(new Request(url, init)),
    })
    weir.upstream.reply(chatStream(['Hello', ' you'], { prompt_tokens: 3, completion_tokens: 2 }))
    let text = ''
    const stream = await openai.chat.completions.create({ model: weir.model, messages, stream: true })
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('Hello you')
    expect(await ada.logs()).toMatchObject([{ type: 2, prompt_tokens: 3, completion_tokens: 2 }])
    await expect(openai.models.retrieve('no-such-model')).rejects.toMatchObject({ status: 404 })
  })

  it('reads a body as it comes', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const parts = [`{"model":"${weir.model}",`, '"messages":[{"role":"user",', '"content":"Hello"}]}']
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(part))
      },
    })
    const answer = await handle(call(ada, { body, duplex: 'half' }))
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
  })

  it('leaves the bytes of a long body to the host', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const long = [{ role: 'user', content: 'Hello '.repeat(100_000) }]
    const sent = { model: weir.model, stream: true, messages: long }
    const bytes = new TextEncoder().encode(JSON.stringify(sent))
    const chunks = [bytes.slice(0, 200_000), bytes.slice(200_000)]
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    weir.upstream.reply(chatStream(['Hello'], usage))
    expect(await (await handle(call(ada, { body, duplex: 'half' }))).text()).toContain('Hello')
    expect(chunks.map(({ length }) => length)).toEqual([200_000, bytes.length - 200_000])
    expect(weir.upstream.requests[0]?.json).toEqual({ ...sent, stream_options: { include_usage: true } })
  })

  it('refuses before a body is sent to its end, and lets go of it', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void (cancelled = true),
    })
    const request = new Request(`${address}/v1/chat/completions`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    expect((await handle(request)).status).toBe(401)
    await eventually(() => cancelled, Boolean)
  })

  it('hangs up where the answer is cancelled', async () => {
    await weir.addChannel()
    const { reader, aborted } = await begun(await weir.addCaller({ quota: 1_000_000 }))
    await reader.cancel()
    await told(aborted)
  })

  it('hangs up where the request is aborted, before an answer and in it', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const during = new AbortController()
    const { reader, aborted } = await begun(ada, { signal: during.signal })
    during.abort()
    await told(aborted)
    await expect(reader.read().then(() => reader.closed)).rejects.toThrow()

    weir.upstream.reply({ stall: 'before_head' })
    const before = new AbortController()
    const answer = handle(call(ada, { signal: before.signal }))
    const open = weir.upstream.requests.length
    await eventually(
      () => weir.upstream.requests.length,
      (count) => count > open - 1 && weir.upstream.open === 1,
    )
    before.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
    await told(aborted + 1)
    await expect(handle(call(ada, { signal: AbortSignal.abort(new Error('never')) }))).rejects.toThrow('never')
  })

  it('keeps cookies apart, empties what has no body, and is nothing beside its path', async () => {
    const signIn = await handle(
      new Request(`${address}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'root', password: 'a root password' }),
      }),
    )
    expect(signIn.headers.getSetCookie()).toEqual(
      ['weir_session', 'weir_known'].map((name) =>
        expect.stringMatching(new RegExp(`^${name}=.*path=/ai;.*secure; httponly$`)),
      ),
    )
    expect(signIn.headers.get('strict-transport-security')).not.toBeNull()
    for (const name of ['connection', 'transfer-encoding']) expect(signIn.headers.has(name)).toBe(false)
    const head = await handle(new Request(`${address}/api/status`, { method: 'HEAD' }))
    expect([head.status, head.body]).toEqual([200, null])
    const page = await handle(new Request(`${address}/`))
    const tag = { 'if-none-match': page.headers.get('etag')! }
    const same = await handle(new Request(`${address}/`, { headers: tag }))
    expect([same.status, same.body]).toEqual([304, null])
    expect((await handle(new Request('https://weir.example/aix'))).status).toBe(404)
    expect((await handle(new Request('https://weir.example/api/status'))).status).toBe(404)
  })

  it('counts the address that the host tells', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000, token: { allow_ips: '192.0.2.7' } })
    const models = (peer?: { address: string }) =>
      handle(new Request(`${address}/v1/models`, { headers: { authorization: `Bearer ${ada.key}` } }), peer)
    expect((await models({ address: '192.0.2.7' })).status).toBe(200)
    expect((await models({ address: '192.0.2.8' })).status).toBe(403)
    expect((await models()).status).toBe(403)
  })
})
