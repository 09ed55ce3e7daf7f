// More calls than a process takes are refused before they cost anything, and whoever has many leaves room for others.
import { expect, it } from 'vitest'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const USAGE = { prompt_tokens: 10, completion_tokens: 5 }

describeWithGateway('more calls than there is room for', (weir) => {
  it('are told to try again, and others are served beside them', async () => {
    await weir.addChannel()
    await weir.set('relay.max_calls', 4)
    const [ada, bob, carl] = [
      await weir.addCaller({ quota: 1_000_000 }),
      await weir.addCaller({ quota: 1_000_000 }),
      await weir.addCaller({ quota: 1_000_000 }),
    ]
    const slow = chatStream(['Hello ', 'there'], USAGE, { gap_ms: 300 })
    weir.upstream.reply(slow)
    const open = [ada.chat({ stream: true }), ada.chat({ stream: true })]
    await eventually(
      () => weir.upstream.open,
      (count) => count === 2,
    )
    const refused = await ada.chat()
    expect(refused).toMatchObject({ status: 503, json: { error: { code: 'server_busy' } } })
    expect(refused.headers['retry-after']).toBe('1')
    open.push(bob.chat({ stream: true }), bob.chat({ stream: true }))
    await eventually(
      () => weir.upstream.open,
      (count) => count === 4,
    )
    expect((await carl.chat()).status).toBe(503)
    expect(weir.upstream.requests.length).toBe(4)
    for (const answer of await Promise.all(open)) expect(answer.text).toContain('[DONE]')
    weir.upstream.reply(chatReply('Hello', USAGE))
    for (const caller of [ada, bob, carl]) expect((await caller.chat()).status).toBe(200)
    expect(await carl.logs()).toHaveLength(1)
  })

  it('are counted no more where their callers leave', async () => {
    await weir.addChannel()
    await weir.set('relay.max_calls', 2)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (let turn = 0; turn < 3; turn++) {
      weir.upstream.reply({ stall: 'before_head' })
      const { length } = weir.upstream.requests
      const left = new AbortController()
      const call = fetch(`${weir.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: weir.model, messages: [{ role: 'user', content: 'Hello' }] }),
        signal: left.signal,
      })
      await eventually(
        () => weir.upstream.requests.length,
        (count) => count > length,
      )
      left.abort()
      await expect(call).rejects.toThrow()
      weir.upstream.reply(chatReply('Hello', USAGE))
      await eventually(
        async () => (await ada.chat()).status,
        (status) => status === 200,
      )
    }
  })
})

describeWithGateway('a provider that sends not even the head of its answer', (weir) => {
  it.each(['the site', 'the channel', 'the model'])(
    'is given up after the time that %s says, and the next is asked',
    async (whose) => {
      const seconds = whose === 'the model' ? { 'gpt-4o-mini': 1, '*': 30 } : 1
      const setting = whose === 'the site' ? '' : JSON.stringify({ head_timeout_seconds: seconds })
      if (whose === 'the site') await weir.set('relay.head_seconds', 1)
      await weir.addChannel({ priority: 10, setting })
      await weir.addChannel({ setting: JSON.stringify({ head_timeout_seconds: 60 }) })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply((_, turn) => (turn === 0 ? { stall: 'before_head' } : chatReply('Hello', USAGE)))
      expect(await ada.chat()).toMatchObject({ status: 200 })
      expect(weir.upstream.requests).toHaveLength(2)
    },
  )
})
