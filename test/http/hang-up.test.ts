// A caller who hangs up: the provider's connection ends within a second, and what was received is charged.
import { request as httpRequest } from 'node:http'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually, type TestGateway } from '../support/gateway.ts'
import { chatStream } from '../support/upstream.ts'

const quota = 1_000_000
const texts = Array.from({ length: 200 }, (_, index) => `word ${index} `)

/** A streamed call that can be cut like a cable; resolves at its end or cut. */
function call(weir: TestGateway, { key }: Caller) {
  const request = httpRequest(`${weir.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  let received = ''
  request.on('error', () => undefined)
  request.on('response', (response) => {
    response.on('error', () => undefined)
    response.on('data', (run: Buffer) => (received += run.toString()))
  })
  request.end(JSON.stringify({ model: weir.model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }))
  return { received: () => received, cut: () => request.destroy() }
}

describeWithGateway('a caller who hangs up', (weir) => {
  const verified = async () => (await weir.gateway.client.quota.verify()).open_holds === 0

  it('before the first content ends the provider’s work and pays nothing', async () => {
    await weir.addChannel()
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ stall: 'before_head' })
    const cable = call(weir, ada)
    await eventually(
      () => weir.upstream.requests.length,
      (count) => count === 1,
    )
    const aborted = weir.upstream.aborted
    cable.cut()
    await eventually(
      () => weir.upstream.aborted,
      (count) => count === aborted + 1,
      1000,
    )
    await eventually(verified, Boolean)
    expect(await ada.balances()).toMatchObject({ quota, used_quota: 0, request_count: 0 })
    // Nobody is there to be served by another channel.
    expect(weir.upstream.requests).toHaveLength(1)
    const [row] = await eventually(
      () => ada.logs(),
      (rows) => rows.length === 1,
    )
    expect(row).toMatchObject({
      type: 5,
      quota: 0,
      content: expect.stringMatching(/^The caller hung up after \d+ seconds$/),
    })
    expect(JSON.parse(row!.other)).toMatchObject({ error_code: 'client_closed_request', status_code: 499 })
  })

  it('after the first content pays for what was received, as an estimate', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatStream(texts, { prompt_tokens: 9, completion_tokens: 999 }, { gap_ms: 20 }))
    const cable = call(weir, ada)
    await eventually(cable.received, (text) => text.includes('word 5 '))
    const aborted = weir.upstream.aborted
    cable.cut()
    await eventually(
      () => weir.upstream.aborted,
      (count) => count === aborted + 1,
      1000,
    )
    const [row] = await eventually(
      () => ada.logs(),
      (rows) => rows.length === 1,
    )
    expect(row).toMatchObject({ type: 2, is_stream: true })
    expect(JSON.parse(row!.other)).toMatchObject({ estimated: true, cut_short: 'the caller hung up' })
    // About six of two hundred words.
    expect(row!.completion_tokens).toBeGreaterThan(5)
    expect(row!.completion_tokens).toBeLessThan(60)
    const due = weir.due({ prompt: row!.prompt_tokens, completion: row!.completion_tokens })
    expect(await ada.balances()).toMatchObject({ quota: quota - due, used_quota: due, request_count: 1 })
    await eventually(verified, Boolean)
  })

  it('because its library gives up leaves a row that says so', async () => {
    await weir.addChannel()
    await weir.set('relay.hang_up_seconds', 1)
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ stall: 'before_head' })
    const patience = new AbortController()
    const asked = ada.openai.chat.completions.create(
      { model: weir.model, messages: [{ role: 'user', content: 'Hello' }] },
      { signal: patience.signal },
    )
    const given = expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await eventually(
      () => weir.upstream.requests.length,
      (count) => count === 1,
    )
    patience.abort()
    await given
    const [row] = await eventually(
      () => ada.logs(),
      (rows) => rows.length === 1,
    )
    expect(row).toMatchObject({ type: 5, quota: 0, content: expect.stringContaining('The caller hung up') })
    expect(await ada.balances()).toMatchObject({ quota })
  })

  it('while a request is still being sent costs nothing and leaves nothing behind', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const request = httpRequest(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: ada.key, 'content-length': '5000' },
    })
    request.on('error', () => undefined)
    request.write('{"model":')
    await new Promise((resolve) => setTimeout(resolve, 100))
    request.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await ada.balances()).toMatchObject({ quota, request_count: 0 })
    expect(weir.upstream.requests).toHaveLength(0)
    expect(await verified()).toBe(true)
  })
})
