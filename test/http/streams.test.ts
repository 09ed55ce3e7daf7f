// Streams on real sockets: a slow reader holds the provider back, pings keep a silent stream alive.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { responseFaults } from '../conformance/descriptions/check.ts'
import { describeWithGateway, eventually, MODEL, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'
import { chatStream, type TestReply } from '../support/upstream.ts'

const quota = 1_000_000_000
const MIB = 1024 * 1024

const messages = [{ role: 'user', content: 'Hello' }]

/** Streams of each format, which a channel of OpenAI's has to be translated for; `end` is what stands at their end. */
const formats: Record<'chat' | 'messages' | 'a Gemini array', { path: string; body: object; end: string }> = {
  chat: { path: '/v1/chat/completions', body: { stream: true, messages }, end: 'data: [DONE]' },
  messages: { path: '/v1/messages', body: { stream: true, max_tokens: 9000, messages }, end: '"message_stop"' },
  'a Gemini array': {
    path: `/v1beta/models/${MODEL}:streamGenerateContent`,
    body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    end: ']',
  },
}

/** A streamed call whose answer is not read until asked for. */
function unread(weir: TestGateway, { key }: Caller, { path, body } = formats.chat): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${weir.url}${path}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    })
    request.on('response', resolve).on('error', reject)
    request.end(JSON.stringify({ model: weir.model, ...body }))
  })
}

/** The same reply, counting the chunks that have been handed to the network. */
function counted(reply: TestReply): { reply: TestReply; handed: () => number } {
  let handed = 0
  const chunks = [...reply.chunks!]
  function* counting(): Generator<[number, string | Uint8Array], undefined> {
    for (const [index, chunk] of [...chunks].entries()) {
      handed = index
      yield [index, chunk]
    }
  }
  Object.assign(chunks, { entries: counting })
  return { reply: { ...reply, chunks }, handed: () => handed }
}

/** Waits until what lies between has filled up: socket buffers and a little of our own. Returns how much was handed out. */
async function waitUntilHeldBack(handed: () => number): Promise<number> {
  let last = -1
  let unchanged = 0
  await eventually(
    async () => {
      const now = handed()
      unchanged = now > 0 && now === last ? unchanged + 1 : 0
      last = now
      await sleep(200)
      return unchanged >= 3
    },
    Boolean,
    30_000,
  )
  return last
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is really kept: what waits to be collected is not. */
function heldBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describeWithGateway('a slow reader', (weir) => {
  // In `npm test` one format as the channel answers, and one that is translated into an array.
  const reads = sampleCases(Object.entries(formats), 2)
  it.each(reads)('of %s holds the provider back, costs little memory, and gets everything', async (_, format) => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const total = 120
    const text = 'x'.repeat(512 * 1024)
    const { reply, handed } = counted(
      chatStream(Array<string>(total).fill(text), { prompt_tokens: 9, completion_tokens: 5000 }),
    )
    weir.upstream.reply(reply)
    const before = heldBytes()
    const answer = await unread(weir, ada, format)
    const taken = await waitUntilHeldBack(handed)
    expect(taken).toBeLessThan(total * 0.75)
    await sleep(500)
    expect(handed()).toBe(taken)
    expect(heldBytes() - before).toBeLessThan(36 * MIB)

    let size = 0
    let tail = ''
    for await (const run of answer) {
      size += (run as Buffer).length
      tail = (tail + String(run)).slice(-200)
    }
    expect(size).toBeGreaterThan(total * text.length)
    expect(tail).toContain(format.end)
    expect((await ada.logs())[0]).toMatchObject({ type: 2, completion_tokens: 5000 })
  })

  it('who gives up is charged for what had been taken for them', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const { reply, handed } = counted(chatStream(Array<string>(120).fill('y'.repeat(512 * 1024))))
    weir.upstream.reply(reply)
    const answer = await unread(weir, ada)
    answer.on('error', () => undefined)
    await waitUntilHeldBack(handed)
    const aborted = weir.upstream.aborted
    answer.destroy()
    await eventually(
      () => weir.upstream.aborted,
      (count) => count === aborted + 1,
    )
    const [row] = await eventually(
      () => ada.logs(),
      (rows) => rows.length === 1,
    )
    expect(row!.quota).toBeGreaterThan(0)
    expect((await ada.balances()).quota).toBe(quota - row!.quota)
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  })
})

describeWithGateway('pings', (weir) => {
  const PING = ': PING\n\n'
  const usage = { prompt_tokens: 100, completion_tokens: 10 }
  const failing: TestReply = { status: 500, body: { error: { message: 'out of order', type: 'server_error' } } }

  const prepare = async () => {
    await weir.set('general_setting.ping_interval_enabled', true)
    await weir.set('general_setting.ping_interval_seconds', 1)
    return weir.addCaller({ quota })
  }

  it('come before the first content of a slow provider, and in its pauses', async () => {
    const ada = await prepare()
    await weir.addChannel()
    weir.upstream.reply(chatStream(['Hello'], usage, { latency_ms: 1300 }))
    const answer = await ada.chat({ stream: true })
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(answer.text.startsWith(PING)).toBe(true)
    expect(answer.text.indexOf('Hello')).toBeGreaterThan(0)
    expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect((await ada.logs())[0]).toMatchObject({ quota: weir.due({ prompt: 100, completion: 10 }) })
  })

  it('let another channel take over', async () => {
    const ada = await prepare()
    await weir.addChannel({ priority: 5 })
    await weir.addChannel()
    weir.upstream.reply((_, turn) => (turn === 0 ? { ...failing, latency_ms: 1300 } : chatStream(['Hello'], usage)))
    const answer = await ada.chat({ stream: true })
    expect(answer.text.startsWith(PING)).toBe(true)
    expect(answer.text).toContain('Hello')
    expect(answer.text).not.toContain('out of order')
  })

  it('turn the failure of all channels into an error event, for which nothing is charged', async () => {
    const ada = await prepare()
    await weir.addChannel()
    weir.upstream.reply({ ...failing, latency_ms: 1300 })
    const answer = await ada.chat({ stream: true })
    expect(answer.status).toBe(200)
    const events = answer.text.split('\n\n').filter((event) => event.startsWith('data:'))
    expect(events).toHaveLength(1)
    const { error } = JSON.parse(events[0]!.slice(5))
    expect(error).toMatchObject({ type: 'server_error' })
    expect(error.message).toBe(`out of order (request id: ${answer.headers['x-request-id']})`)
    expect((await ada.balances()).quota).toBe(quota)
    await expect(async () => {
      const stream = await ada.openai.chat.completions.create({
        model: weir.model,
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
      })
      for await (const _ of stream);
    }).rejects.toThrow('out of order')
  })

  it('turn it into an error and a failed response for a caller of Responses', async () => {
    const ada = await prepare()
    await weir.addChannel()
    weir.upstream.reply({ ...failing, latency_ms: 1300 })
    const answer = await send('POST', `${weir.url}/v1/responses`, {
      headers: { authorization: `Bearer ${ada.key}` },
      body: { model: weir.model, input: 'Hello', instructions: 'Be brief.', stream: true },
    })
    expect(answer.text.startsWith(PING)).toBe(true)
    const events = answer.text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    expect(events).toMatchObject([
      { type: 'error', sequence_number: 0, message: expect.stringContaining('out of order') },
      {
        type: 'response.failed',
        sequence_number: 1,
        response: { status: 'failed', output: [], error: { code: 'server_error' } },
      },
    ])
    expect(responseFaults(events[1].response)).toEqual([])
    expect(events[1].response).toMatchObject({ model: weir.model, instructions: 'Be brief.' })
    expect((await ada.balances()).quota).toBe(quota)
  })

  it('do not hide a failure that comes sooner, nor touch an answer that is not streamed', async () => {
    const ada = await prepare()
    await weir.addChannel()
    weir.upstream.reply(failing)
    expect((await ada.chat({ stream: true })).status).toBe(500)
    weir.upstream.reply({ ...failing, latency_ms: 1300 })
    const whole = await ada.chat()
    expect(whole.status).toBe(500)
    expect(whole.text).not.toContain('PING')
  })
})
