// The pass-through of chat streams: bytes as they came, usage found, the end kept back, text counted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { StreamFinding } from '../../../core/dialects/answers/stream-watcher.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf, cutAt, readsOf, type Recording } from '../../support/recordings.ts'
import type { Json } from '../../support/json.ts'
import { runsAllTests } from '../../support/suite.ts'

const bytes = (value: string) => new TextEncoder().encode(value)
const text = (runs: Uint8Array[]) => runs.map((run) => new TextDecoder().decode(run)).join('')
const head = (include_usage: boolean): RequestHead => ({ model: 'm', stream: true, include_usage, prompt_estimate: 1 })
const frame = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`
const delta = (said: object, reason: string | null = null) =>
  frame({ id: 'c', choices: [{ index: 0, delta: said, finish_reason: reason }], usage: null })
const usageFrame = (usage: object, choices: unknown[] = []) => frame({ id: 'c', choices, usage })
const DONE = 'data: [DONE]\n\n'

/** What came of a whole stream. */
function watch(runs: Uint8Array[], include = false) {
  const watcher = openaiChat.watcher(head(include))
  const glances = runs.map((run) => watcher.look(run))
  const last = <K extends keyof StreamFinding>(key: K) => glances.findLast((glance) => glance[key] !== undefined)?.[key]
  return {
    watcher,
    glances,
    passed: text(glances.flatMap((glance) => glance.pass)),
    content: glances.some((glance) => glance.content),
    ended: glances.some((glance) => glance.ended),
    usage: last('usage') as Usage | undefined,
    failure: last('failure'),
    end: last('end') as Uint8Array | undefined,
  }
}

describe('a stream that passes', () => {
  const body =
    delta({ role: 'assistant', content: '' }) +
    delta({ content: 'Hi' }) +
    delta({ content: ' you' }) +
    delta({}, 'stop')
  const usage = usageFrame({ prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 })

  it('keeps the end and unasked usage back', () => {
    const seen = watch([bytes(body + usage + DONE)])
    expect(seen.passed).toBe(body)
    expect(seen.ended && text([seen.end!])).toBe(DONE)
    expect(seen.usage).toMatchObject({ input: 9, output: 2, source: 'reported' })
    expect(seen.watcher.finished()).toBe(true)
  })

  it('passes usage that was asked for, and usage beside choices', () => {
    expect(watch([bytes(body + usage + DONE)], true).passed).toBe(body + usage)
    const beside = usageFrame({ prompt_tokens: 1, completion_tokens: 1 }, [{ delta: { content: 'x' } }])
    expect(watch([bytes(beside)]).passed).toBe(beside)
  })

  it('hands consecutive frames out as one piece of the run itself', () => {
    const run = bytes(body)
    const { pass } = openaiChat.watcher(head(false)).look(run)
    expect(pass).toHaveLength(1)
    expect(pass[0]!.buffer).toBe(run.buffer)
    expect(watch([bytes(body + usage + body)]).glances[0]!.pass).toHaveLength(2)
  })

  it('does not take an opening or a ping for content', () => {
    for (const quiet of [
      delta({ role: 'assistant' }),
      delta({ role: 'assistant', content: '', refusal: null }),
      ': ping\n\n',
      frame({ choices: [] }),
    ]) {
      const seen = watch([bytes(quiet)])
      expect(seen).toMatchObject({ content: false, passed: quiet })
      expect(seen.watcher.outputEstimate()).toBe(0)
    }
    for (const said of [
      { content: 'x' },
      { reasoning_content: 'x' },
      { reasoning: 'x' },
      { refusal: 'x' },
      { tool_calls: [{ index: 0 }] },
      { function_call: { name: 'f' } },
      { audio: { id: 'a' } },
      { images: [{}] },
    ]) {
      const seen = watch([bytes(delta(said))])
      expect(seen.content).toBe(true)
      expect(seen.watcher.outputEstimate()).toBeGreaterThanOrEqual(1)
    }
  })

  it('finds the end without its blank line', () => {
    for (const end of ['data: [DONE]', 'data:[DONE]\n', 'data: [DONE]\r\n']) {
      const seen = watch([bytes(body + end), bytes('\n')])
      expect(seen).toMatchObject({ ended: true, passed: body })
    }
    expect(watch([bytes(`${body}data: [DON`)]).ended).toBe(false)
  })

  it('is not fooled by what a model says', () => {
    const said = delta({
      content: '"usage":{"prompt_tokens":5} "finish_reason":"stop" {"error":{"message":"x"}} [DONE]',
    })
    const seen = watch([bytes(body.replace(delta({}, 'stop'), '') + said.repeat(40))])
    expect(seen).toMatchObject({ usage: undefined, failure: undefined, ended: false })
    expect(seen.watcher.finished()).toBe(false)
  })

  it('stops at an error, which is told and not passed', () => {
    const error = frame({ error: { message: 'overloaded at https://10.1.2.3/v1', type: 'server_error', code: 503 } })
    for (const failing of [
      error,
      `event: error\n${error}`,
      frame({
        id: 'c',
        choices: [{ delta: {}, finish_reason: 'error' }],
        error: { message: 'overloaded at https://h', code: 503 },
      }),
    ]) {
      for (const before of ['', body]) {
        const seen = watch([bytes(before + failing + body)])
        expect(seen.passed).toBe(before)
        expect(seen.failure).toMatchObject({ message: 'overloaded at [url]', source: 'upstream', status: 503 })
      }
    }
  })

  it('counts the last of several usages, and none that is all zero', () => {
    const growing = [1, 2, 3]
      .map((count) => usageFrame({ prompt_tokens: 4, completion_tokens: count }, [{ delta: { content: 'x' } }]))
      .join('')
    expect(watch([bytes(growing)]).usage).toMatchObject({ input: 4, output: 3 })
    expect(
      watch([bytes(delta({ content: 'x' }) + usageFrame({ prompt_tokens: 0, completion_tokens: 0 }))]).usage,
    ).toBeUndefined()
  })

  it('refuses a frame without end', () => {
    const watcher = openaiChat.watcher(head(false))
    const run = new Uint8Array(16 * 1024 * 1024).fill(0x61)
    expect(() => Array.from({ length: 5 }, () => watcher.look(run))).toThrow(
      expect.objectContaining({ code: 'upstream.unreadable' }),
    )
  })

  it.each([
    ['ASCII words', Array.from({ length: 500 }, (_, index) => ` word${index}`)],
    ['Chinese', Array.from({ length: 300 }, () => '你好')],
    ['long pieces', Array.from({ length: 50 }, () => 'abcd'.repeat(40))],
  ])('estimates output about right without parsing: %s', (_, pieces) => {
    const stream = delta({ role: 'assistant', content: '' }) + pieces.map((content) => delta({ content })).join('')
    const expected = bytes(pieces.join('')).length / 4
    const estimate = watch(cutAt(bytes(stream), [100, 5000])).watcher.outputEstimate()
    expect(estimate).toBeGreaterThan(expected * 0.8)
    expect(estimate).toBeLessThan(expected * 1.2)
  })

  it('counts reasoning and answer whose frames differ in size', () => {
    const frames = [
      ...Array<string>(200).fill(delta({ content: null, reasoning_content: ' then' })),
      ...Array<string>(200).fill(delta({ content: ' then' })),
    ]
    const estimate = watch([bytes(frames.join(''))]).watcher.outputEstimate()
    expect(estimate).toBeGreaterThan(400)
    expect(estimate).toBeLessThan(650)
  })
})

const CONTENT = ['content', 'reasoning', 'reasoning_content', 'tool_calls', 'refusal', 'function_call', 'audio']

const hasContent = (chunk: Json): boolean =>
  chunk.choices?.some((choice: Json) =>
    Object.entries(choice.delta ?? {}).some(
      ([key, value]) => CONTENT.includes(key) && value && (!Array.isArray(value) || value.length),
    ),
  ) ?? false

/** The recording's frames, less what the rules keep back: what an independent reader of the rules expects. */
function expected(recording: Recording, include: boolean): string {
  let out = ''
  for (const event of recording.response.sse!) {
    const data = event.match(/^data: ?(.*)$/m)?.[1]?.trimEnd()
    if (data === '[DONE]') break
    const chunk = data?.startsWith('{') ? (JSON.parse(data) as Json) : undefined
    if (chunk?.error) break
    if (!include && chunk?.usage && !chunk.choices?.length) continue
    out += event
  }
  return out
}

describe('recorded streams', () => {
  const streams = recordingsOf('openai.chat').filter((one) => one.response.sse)

  it('pass as they came, in whatever runs', async () => {
    const failures = await listFailures(
      streams,
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const whole = bytesOf(recording)
        const chunks = recording.response.sse!.flatMap((event) => {
          const data = event.match(/^data: ?(\{.*)$/m)?.[1]
          return data ? [JSON.parse(data) as Json] : []
        })
        const reported = chunks
          .map((chunk) => chunk.usage ?? chunk.x_groq?.usage)
          .findLast((usage) => usage?.prompt_tokens)
        const ways = [
          readsOf(recording),
          [...whole].map((byte) => Uint8Array.of(byte)),
          ...fc.sample(fc.array(fc.nat(whole.length)), runsAllTests ? 10 : 4).map((places) => cutAt(whole, places)),
        ]
        const estimates = new Set<number>()
        for (const include of [false, true]) {
          const passed = expected(recording, include)
          for (const runs of ways) {
            const seen = watch(runs, include)
            expect(seen.passed).toBe(passed)
            expect(seen.ended).toBe(recording.features.includes('done_marker') && !seen.failure)
            expect(Boolean(seen.failure)).toBe(chunks.some((chunk) => chunk.error))
            expect(seen.content).toBe(chunks.some(hasContent))
            if (reported && !seen.failure) {
              const { input, cache_read, cache_write, cache_write_1h, output } = seen.usage!
              // One recorded stream tells more cached tokens than the prompt has.
              expect(input + cache_read + cache_write + cache_write_1h).toBe(
                Math.max(reported.prompt_tokens, reported.prompt_tokens_details?.cached_tokens ?? 0),
              )
              expect(output).toBe(
                Math.max(reported.completion_tokens, (reported.total_tokens ?? 0) - reported.prompt_tokens),
              )
            } else expect(seen.usage).toBeUndefined()
            estimates.add(seen.watcher.outputEstimate())
          }
        }
        expect(estimates.size).toBe(1)
        if (streamedText(chunks) > 0) expect([...estimates][0]).toBeGreaterThanOrEqual(1)
      },
    )
    expect(failures).toEqual([])
  })

  const streamedText = (chunks: Json[]) =>
    chunks.reduce((sum, chunk) => sum + (chunk.choices?.[0]?.delta?.content?.length ?? 0), 0)

  it('have the same text as events', async () => {
    const failures = await listFailures(
      streams,
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const read = openaiChat.reader()
        const events = recording.response.sse!.flatMap((event) => {
          const data = event.match(/^data: ?(.*)$/m)?.[1]
          return data === undefined ? [] : read({ data: data.trimEnd() })
        })
        expect(events.filter(({ type }) => type === 'start').length).toBeLessThanOrEqual(1)
        const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
        const sent = recording.response.sse!.map((event) => {
          const data = event.match(/^data: ?(\{.*)$/m)?.[1]
          return data
            ? ((JSON.parse(data) as Json).choices ?? []).map((choice: Json) => choice.delta?.content ?? '').join('')
            : ''
        })
        expect(said).toBe(sent.join(''))
      },
    )
    expect(failures).toEqual([])
  })
})
