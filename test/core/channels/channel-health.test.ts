// How channels did, as operators see it: every try of every call in its hour, and the state that the channel is in.
import { afterEach, describe, expect, test } from 'vitest'
import type { AttemptError } from '../../../core/relay/failure.ts'
import { ATTEMPT_FAILURE_KINDS, getFailureKind } from '../../../core/channels/channel-hours.ts'
import type { ChannelHealth } from '../../../core/channels/health-contract.ts'
import { getKeyFingerprint } from '../../../core/channels/keys.ts'
import type { TestOutcome } from '../../../core/channels/test-outcome.ts'
import { frames, refusal, streamed, whole } from '../../support/memory-upstream.ts'
import { MODEL, openRelay, type Relayed } from '../relay/calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

async function open(channels: object[] = [{}], wrap?: Parameters<typeof openRelay>[0]) {
  const relay = await openRelay({ channels, ...wrap })
  opened.push(relay)
  const { gateway } = relay
  const admin = await gateway.as('admin')
  const ask = <T>(name: string, input: object = {}) =>
    gateway.ask(admin, name, input as Record<string, unknown>) as Promise<T>
  const health = async (input: object = {}) =>
    (await ask<{ from: number; channels: ChannelHealth[] }>('channels.health', input)).channels
  return { ...relay, ask, health, admin }
}
const USAGE = { prompt_tokens: 3, completion_tokens: 2 }
const HOUR_MS = 3_600_000

describe('the health of channels', () => {
  test('tells of each try where and when it was, and leaves hours without one empty', async () => {
    const { gateway, run, health } = await open([{}, {}])
    gateway.upstream.reply((_, turn) => (turn === 0 ? refusal(503, 'too busy') : whole('Hello', USAGE)))
    await run()
    gateway.clock.advance(2 * HOUR_MS)
    await run()
    const [first, second] = await health({ hours: 3 })
    const none = { answered: 0, failed: 0, failures: {}, abandoned: 0, avg_ms: null, p95_ms: null, first_ms: null }
    expect(first?.cells).toEqual([
      { ...none, hour: expect.any(Number) as number, failed: 1, failures: { server: 1 } },
      null,
      {
        ...none,
        hour: expect.any(Number) as number,
        answered: 1,
        avg_ms: 0,
        p95_ms: expect.any(Number) as number,
        first_ms: 0,
      },
    ])
    expect(second?.cells).toMatchObject([{ answered: 1 }, null, null])
    expect(first?.last_error).toMatchObject({ status: 503, error: expect.stringContaining('too busy') as string })
    expect([second?.last_error, second?.last_test, second?.circuits]).toEqual([null, null, []])
    expect((await health({ hours: 1 }))[0]?.cells).toMatchObject([{ answered: 1, failed: 0 }])
    const named = await health({ hours: 1, ids: '2,77' })
    expect(named.map(({ id, cells }) => [id, cells[0]?.answered])).toEqual([[2, undefined]])
  })

  test('an answer that breaks off is a failure; one whose caller left, or who asked wrongly, is none of the channel', async () => {
    const { gateway, run, health } = await open()
    gateway.upstream.reply(streamed(frames.role(), frames.text('Hel'), new Error('gone')))
    await run({ stream: true })
    expect((await health())[0]?.cells.at(-1)).toMatchObject({ answered: 0, failed: 1 })
    gateway.upstream.reply(refusal(400, 'what is this'))
    await run()
    const [channel] = await health()
    expect(channel?.cells.at(-1)).toMatchObject({ failures: { request: 1 } })
    expect(channel?.last_error?.error).not.toContain('what is this')
    gateway.upstream.reply(streamed(frames.role(), frames.text('Hel'), new Promise(() => {})))
    const stop = new AbortController()
    const left = run({ stream: true }, { signal: stop.signal })
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    await left
    const cell = (await health())[0]?.cells.at(-1)
    expect(cell?.failed).toBe(2)
    expect((cell?.answered ?? 0) + (cell?.abandoned ?? 0)).toBe(1)
  })

  test('of one channel each key is told of, by what names it and never by itself', async () => {
    const keys = { key: 'key-aaaa\nkey-bbbb', key_mode: 'turn' }
    const { gateway, run, health, ask, settled } = await open([keys])
    gateway.upstream.reply(({ headers }) =>
      headers.authorization?.includes('bbbb')
        ? { ...refusal(429, 'key-bbbb has had enough'), headers: { 'retry-after': '60' } }
        : whole('Hello', USAGE),
    )
    for (let n = 0; n < 4; n++) await run()
    await settled()
    const [channel] = await health({ id: 1 })
    const [a, b] = ['key-aaaa', 'key-bbbb'].map(getKeyFingerprint)
    expect(channel?.keys.map(({ fingerprint, on, cells }) => [fingerprint, on, cells.at(-1)?.answered])).toEqual([
      [a, true, 4],
      [b, true, 0],
    ])
    expect(channel?.circuits).toEqual([{ fingerprint: b, model: MODEL, until: expect.any(Number) as number }])
    expect(channel?.last_error).toMatchObject({ fingerprint: b, status: 429 })
    expect(JSON.stringify(await ask('channels.health', { id: 1 }))).not.toMatch(/key-[ab]{4}/)
    expect((await health())[0]?.keys).toEqual([])
  })

  test('one that has switched itself off says why and since when', async () => {
    const { gateway, run, health } = await open()
    const root = await gateway.as('root')
    await gateway.ask(root, 'settings.update', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
    gateway.upstream.reply(refusal(401, 'bad key', 'invalid_api_key'))
    await run()
    await expect.poll(async () => (await health())[0]?.status).toBe(3)
    const [channel] = await health()
    expect(channel).toMatchObject({ reason: expect.stringContaining('bad key') as string })
    expect(channel?.since).toBeGreaterThan(0)
    expect(channel?.cells.at(-1)).toMatchObject({ failures: { key: 1 } })
  })

  test('calls wait for no write, many become one, and what could not be written is written later', async () => {
    let away = true
    let writes = 0
    const { gateway, run, health } = await open([{}], {
      wrap: (storage) => ({
        ...storage,
        channelHours: {
          ...storage.channelHours,
          async add(hours) {
            if (away) throw new Error('away')
            writes += 1
            await storage.channelHours.add(hours)
          },
        },
      }),
    })
    gateway.upstream.reply(whole('Hello', USAGE))
    for (let n = 0; n < 3; n++) await run()
    gateway.clock.advance(10_000)
    for (let n = 0; n < 2; n++) await run()
    away = false
    expect((await health())[0]?.cells.at(-1)?.answered).toBe(5)
    expect(writes).toBe(1)
    gateway.clock.advance(8 * 24 * HOUR_MS)
    expect((await health({ hours: 168 }))[0]?.cells.every((cell) => cell === null)).toBe(true)
  })

  test.each([
    [{ status: 401 }, 'key'],
    [{ status: 402 }, 'key'],
    [{ status: 429 }, 'limit'],
    [{ status: 500 }, 'server'],
    [{ status: 529 }, 'server'],
    [{ status: 504 }, 'timeout'],
    [{ status: 408 }, 'timeout'],
    [{ status: 404 }, 'request'],
    [{ status: 500, source: 'gateway', code: 'do_request_failed' }, 'network'],
    [{ status: 500, source: 'gateway', code: 'bad_response_body' }, 'answer'],
    [{ status: 504, source: 'gateway', code: 'upstream_timeout' }, 'timeout'],
  ])('a failure %o counts as %s', (failure, kind) => {
    expect(ATTEMPT_FAILURE_KINDS).toContain(kind)
    const whole = { message: '', type: '', code: null, param: null, source: 'upstream', ...failure }
    expect(getFailureKind(whole as AttemptError['failure'])).toBe(kind)
  })
})

describe('tests of channels', () => {
  test('are kept: who tested, with which model, and what came of it, without the key', async () => {
    const { gateway, ask, health, admin } = await open([{ key: 'secret-key-1', test_model: 'o3' }])
    gateway.upstream.reply(refusal(401, 'wrong key secret-key-1', 'invalid_api_key'))
    await ask('channels.test', { id: 1 }).catch(() => undefined)
    gateway.upstream.reply(whole('Hello', USAGE))
    await ask('channels.test', { id: 1, model: MODEL })
    await ask('channels.testAll')
    await expect.poll(async () => (await ask<TestOutcome[]>('channels.tests', { id: 1 })).length).toBe(3)
    const root = await gateway.as('root')
    for (const [key, value] of Object.entries({ 'channels.test_minutes': 5, 'channels.test_which': 'all' }))
      await gateway.ask(root, 'settings.update', { key, value: String(value) })
    gateway.clock.advance(5 * 60_000)
    await expect.poll(async () => (await ask<TestOutcome[]>('channels.tests', { id: 1 })).length).toBe(4)
    const kept = await ask<TestOutcome[]>('channels.tests', { id: 1 })
    const by = admin.user?.username
    expect(kept.map(({ username, model, passed, status }) => [username, model, passed, status])).toEqual([
      ['', 'o3', true, 0],
      [by, 'o3', true, 0],
      [by, MODEL, true, 0],
      [by, 'o3', false, 401],
    ])
    expect(kept[3]?.error).toContain('wrong key')
    expect(JSON.stringify(kept)).not.toContain('secret-key-1')
    expect((await health())[0]?.last_test).toEqual(kept[0])
  })
})
