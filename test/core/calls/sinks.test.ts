// Sinks receive every finished call unchanged and never delay an answer; dropped calls are counted.
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallRecord } from '../../../core/calls/call-record.ts'
import { createSinks, type CallSink } from '../../../core/calls/sinks.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { frames, refusal, streamed, whole } from '../../support/memory-upstream.ts'
import { openRelay, QUOTA, type Relayed } from '../relay/calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const USAGE = { prompt_tokens: 100, completion_tokens: 50 }

function listener(name = 'test'): CallSink & { heard: CallRecord[] } {
  const heard: CallRecord[] = []
  return { name, heard, take: (records) => void heard.push(...records) }
}

async function open(sinks: CallSink[], channels: object[] = [{}]): Promise<Relayed> {
  const relay = await openRelay({ channels, sinks })
  opened.push(relay)
  return relay
}

describe('a listener', () => {
  test('is given a call with all its tries, as its row and its charge have it', async () => {
    const sink = listener()
    const relay = await open([sink], [{ model_mapping: '{"gpt-4o": "inner"}' }, {}])
    relay.gateway.upstream.reply((_, turn) => (turn === 0 ? refusal(503, 'busy') : whole('Hello', USAGE)))
    await relay.run()
    await vi.waitFor(() => expect(sink.heard).toHaveLength(1))
    const [row] = await relay.logs()
    expect(sink.heard[0]).toMatchObject({
      request_id: row?.request_id,
      payer: { user_id: relay.caller.user.id, username: 'caller', token_name: 'laptop' },
      models: { requested: 'gpt-4o', served: 'gpt-4o', sent: 'gpt-4o' },
      ...{ operation: 'chat', dialect: 'openai-chat', stream: false, status: 'complete' },
      attempts: [
        { channel_id: 1, model: 'inner', result: 'failed', failure: { status: 503 }, first_content_ms: null },
        { channel_id: 2, model: 'gpt-4o', result: 'answered', first_content_ms: 0 },
      ],
      usage: { input: 100, output: 50, source: 'reported' },
      charge: { quota: 200 },
    })
    expect(QUOTA - (await relay.balance())!).toBe(sink.heard[0]?.charge.quota)
    expect(relay.gateway.sinks()).toMatchObject({ test: { taken: 1, dropped: 0 } })
  })

  test('hears of calls that fail, that are cut short, and whose callers leave', async () => {
    const sink = listener()
    const relay = await open([sink])
    const { upstream } = relay.gateway
    upstream.reply(refusal(400, 'no'))
    await relay.run()
    upstream.reply(streamed(frames.role(), frames.text('Hel'), new Error('gone')))
    await relay.run({ stream: true })
    upstream.reply(streamed(frames.role(), frames.text('Hel'), new Promise(() => {})))
    const leaving = new AbortController()
    const parts = relay.begin({ stream: true }, { signal: leaving.signal })
    while (!('pieces' in ((await parts.next()).value ?? {}))) continue
    leaving.abort(new Error('left'))
    await parts.return()
    await vi.waitFor(() => expect(sink.heard).toHaveLength(3))
    expect(sink.heard.map(({ status, attempts }) => [status, attempts.at(-1)?.result])).toEqual([
      ['failed', 'failed'],
      ['cut_short', 'answered'],
      ['cut_short', 'answered'],
    ])
    expect(new Set(sink.heard.map(({ id }) => id)).size).toBe(3)
  })

  test('that fails or never ends keeps nobody waiting, and what it misses is counted', async () => {
    const sink = listener()
    const failing: CallSink = { name: 'failing', take: () => Promise.reject(new Error('away')) }
    const throwing: CallSink = {
      name: 'throwing',
      take() {
        throw new Error('broken')
      },
    }
    let go = () => {}
    const until = new Promise<void>((resolve) => (go = resolve))
    const stuck: CallSink = { name: 'stuck', take: () => until }
    const relay = await open([failing, throwing, stuck, sink])
    relay.gateway.upstream.reply(whole('Hello', USAGE))
    for (let turn = 0; turn < 3; turn++) expect((await relay.run()).error).toBeUndefined()
    await vi.waitFor(() => expect(sink.heard).toHaveLength(3))
    await vi.waitFor(() =>
      expect(relay.gateway.sinks()).toMatchObject({
        failing: { taken: 0, dropped: 3 },
        throwing: { taken: 0, dropped: 3 },
        stuck: { taken: 0, dropped: 0 },
        test: { taken: 3, dropped: 0 },
      }),
    )
    go()
  })
})

test('what waits for a slow listener is bounded, and it is told once in a while what it missed', async () => {
  const warnings: unknown[] = []
  const logger = { ...silent, warn: (_: string, fields?: object) => void warnings.push(fields) }
  let go = () => {}
  let taking = 0
  const take = () => {
    taking += 1
    return new Promise<void>((resolve) => (go = resolve))
  }
  const clock = createFakeClock()
  const sinks = createSinks([{ name: 'slow', take }], { logger, clock })
  const record = { id: 'one' } as CallRecord
  for (let n = 0; n < 10_500; n++) sinks.enqueue(record)
  expect(sinks.counts().slow).toEqual({ taken: 0, dropped: 500 })
  expect(warnings).toEqual([{ sink: 'slow', dropped: 1, why: expect.any(String) as string }])
  await vi.waitFor(() => expect(taking).toBe(1))
  sinks.enqueue(record)
  const closed = sinks.close(1_000)
  clock.advance(1_000)
  // One that never ends is not waited for.
  await closed
  sinks.enqueue(record)
  go()
  await vi.waitFor(() => expect(taking).toBe(2))
  go()
  await vi.waitFor(() => expect(sinks.counts().slow).toEqual({ taken: 10_001, dropped: 500 }))
})

test('a listener that keeps something back writes it at the end, behind its last records', async () => {
  const written: string[] = []
  const kept: string[] = []
  const sink: CallSink = {
    name: 'batches',
    take: (records) => void kept.push(...records.map(({ id }) => id)),
    close: () => void written.push(...kept),
  }
  const failing: CallSink = { name: 'failing', take: () => {}, close: () => Promise.reject(new Error('away')) }
  const warnings: string[] = []
  const logger = { ...silent, warn: (message: string) => void warnings.push(message) }
  const sinks = createSinks([sink, failing], { logger, clock: createFakeClock() })
  sinks.enqueue({ id: 'one' } as CallRecord)
  sinks.enqueue({ id: 'two' } as CallRecord)
  await sinks.close()
  expect(written).toEqual(['one', 'two'])
  expect(warnings).toEqual(['a listener of finished calls could not write its last'])
})
