// The conductor: every way a call can end, and what is charged for it.
import { afterEach, describe, expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { frames, refusal, streamed, whole } from '../../support/memory-upstream.ts'
import { openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const open = async (given: Parameters<typeof openRelay>[0] = {}) => {
  const relay = await openRelay(given)
  opened.push(relay)
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const USAGE = { prompt_tokens: 100, completion_tokens: 50 }
/** Of USAGE, at input 1 and output 2. */
const COST = 200

describe('a call', () => {
  test('that streams passes, ends, and costs what the provider reports', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(
      streamed(
        frames.role(),
        frames.text('Hel'),
        frames.text('lo'),
        frames.finish(),
        frames.usage(USAGE),
        frames.done(),
      ),
    )
    const { head, text, error } = await relay.run({ stream: true })
    expect(error).toBeUndefined()
    expect(head).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } })
    expect(text).toBe(frames.role() + frames.text('Hel') + frames.text('lo') + frames.finish() + frames.done())
    expect(await relay.balance()).toBe(QUOTA - COST)
    expect(await relay.logs()).toMatchObject([
      {
        type: 2,
        quota: COST,
        prompt_tokens: 100,
        completion_tokens: 50,
        is_stream: true,
        channel: 1,
        model_name: 'gpt-4o',
      },
    ])
    expect(await relay.gateway.storage.channels.find(1)).toMatchObject({ used_quota: COST })
    await relay.settled()
  })

  test('that asked for usage gets it, and every other does not, though we always ask', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.text('x'), frames.finish(), frames.usage(USAGE), frames.done()))
    expect((await relay.run({ stream: true, stream_options: { include_usage: true } })).text).toContain('"usage"')
    expect((await relay.run({ stream: true })).text).not.toContain('"usage"')
    for (const { json } of relay.gateway.upstream.requests) expect(json.stream_options).toEqual({ include_usage: true })
  })

  test('that does not stream is answered in one piece, after it is charged', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(whole('Hello', USAGE))
    const { head, text } = await relay.run()
    expect(head).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'Hello' } }], usage: USAGE })
    expect(await relay.balance()).toBe(QUOTA - COST)
    await relay.settled()
  })

  test('holds nothing before it is pulled', async () => {
    const relay = await open()
    const generator = relay.begin({ stream: true })
    await relay.settled()
    await generator.return()
    expect(relay.gateway.upstream.requests).toEqual([])
    expect(await relay.logs()).toEqual([])
  })

  test('is refused without balance, and no provider hears of it', async () => {
    const relay = await open({ quota: 20 })
    const { error, head } = await relay.run()
    expect(error).toMatchObject({ code: 'quota.insufficient' })
    expect(head).toBeUndefined()
    expect(relay.gateway.upstream.requests).toEqual([])
    await relay.settled()
  })
})

describe('a whole answer for a stream, and a stream for a whole answer', () => {
  test('become what was asked for', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(whole('Hello', USAGE))
    const spread = await relay.run({ stream: true })
    expect(spread.head?.headers['content-type']).toBe('text/event-stream')
    expect(spread.text).toContain('"content":"Hello"')
    expect(spread.text).toMatch(/"finish_reason":"stop"[\s\S]*\[DONE\]\n\n$/)

    relay.gateway.upstream.reply(
      streamed(
        frames.role(),
        frames.text('Hel'),
        frames.text('lo'),
        frames.finish(),
        frames.usage(USAGE),
        frames.done(),
      ),
    )
    const gathered = await relay.run()
    expect(gathered.head?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(gathered.text)).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: USAGE,
    })
    expect(await relay.balance()).toBe(QUOTA - 2 * COST)
    await relay.settled()
  })

  test('a stream that breaks before it is whole is tried elsewhere', async () => {
    const relay = await open({ channels: [{}, {}] })
    relay.gateway.upstream.reply(({ host }) =>
      host === 'p1.test' ? streamed(frames.text('Hel'), new GatewayError('upstream.broken')) : whole('Hello', USAGE),
    )
    expect(JSON.parse((await relay.run()).text)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    expect(await relay.balance()).toBe(QUOTA - COST)
    await relay.settled()
  })
})

describe('the charge', () => {
  const estimated = async (relay: Relayed) => {
    const [log] = await relay.logs()
    expect(log?.detail.estimated).toBe(true)
    expect(log?.quota).toBe((log?.prompt_tokens ?? 0) + 2 * (log?.completion_tokens ?? 0))
    expect(log?.quota).toBeGreaterThan(0)
    expect(await relay.balance()).toBe(QUOTA - (log?.quota ?? 0))
    await relay.settled()
  }

  test('is estimated where a stream reports no usage', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.text('four score and seven'), frames.finish(), frames.done()))
    expect((await relay.run({ stream: true })).text).toContain('[DONE]')
    await estimated(relay)
  })

  test('is estimated where a whole answer reports none, or only zeros', async () => {
    for (const usage of [undefined, { prompt_tokens: 0, completion_tokens: 0 }, null, 'none']) {
      const relay = await open()
      relay.gateway.upstream.reply(whole('four score and seven years ago', usage))
      await relay.run()
      await estimated(relay)
    }
  })

  test('never falls below nothing and never goes out of bounds, whatever usage a provider claims', async () => {
    for (const usage of [
      { prompt_tokens: -5, completion_tokens: -9 },
      { prompt_tokens: 1e300, completion_tokens: 1e300 },
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1e12 } },
      { prompt_tokens: '100', completion_tokens: [] },
    ]) {
      const relay = await open()
      relay.gateway.upstream.reply(whole('Hello', usage))
      expect((await relay.run()).head?.status).toBe(200)
      const balance = (await relay.balance()) ?? Number.NaN
      expect(Number.isSafeInteger(balance)).toBe(true)
      expect(balance).toBeLessThan(QUOTA)
      await relay.settled()
    }
  })

  test('above the hold makes the balance negative, and the next call is refused', async () => {
    const relay = await open({ quota: 1000 })
    relay.gateway.upstream.reply(whole('Hello', { prompt_tokens: 5000, completion_tokens: 0 }))
    expect((await relay.run()).error).toBeUndefined()
    expect(await relay.balance()).toBe(-4000)
    expect((await relay.run()).error).toMatchObject({ code: 'quota.insufficient' })
  })

  test('is nothing where nothing was said and nothing reported', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.role(), frames.finish(), frames.done()))
    expect((await relay.run({ stream: true })).text).toContain('[DONE]')
    expect(await relay.balance()).toBe(QUOTA)
    expect(await relay.logs()).toMatchObject([{ type: 2, quota: 0 }])
    expect((await relay.gateway.storage.users.find(relay.caller.user.id))?.request_count).toBe(0)
    await relay.settled()
  })

  test('keeps the price of its beginning, whatever is changed meanwhile', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(async () => {
      const root = await relay.gateway.as('root')
      await relay.gateway.ask(root, 'settings.update', { key: 'ModelRatio', value: '{"gpt-4o": 1000}' })
      return whole('Hello', USAGE)
    })
    await relay.run()
    expect(await relay.balance()).toBe(QUOTA - COST)
  })

  test('leaves no row where calls are not logged, and is taken all the same', async () => {
    const relay = await open()
    const root = await relay.gateway.as('root')
    await relay.gateway.ask(root, 'settings.update', { key: 'LogConsumeEnabled', value: 'false' })
    relay.gateway.upstream.reply(whole('Hello', USAGE))
    await relay.run()
    relay.gateway.upstream.reply(refusal(400))
    await relay.run()
    expect(await relay.logs()).toEqual([])
    expect(await relay.balance()).toBe(QUOTA - COST)
    await relay.settled()
  })
})
