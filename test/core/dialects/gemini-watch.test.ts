// Gemini's streams that pass: untouched, the last frame held back, usage and failures found.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf, cutAt } from '../../support/recordings.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const candidate = (parts: unknown[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
})
const frame = (value: unknown) => `data: ${JSON.stringify(value)}\r\n\r\n`

describe('recorded streams', () => {
  const streams = recordingsOf('google.generateContent').filter(({ response }) => response.sse)
  it('pass untouched in whatever runs', async () => {
    const failures = await listFailures(
      streams,
      ({ id }) => id,
      (recording) => {
        const whole = bytesOf(recording)
        fc.assert(
          fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (places) => {
            const watcher = geminiGenerate.watcher(head)
            const glances = [...cutAt(whole, places).map((run) => watcher.look(run)), watcher.close()]
            const passed = glances.flatMap(({ pass, end }) => [...pass, ...(end ? [end] : [])])
            expect(Buffer.concat(passed).equals(Buffer.from(whole))).toBe(true)
            expect(glances.map(({ ended }) => ended).indexOf(true)).toBe(glances.length - 1)
            // The frame that ends it leaves last, when the call is settled.
            expect(Buffer.from(glances.at(-1)!.end!).toString()).toMatch(/finishReason|blockReason/)
            expect(watcher.finished()).toBe(true)
          }),
          { numRuns: 15 },
        )
      },
    )
    expect(failures).toEqual([])
  })
})

describe('a stream that passes', () => {
  const chunks = (...values: unknown[]) => new TextEncoder().encode(values.map(frame).join(''))
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2 }

  it('is content from its first words or calls on', () => {
    const seen = [
      [{ text: '' }],
      [{ text: 'x' }],
      [{ functionCall: { name: 'f' } }],
      [{ text: '', thoughtSignature: 's' }],
      [{ inlineData: { data: 'AA' } }],
    ]
    expect(seen.map((parts) => geminiGenerate.watcher(head).look(chunks(candidate(parts))).content)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ])
  })

  it('tells usage with every chunk that has it', () => {
    const watcher = geminiGenerate.watcher(head)
    expect(watcher.look(chunks({ ...candidate([{ text: 'x' }]), usageMetadata })).usage).toMatchObject({
      input: 3,
      output: 2,
    })
    expect(watcher.outputEstimate()).toBe(1)
  })

  it('did not end without a finish reason', () => {
    const watcher = geminiGenerate.watcher(head)
    watcher.look(chunks(candidate([{ text: 'x' }])))
    expect(watcher.close()).toMatchObject({ ended: false })
    expect(watcher.finished()).toBe(false)
  })

  it.each([
    ['in a frame', frame({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } })],
    ['bare', '{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}\r\n\r\n'],
  ])('fails by an error %s, which the caller does not see', (_, text) => {
    const watcher = geminiGenerate.watcher(head)
    const glance = watcher.look(
      new TextEncoder().encode(frame(candidate([{ text: 'x' }])) + text + frame(candidate([{ text: 'y' }]))),
    )
    expect(glance.failure).toMatchObject({ status: 503, message: 'overloaded', type: 'UNAVAILABLE' })
    expect(Buffer.concat(glance.pass).toString()).toBe(frame(candidate([{ text: 'x' }])))
    expect(watcher.close().ended).toBe(false)
  })
})
