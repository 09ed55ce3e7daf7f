// Calls that succeed although channels are broken: each of them, invisibly. WEIR_ROUNDS sets how many (10000 for a release).
import { afterEach, describe, expect, test, vi } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { frames, refusal, streamed, whole, type MemoryReply } from '../../support/memory-upstream.ts'
import { runsAllTests } from '../../support/suite.ts'
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

const ROUNDS = Number(process.env.WEIR_ROUNDS ?? (runsAllTests ? 300 : 100))
const USAGE = { prompt_tokens: 10, completion_tokens: 5 }
const good = (stream: boolean): MemoryReply =>
  stream
    ? streamed(frames.role(), frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done())
    : whole('Hello', USAGE)
const set = async ({ gateway }: Relayed, key: string, value: unknown) =>
  gateway.ask(await gateway.as('root'), 'settings.update', {
    key,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
  })
const hosts = ({ gateway }: Relayed) => gateway.upstream.requests.map(({ host }) => host)

/** Every way in which a provider can fail before it has said anything. */
const failures: (() => MemoryReply)[] = [
  () => refusal(500),
  () => refusal(503),
  () => refusal(401, 'bad key', 'invalid_api_key'),
  () => refusal(404, 'no such model'),
  () => ({ ...refusal(429), headers: { 'retry-after': '7', 'content-type': 'application/json' } }),
  () => streamed(frames.role()),
  () => streamed(frames.role(), frames.error('overloaded')),
  () => streamed(frames.role(), new GatewayError('upstream.broken')),
  () => ({ ...refusal(200, 'no money'), status: 200 }),
  () => ({ ...whole('x'), parts: ['<html>'] }),
]

describe('routing that never gives up', () => {
  test(`a call through three channels of which two are broken succeeds ${ROUNDS} times of ${ROUNDS}`, async () => {
    const relay = await open({
      channels: [{}, {}, {}].map(() => ({ priority: 0 })),
      quota: QUOTA * 100,
    })
    let turn = 0
    relay.gateway.upstream.reply(({ host, json }) => {
      if (host === 'p2.test') return good(json.stream === true)
      turn += 1
      return failures[turn % failures.length]?.() ?? refusal(500)
    })
    let succeeded = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { text, error } = await relay.run({ stream: round % 2 === 0 })
      if (error === undefined && text.includes('Hello') && !text.includes('error')) succeeded += 1
      // Cooldowns end now and then, so that the broken ones are tried again and again.
      relay.gateway.clock.advance(5_000)
    }
    expect(succeeded).toBe(ROUNDS)
    const broken = hosts(relay).filter((host) => host !== 'p2.test').length
    expect(broken).toBeGreaterThan(ROUNDS / 50)
    await relay.settled()
  }, 600_000)

  test('a channel that fails again and again is left alone for a while', async () => {
    const relay = await open({ channels: [{}, {}] })
    relay.gateway.upstream.reply(({ host }) => (host === 'p1.test' ? refusal(500) : good(false)))
    for (let round = 0; round < 10; round++) expect((await relay.run()).error).toBeUndefined()
    expect(hosts(relay).filter((host) => host === 'p1.test')).toHaveLength(3)
    relay.gateway.clock.advance(30_000)
    relay.gateway.upstream.reply(() => good(false))
    await relay.run()
    await relay.run()
    expect(hosts(relay).slice(-2)).toEqual(['p1.test', 'p1.test'])
  })

  test('when all channels fail the caller learns when to come back, the soonest of them', async () => {
    const relay = await open({ channels: [{}, {}, {}] })
    const now = relay.gateway.clock.now()
    const waits: Record<string, string> = {
      'p1.test': '90',
      'p2.test': new Date(now + 40_000).toUTCString(),
      'p3.test': 'soon',
    }
    relay.gateway.upstream.reply(({ host }) => ({ ...refusal(429), headers: { 'retry-after': waits[host] ?? '' } }))
    const { error } = await relay.run()
    const { failure } = error as { failure: { status: number; retry_after_ms: number } }
    expect(failure.status).toBe(429)
    expect(failure.retry_after_ms).toBeGreaterThan(38_000)
    expect(failure.retry_after_ms).toBeLessThanOrEqual(40_000)
  })
})

describe('a provider that says nothing', () => {
  const silent = () => streamed(frames.role(), new Promise(() => undefined))

  test('is given up after the time for the first content, and the next is asked', async () => {
    const relay = await open({ channels: [{}, {}] })
    await set(relay, 'relay.first_content_seconds', 5)
    relay.gateway.upstream.reply(({ host }) => (host === 'p1.test' ? silent() : good(true)))
    const running = relay.run({ stream: true })
    await vi.waitFor(() => expect(hosts(relay)).toEqual(['p1.test']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    relay.gateway.clock.advance(4_999)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(hosts(relay)).toEqual(['p1.test'])
    relay.gateway.clock.advance(1)
    const { text, error } = await running
    expect(error).toBeUndefined()
    expect(text).toContain('Hello')
    expect(hosts(relay)).toEqual(['p1.test', 'p2.test'])
    await relay.settled()
  })

  test.each([
    ['the channel', { first_content_timeout_seconds: 2 }],
    ['the channel for the model', { first_content_timeout_seconds: { 'gpt-4o': 2, '*': 100 } }],
  ])('has the time that %s says', async (_, setting) => {
    const relay = await open({ channels: [{ setting: JSON.stringify(setting) }, {}] })
    await set(relay, 'relay.first_content_seconds', 50)
    relay.gateway.upstream.reply(({ host }) => (host === 'p1.test' ? silent() : good(true)))
    const running = relay.run({ stream: true })
    await vi.waitFor(() => expect(hosts(relay)).toEqual(['p1.test']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    relay.gateway.clock.advance(2_000)
    expect((await running).text).toContain('Hello')
  })

  test('on the last channel is told with 504', async () => {
    const relay = await open({ channels: [{}] })
    await set(relay, 'relay.first_content_seconds', 5)
    relay.gateway.upstream.reply(silent())
    const running = relay.run({ stream: true })
    await vi.waitFor(() => expect(hosts(relay)).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    relay.gateway.clock.advance(5_000)
    const { error } = await running
    expect(error).toMatchObject({ failure: { status: 504, code: 'upstream_timeout' } })
    expect(await relay.balance()).toBe(QUOTA)
    await relay.settled()
  })

  test('after its first content is not hurried: the caller already reads', async () => {
    const relay = await open({ channels: [{}] })
    await set(relay, 'relay.first_content_seconds', 1)
    let goOn: (text: string) => void = () => undefined
    const later = new Promise<string>((resolve) => (goOn = resolve))
    relay.gateway.upstream.reply(streamed(frames.text('Hel'), later, frames.finish(), frames.done()))
    const running = relay.run({ stream: true })
    await vi.waitFor(() => expect(relay.gateway.upstream.open).toBe(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    relay.gateway.clock.advance(60_000)
    goOn(frames.text('lo'))
    const { text, error } = await running
    expect(error).toBeUndefined()
    expect(text).toContain('"lo"')
  })

  test('sends the idle limit of the channel along', async () => {
    const relay = await open({ channels: [{ setting: '{"idle_timeout_seconds": {"gpt-4o": 7}}' }] })
    relay.gateway.upstream.reply(() => good(false))
    await relay.run()
    expect(relay.gateway.upstream.requests[0]?.idle_timeout_ms).toBe(7000)
  })
})

describe('a long prompt', () => {
  const long = (start: string, rest = '') => ({
    messages: [
      { role: 'system', content: `${start} ${'stable '.repeat(1000)}` },
      { role: 'user', content: rest },
    ],
  })
  const equal = [0, 0, 0, 0, 0, 0, 0, 0].map(() => ({ priority: 0 }))

  test('goes back to the channel that has its beginning cached, and the log says so', async () => {
    const relay = await open({ channels: equal })
    relay.gateway.upstream.reply(() => good(false))
    for (let round = 0; round < 12; round++) await relay.run(long('one', `question ${round}`))
    expect(new Set(hosts(relay)).size).toBe(1)
    const details = (await relay.logs()).map(({ detail }) => detail.affinity)
    expect(details).toEqual([...Array<boolean>(11).fill(true), undefined])
    for (let round = 0; round < 12; round++) await relay.run(long(`other ${round}`))
    expect(new Set(hosts(relay)).size).toBeGreaterThan(2)
  })

  test.each([
    ['prompt_cache_key', (round: number) => [{ ...long(`${round}`), prompt_cache_key: 's' }, {}]],
    ['user', (round: number) => [{ ...long(`${round}`), user: 's' }, {}]],
    ['a session header', (round: number) => [long(`${round}`), { session: 's' }]],
  ])('is tied by %s first', async (_, callOf) => {
    const relay = await open({ channels: equal })
    relay.gateway.upstream.reply(() => good(false))
    for (let round = 0; round < 12; round++) {
      const [fields, more] = callOf(round)
      await relay.run(fields, more)
    }
    expect(new Set(hosts(relay)).size).toBe(1)
  })

  test('is tied to nothing where it is short, or the setting is off', async () => {
    const relay = await open({ channels: equal })
    relay.gateway.upstream.reply(() => good(false))
    for (let round = 0; round < 20; round++) await relay.run({ user: 's' })
    expect(new Set(hosts(relay)).size).toBeGreaterThan(2)
    relay.gateway.upstream.requests.length = 0
    await set(relay, 'channels.affinity_enabled', false)
    for (let round = 0; round < 20; round++) await relay.run(long('one'))
    expect(new Set(hosts(relay)).size).toBeGreaterThan(2)
  })
})
