// The test upstream itself: what relay tests lean on.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { chatReply, chatStream, errorPage, startUpstream, tooMany } from '../support/upstream.ts'

const upstream = await startUpstream()
afterAll(() => upstream.close())
beforeEach(() => void upstream.requests.splice(0))

const post = (body: unknown, signal?: AbortSignal) =>
  fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body), signal })

describe('the test upstream', () => {
  it('answers as told and remembers what it was asked', async () => {
    upstream.reply(chatReply('hi', { prompt_tokens: 1, completion_tokens: 1 }))
    expect(await (await post({ model: 'm' })).json()).toMatchObject({ choices: [{ message: { content: 'hi' } }] })
    expect(upstream.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', json: { model: 'm' } }])
    upstream.reply((_, turn) => (turn === 1 ? tooMany('7') : errorPage()))
    const limited = await post({})
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    expect((await post({})).status).toBe(500)
    await upstream.idle()
    expect(upstream.aborted).toBe(0)
  })

  it('streams chunk by chunk and breaks off', async () => {
    upstream.reply(chatStream(['a', 'b'], undefined, { gap_ms: 1 }))
    expect(await (await post({})).text()).toMatch(/"a".*"b".*\[DONE\]\n\n$/s)
    upstream.reply(chatStream(['a', 'b'], undefined, { reset: 2 }))
    await expect((await post({})).text()).rejects.toThrow()
    upstream.reply({ reset: 'before_head' })
    await expect(post({})).rejects.toThrow()
  })

  it('counts those who hang up', async () => {
    const before = upstream.aborted
    upstream.reply(chatStream(['a'], undefined, { stall: 1 }))
    const caller = new AbortController()
    const reply = await post({}, caller.signal)
    await reply.body!.getReader().read()
    expect(upstream.open).toBe(1)
    caller.abort()
    await upstream.idle()
    expect(upstream.aborted).toBe(before + 1)
  })
})
