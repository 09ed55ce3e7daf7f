// A stream read in one dialect and written in another: whatever the runs it comes in, nothing is lost, doubled or early.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamFinding } from '../../../core/dialects/answers/stream-watcher.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { createTranslator } from '../../../core/relay/answers/translate.ts'
import { cutAt } from '../../support/recordings.ts'

const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
/** Another dialect, which happens to look the same. */
const other: Dialect = { ...openaiChat }
const bytes = (text: string) => new TextEncoder().encode(text)
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'a', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`
const usage = `data: {"id":"a","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}\n\n`
const END = 'data: [DONE]\n\n'

function run(runs: Uint8Array[]) {
  const watcher = createTranslator(openaiChat, other, head)
  const seen: StreamFinding[] = [...runs.map((one) => watcher.look(one)), watcher.close()]
  const text = seen.flatMap(({ pass }) => pass).map((one) => new TextDecoder().decode(one))
  return { watcher, seen, text: text.join(''), end: seen.find(({ end }) => end)?.end }
}

describe('a stream between two dialects', () => {
  const opening = chunk({ role: 'assistant', content: '' })
  const whole = opening + chunk({ content: 'Hé' }) + chunk({ content: 'llo' }) + chunk({}, 'stop') + usage

  it('says the same in whatever runs it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(bytes(whole + END).length)), (places) => {
        const { text, end, seen, watcher } = run(cutAt(bytes(whole + END), places))
        const said = text.matchAll(/"content":"([^"]*)"/g)
        expect([...said].map(([, piece]) => piece).join('')).toBe('Héllo')
        expect(new TextDecoder().decode(end)).toBe(END)
        expect(seen.find((one) => one.usage)?.usage).toMatchObject({ input: 5, output: 2 })
        expect(watcher.finished()).toBe(true)
        expect(watcher.outputEstimate()).toBe(2)
      }),
    )
  })

  it('takes an opening for no content, and a text for content', () => {
    const { seen } = run([bytes(opening), bytes(chunk({ content: 'x' }))])
    expect(seen.map(({ content }) => content)).toEqual([false, true, false])
  })

  it('ends by itself where the provider finished without an end mark', () => {
    const { seen, end } = run([bytes(whole)])
    expect(seen.at(-1)).toMatchObject({ ended: true })
    expect(new TextDecoder().decode(end)).toBe(END)
  })

  it('does not end where the provider did not finish', () => {
    const { seen, watcher } = run([bytes(opening + chunk({ content: 'x' }))])
    expect(seen.at(-1)).toMatchObject({ ended: false })
    expect(watcher.finished()).toBe(false)
  })

  it('gives a failure, and nothing behind it', () => {
    const failure = 'data: {"error":{"message":"no more","type":"t","code":"c"}}\n\n'
    const { seen, text } = run([bytes(opening + failure + chunk({ content: 'x' }) + END)])
    expect(seen[0]?.failure).toMatchObject({ message: 'no more', code: 'c' })
    expect(text).not.toContain('"x"')
    expect(seen.some(({ ended }) => ended)).toBe(false)
  })

  it('cannot be read where a frame is no JSON, but does not care once the answer is over', () => {
    const broken = 'data: {"choices": [\n\n'
    const failure = 'data: {"error":{"message":"no more","type":"t","code":"c"}}\n\n'
    expect(() => run([bytes(opening + broken)])).toThrow(expect.objectContaining({ code: 'upstream.unreadable' }))
    const { seen, text } = run([bytes(whole + END + broken)])
    expect(seen[0]).toMatchObject({ ended: true })
    expect(text).toContain('llo')
    expect(run([bytes(opening + failure + broken)]).seen[0]?.failure).toMatchObject({ message: 'no more' })
  })
})
