// A Responses stream whose bytes pass: what is held back, what counts as content, and what a failure leaves.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamFinding } from '../../../core/dialects/answers/stream-watcher.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import type { Json } from '../../support/json.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf, cutAt, type Recording } from '../../support/recordings.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString()
const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const event = (type: string, more: object = {}) =>
  `event: response.${type}\ndata: ${JSON.stringify({ type: `response.${type}`, ...more })}\n\n`

function run(runs: readonly Uint8Array[]) {
  const watcher = openaiResponses.watcher(head)
  const seen: StreamFinding[] = [...runs.map((one) => watcher.look(one)), watcher.close()]
  return {
    watcher,
    seen,
    passed: text(seen.flatMap(({ pass }) => pass)),
    end: text(seen.flatMap(({ end }) => end ?? [])),
    usage: seen.findLast(({ usage }) => usage)?.usage,
    failure: seen.find(({ failure }) => failure)?.failure,
    ended: seen.some(({ ended }) => ended),
  }
}

const opening = event('created', { response: { id: 'r' } }) + event('in_progress', { response: { id: 'r' } })
const item = event('output_item.added', { output_index: 0, item: { type: 'message' } })
const delta = (said: string) => event('output_text.delta', { output_index: 0, content_index: 0, delta: said })
const completed = event('completed', {
  response: { id: 'r', status: 'completed', output: [], usage: { input_tokens: 5, output_tokens: 2 } },
})

describe('a watched stream', () => {
  it('passes all but its last event, in whatever runs it comes', () => {
    const whole = opening + item + delta('Hé') + delta('llo') + completed
    fc.assert(
      fc.property(fc.array(fc.nat(bytes(whole).length)), (places) => {
        const { passed, end, usage, ended, watcher } = run(cutAt(bytes(whole), places))
        expect(passed + end).toBe(whole)
        expect(end).toBe(completed)
        expect(usage).toMatchObject({ input: 5, output: 2 })
        expect(ended).toBe(true)
        expect(watcher.finished()).toBe(true)
      }),
    )
  })

  it('takes what opens it for no content', () => {
    const content = (one: string) => run([bytes(one)]).seen[0]!.content
    for (const silent of [opening, item, ': ping\n\n', 'event: keepalive\ndata: {"type":"keepalive"}\n\n']) {
      expect(content(silent)).toBe(false)
    }
    expect(content(event('output_item.added', { item: { type: 'reasoning' } }))).toBe(false)
    expect(content(event('output_item.added', { item: { type: 'function_call', name: 'f' } }))).toBe(true)
    expect(content(event('web_search_call.searching', { output_index: 0 }))).toBe(true)
    expect(content(delta('x'))).toBe(true)
    expect(content(event('reasoning_summary_text.delta', { delta: 'hm' }))).toBe(true)
  })

  it('keeps its end through what a model says', () => {
    const said = delta('"type":"response.completed"') + delta('event: response.completed')
    const { passed, end } = run([bytes(opening + said + completed)])
    expect(passed).toBe(opening + said)
    expect(end).toBe(completed)
  })

  it.each([
    ['error', `event: error\ndata: {"type":"error","code":"server_error","message":"no more","param":null}\n\n`],
    ['nested error', `data: {"type":"error","error":{"code":"server_error","message":"no more"}}\n\n`],
    ['bare error', `data: {"error":{"code":"server_error","message":"no more"}}\n\n`],
    [
      'failed response',
      event('failed', { response: { status: 'failed', error: { code: 'server_error', message: 'no more' } } }),
    ],
  ])('gives the %s, and nothing behind it', (_, frame) => {
    const { passed, failure, ended } = run([bytes(opening + delta('x') + frame + delta('y') + completed)])
    expect(failure).toMatchObject({ status: 500, message: 'no more' })
    expect(passed).toBe(opening + delta('x'))
    expect(ended).toBe(false)
  })

  it('does not end where the provider did not', () => {
    const { ended, watcher } = run([bytes(opening + delta('x'.repeat(80)) + 'data: [DONE]\n\n')])
    expect(ended).toBe(false)
    expect(watcher.finished()).toBe(false)
    expect(watcher.outputEstimate()).toBe(20)
  })

  it('ends with an answer cut at its limit', () => {
    const cut = event('incomplete', {
      response: { status: 'incomplete', usage: { input_tokens: 5, output_tokens: 9 } },
    })
    expect(run([bytes(opening + delta('x') + cut)])).toMatchObject({ ended: true, end: cut, usage: { output: 9 } })
  })

  it('ends behind a last event that lacks its blank line', () => {
    expect(run([bytes(opening + delta('x') + completed.slice(0, -2))])).toMatchObject({ ended: true, end: completed })
  })
})

describe('recorded streams', () => {
  const textOf = (recording: Recording) => Buffer.from(bytesOf(recording)).toString()
  const recorded = recordingsOf('openai.responses').filter(({ response }) => response.sse)
  const sound = recorded.filter((one) => /"type": ?"response\.(completed|incomplete)"/.test(textOf(one)))

  it('pass as they came, in whatever runs', async () => {
    const failures = await listFailures(
      sound,
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const whole = textOf(recording)
        const all = recording.response.sse!
        const last = all.findIndex((one) => /"type": ?"response\.(completed|incomplete)"/.test(one))
        const places = Array.from({ length: 40 }, (_, index) => (index * 7919) % bytesOf(recording).length)
        for (const runs of [[bytes(whole)], cutAt(bytesOf(recording), places)]) {
          const { passed, end, usage, ended, watcher } = run(runs)
          expect(ended).toBe(true)
          expect(passed).toBe(all.slice(0, last).join(''))
          expect(end.trimEnd()).toBe(all[last]!.trimEnd())
          const { response } = JSON.parse(/^data: ?(.*)$/m.exec(all[last]!)![1]!) as Json
          if (response.usage) {
            expect(usage!.output).toBe(response.usage.output_tokens)
            expect(watcher.outputEstimate()).toBeGreaterThan(0)
          }
        }
      },
    )
    expect(failures).toEqual([])
  })
})
