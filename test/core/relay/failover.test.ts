// Providers that fail: who is tried next, what the caller sees, and what it costs.
import { afterEach, describe, expect, test, vi } from 'vitest'
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
const findFailure = (error: unknown) => (error as { failure?: { status: number; message: string } }).failure
const hosts = ({ gateway }: Relayed) => gateway.upstream.requests.map(({ host }) => host)
const triedIn = async (relay: Relayed) => (await relay.logs()).map(({ detail }) => detail.admin_info)

describe('a failure before the first content', () => {
  test('goes to the next channel, and the log names those that were tried', async () => {
    const relay = await open({ channels: [{}, {}, {}] })
    relay.gateway.upstream.reply((_, turn) => (turn < 2 ? refusal(503) : whole('Hello', USAGE)))
    expect((await relay.run()).error).toBeUndefined()
    expect(hosts(relay)).toEqual(['p1.test', 'p2.test', 'p3.test'])
    expect(await triedIn(relay)).toMatchObject([{ use_channel: ['1', '2', '3'] }])
    expect(await relay.logs()).toMatchObject([{ channel: 3, quota: 200 }])
    expect(await relay.balance()).toBe(QUOTA - 200)
    await relay.settled()
  })

  test.each([
    ['an error in the stream', streamed(frames.role(), frames.error('overloaded'))],
    ['a stream that says nothing and stops', streamed(frames.role())],
    ['a stream that breaks off', streamed(frames.role(), new GatewayError('upstream.broken'))],
    ['an error disguised as an answer', { ...refusal(200, 'no money'), status: 200 }],
    ['an answer that cannot be read', { ...whole('x'), parts: ['<html>'] }],
  ])('may also be %s: nothing of it reaches the caller', async (_, bad) => {
    const relay = await open({ channels: [{}, {}] })
    const good = streamed(frames.role(), frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done())
    relay.gateway.upstream.reply(({ host }) => (host === 'p1.test' ? bad : good))
    const { text, error } = await relay.run({ stream: true })
    expect(error).toBeUndefined()
    expect(text).toBe(frames.role() + frames.text('Hello') + frames.finish() + frames.done())
    await relay.settled()
  })

  test('on every channel is told with the last status, and costs nothing', async () => {
    const relay = await open({ channels: [{}, {}] })
    relay.gateway.upstream.reply((_, turn) => refusal(turn === 0 ? 500 : 502, `failure ${turn}`))
    const { error, head } = await relay.run({ stream: true })
    expect(head).toBeUndefined()
    expect(findFailure(error)).toMatchObject({ status: 502, message: 'failure 1' })
    expect(await relay.balance()).toBe(QUOTA)
    expect(await relay.logs()).toMatchObject([{ type: 5, quota: 0, content: 'failure 1', channel: 2 }])
    await relay.settled()
  })

  test('is told in general words where everybody is saturated, and in full in the log', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(refusal(429, 'org-123 has reached its limit'))
    const { error } = await relay.run()
    expect(findFailure(error)).toMatchObject({ status: 429, message: expect.stringContaining('saturated') })
    expect(await relay.logs()).toMatchObject([{ content: 'org-123 has reached its limit' }])
  })

  test('that the request caused is not tried elsewhere', async () => {
    const relay = await open({ channels: [{}, {}] })
    relay.gateway.upstream.reply(refusal(400, 'messages are wrong', 'invalid_request_error'))
    expect(findFailure((await relay.run()).error)).toMatchObject({ status: 400, message: 'messages are wrong' })
    expect(hosts(relay)).toEqual(['p1.test'])
  })

  test('is judged by the status that the channel maps it to', async () => {
    const relay = await open({
      channels: [{ status_code_mapping: '{"400": "500"}' }, { status_code_mapping: '{"503": "400"}' }, {}],
    })
    relay.gateway.upstream.reply((_, turn) => refusal(turn === 0 ? 400 : 503))
    expect(findFailure((await relay.run()).error)).toMatchObject({ status: 400 })
    expect(hosts(relay)).toEqual(['p1.test', 'p2.test'])
  })

  test.each([
    ['0', 1],
    ['1', 2],
    ['20', 4],
  ])('is tried again as often as RetryTimes %s allows, never twice on one channel', async (times, tries) => {
    const relay = await open({ channels: [{}, {}, {}, {}] })
    const root = await relay.gateway.as('root')
    await relay.gateway.ask(root, 'settings.update', { key: 'RetryTimes', value: times })
    relay.gateway.upstream.reply(refusal(500))
    await relay.run()
    expect(new Set(hosts(relay)).size).toBe(tries)
    expect(hosts(relay)).toHaveLength(tries)
  })

  test('on a channel that an administrator asked for is not tried on another', async () => {
    const relay = await open({ channels: [{}, {}], role: 'admin' })
    relay.gateway.upstream.reply(refusal(500))
    await relay.run({}, { pin: '2' })
    expect(hosts(relay)).toEqual(['p2.test'])
  })

  test('keeps one hold for all tries', async () => {
    // 510 for the hold: enough for one at a time only.
    const relay = await open({ channels: [{}, {}, {}], quota: 520 })
    relay.gateway.upstream.reply((_, turn) => (turn < 2 ? refusal(500) : whole('Hello', USAGE)))
    expect((await relay.run()).error).toBeUndefined()
    expect(await relay.balance()).toBe(320)
  })
})

describe('a failure after the first content', () => {
  test.each([
    ['says so', [frames.error('overloaded')]],
    ['breaks off', [new GatewayError('upstream.broken')]],
    ['stops without an end', []],
  ])(
    'of a provider that %s ends as an error frame, is not tried again, and is charged as far as it went',
    async (_, rest) => {
      const relay = await open({ channels: [{}, {}] })
      relay.gateway.upstream.reply(streamed(frames.role(), frames.text('four score and seven'), ...rest))
      const { text, error, head } = await relay.run({ stream: true })
      expect(error).toBeUndefined()
      expect(head?.status).toBe(200)
      expect(text.startsWith(frames.role() + frames.text('four score and seven'))).toBe(true)
      expect(text).toMatch(/data: \{"error":.*request id: .*\}\n\n$/)
      expect(text).not.toContain('[DONE]')
      expect(hosts(relay)).toEqual(['p1.test'])
      const [log] = await relay.logs()
      expect(log).toMatchObject({ type: 2, detail: { estimated: true, cut_short: expect.any(String) } })
      expect(log?.quota).toBeGreaterThan(0)
      expect(await relay.balance()).toBe(QUOTA - (log?.quota ?? 0))
      await relay.settled()
    },
  )

  test('costs what was reported, if anything was', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(
      streamed(frames.text('Hello'), frames.usage(USAGE), new GatewayError('upstream.broken')),
    )
    expect((await relay.run({ stream: true })).text).toContain('"error"')
    expect(await relay.balance()).toBe(QUOTA - 200)
    await relay.settled()
  })

  test('behind the finish is none: the answer was complete', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE)))
    const { text } = await relay.run({ stream: true })
    expect(text).toBe(frames.text('Hello') + frames.finish() + frames.done())
    expect(await relay.logs()).toMatchObject([{ type: 2, quota: 200 }])
    await relay.settled()
  })
})

describe('a channel whose key is bad', () => {
  test('is switched off where that is wanted, and the call goes on elsewhere', async () => {
    const relay = await open({ channels: [{}, {}] })
    const root = await relay.gateway.as('root')
    await relay.gateway.ask(root, 'settings.update', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    relay.gateway.upstream.reply(({ host }) => (host === 'p1.test' ? refusal(401, 'bad key') : whole('Hello', USAGE)))
    expect((await relay.run()).error).toBeUndefined()
    await vi.waitFor(async () => expect((await relay.gateway.storage.channels.find(1))?.status).toBe(3))
    expect((await relay.gateway.storage.channels.find(1))?.other_info).toContain('status code 401')
    // Routing hears of the switch a moment later; from then on the channel is not asked again.
    await vi.waitFor(async () => {
      const before = hosts(relay).length
      for (let call = 0; call < 8; call += 1) await relay.run()
      expect(hosts(relay).slice(before)).toEqual(Array.from({ length: 8 }, () => 'p2.test'))
    })
  })
})
