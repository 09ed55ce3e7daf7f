// The sandbox through the same dialect as every provider: honest, deterministic, and able to fail as asked.
import { describe, expect, it } from 'vitest'
import type { ChannelWithKey } from '../../core/channels/channel.ts'
import type { ModelEvent } from '../../core/dialects/answers/model-event.ts'
import { createFrameParser } from '../../core/dialects/answers/frames.ts'
import { openaiChat } from '../../core/dialects/openai-chat/index.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { findProvider } from '../../core/providers/index.ts'

const slept: number[] = []
const clock: Clock = {
  now: () => 1_700_000_000_000,
  systemTime: () => Date.now(),
  elapsed: () => Date.now(),
  every: () => () => {},
  sleep: async (ms, signal) => {
    if (signal?.aborted) throw signal.reason
    slept.push(ms)
  },
}

async function ask(
  content: string,
  more: { stream?: boolean; sandbox?: object; body?: object; signal?: AbortSignal } = {},
) {
  slept.length = 0
  const { stream = false, sandbox, body, signal = new AbortController().signal } = more
  const request = {
    model: 'sandbox-small',
    stream,
    messages: [{ role: 'user', content }],
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...body,
  }
  const channel = { key: '', setting: sandbox ? JSON.stringify({ sandbox }) : '' } as ChannelWithKey
  const reply = await findProvider(1000)!.answer!(
    {
      method: 'POST',
      url: '',
      headers: {},
      body: new TextEncoder().encode(JSON.stringify(request)),
      guarded: false,
      headers_timeout_ms: 60_000,
      idle_timeout_ms: 30_000,
    },
    channel,
    clock,
    signal,
  )
  const runs: Uint8Array[] = []
  let broken: unknown
  try {
    for await (const run of reply.body) runs.push(run)
  } catch (error) {
    broken = error
  }
  const parser = createFrameParser()
  const events: ModelEvent[] = []
  if (reply.status === 200 && stream)
    events.push(...runs.flatMap((run) => parser.push(run)).flatMap(openaiChat.reader()))
  else if (reply.status === 200 && !broken) events.push(...openaiChat.readWholeReply(runs[0]!))
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  const usage = events.find((event) => event.type === 'usage')?.usage
  return { reply, runs, events, text, usage, broken }
}

describe('the sandbox', () => {
  it('says the same, streamed or not, and labels it', async () => {
    const [plain, streamed] = [await ask('Hello there'), await ask('Hello there', { stream: true })]
    expect(plain.text).toMatch(/^\[sandbox\].*Hello there$/)
    expect(streamed.text).toBe(plain.text)
    expect(streamed.usage).toEqual(plain.usage)
    expect((await ask('Hello there')).runs).toEqual(plain.runs)
    expect(plain.usage).toMatchObject({ source: 'reported', output: Math.ceil(plain.text.length / 4) })
    expect(plain.usage!.input).toBeGreaterThan(0)
  })

  it('comes in so many chunks, tokens or words', async () => {
    const chunks = async (content: string) =>
      (await ask(content, { stream: true })).events.filter(({ type }) => type === 'text').length
    expect(await chunks('[[chunks=3]]')).toBe(3)
    expect(await chunks('[[chunks=500]]')).toBe(500)
    expect(await chunks('[[words=40]]')).toBe(40)
    const exact = await ask('[[tokens=123]]')
    expect(exact.usage!.output).toBe(123)
    expect((await ask('[[words=7]]')).text.split(' ')).toHaveLength(7)
    expect((await ask('[[tokens=0]]')).text).toBe('')
  })

  it('stops at max_tokens', async () => {
    const { events, usage } = await ask('[[tokens=100]]', { body: { max_tokens: 10 } })
    expect(events).toContainEqual({ type: 'finish', reason: 'length', choice: 0 })
    expect(usage!.output).toBe(10)
  })

  it('takes its switches from the channel too, the message winning', async () => {
    expect((await ask('x', { sandbox: { tokens: 5 } })).usage!.output).toBe(5)
    expect((await ask('x [[tokens=6]]', { sandbox: { tokens: 5 } })).usage!.output).toBe(6)
  })

  it('waits as asked', async () => {
    await ask('[[latency=50]] [[gap=7]] [[chunks=3]]', { stream: true })
    expect(slept).toEqual([50, 7, 7])
  })

  it('answers with an error', async () => {
    const { reply, runs } = await ask('[[status=429]]')
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(openaiChat.readErrorReply(429, runs[0]!)).toMatchObject({
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    })
    expect((await ask('[[status=503]]', { stream: true })).reply.status).toBe(503)
  })

  it('breaks off', async () => {
    const { events, broken } = await ask('[[cut=2]] one two three four', { stream: true })
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(2)
    expect(broken).toMatchObject({ code: 'upstream.broken' })
    expect((await ask('[[cut=0]]', { stream: true })).events.map(({ type }) => type)).toEqual(['start'])
    expect((await ask('[[cut=1]]')).broken).toMatchObject({ code: 'upstream.broken' })
  })

  it('stays silent until the wait for it is over', async () => {
    await expect(ask('[[silent]]')).rejects.toMatchObject({ code: 'upstream.silent', parameters: { seconds: 60 } })
    expect(slept).toEqual([60_000])
    const late = await ask('[[gap=40000]] [[chunks=2]]', { stream: true })
    expect(late.broken).toMatchObject({ code: 'upstream.silent' })
  })

  it('ends at once when the call is aborted', async () => {
    const aborted = new AbortController()
    aborted.abort(new Error('gone'))
    await expect(ask('[[latency=50]]', { signal: aborted.signal })).rejects.toThrow('gone')
  })

  it('calls tools with arguments that fit the schema', async () => {
    const parameters = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 2 },
        unit: { enum: ['c', 'f'] },
        tags: { type: 'array', items: { type: 'boolean' } },
      },
    }
    const tools = [
      { type: 'function', function: { name: 'other' } },
      { type: 'function', function: { name: 'weather', parameters } },
    ]
    const { events } = await ask('[[tool=weather]]', { stream: true, body: { tools } })
    const call = events.find((event) => event.type === 'tool_call')
    expect(call).toMatchObject({ name: 'weather' })
    expect(JSON.parse(call!.arguments)).toEqual({ city: 'sandbox', days: 2, unit: 'c', tags: [true] })
    expect(events).toContainEqual({ type: 'finish', reason: 'tool_calls', choice: 0 })
    expect((await ask('[[tool]]', { body: { tools } })).events.find(({ type }) => type === 'tool_call')).toMatchObject({
      name: 'other',
    })
    expect(
      (await ask('x', { body: { tools, tool_choice: 'required' } })).events.some(({ type }) => type === 'tool_call'),
    ).toBe(true)
    const messages = [
      { role: 'user', content: '[[tool]]' },
      { role: 'assistant', tool_calls: [] },
      { role: 'tool', content: 'done' },
    ]
    expect((await ask('', { body: { tools, messages } })).text).toMatch(/^\[sandbox\]/)
  })

  it('thinks, and leaves usage out, as asked', async () => {
    const { events, usage } = await ask('[[reasoning=on]]', { stream: true })
    expect(events.some(({ type }) => type === 'reasoning')).toBe(true)
    expect(usage!.reasoning).toBeGreaterThan(0)
    expect((await ask('[[usage=off]]')).usage).toBeUndefined()
  })

  it('refuses what no provider would take', async () => {
    expect((await ask('', { body: { messages: [] } })).reply.status).toBe(400)
  })
})
