// The compaction of a conversation at a provider without that endpoint: its answer has the user's messages and an encrypted
// summary, from which the conversation continues.
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { openaiCompaction } from '../../../core/dialects/compaction/openai-compaction.ts'
import { SUMMARY_PREFACE } from '../../../core/dialects/compaction/summary.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { replaceCompactions } from '../../../core/dialects/openai-responses/compaction.ts'
import type { Json } from '../../support/json.ts'

const parse = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const encrypt = (text: string) => `sealed ${Buffer.from(text).toString('base64')}`
const decrypt = (sealed: string) => Buffer.from(sealed.replace('sealed ', ''), 'base64').toString()

const conversation = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'Which dams are there?' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two.' }] },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Where?' }] },
]
const head = { ...openaiCompaction.readRequestHead(toJsonBytes({ model: 'm', input: conversation })), encrypt }
const usage = { input: 50, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 7, reasoning: 0 }
const answer = (...texts: string[]): ModelEvent[] => [
  { type: 'start', id: 'abc', model: 'm', created: 5 },
  ...texts.map((text) => ({ type: 'text' as const, text, choice: 0 })),
  { type: 'usage', usage: { ...usage, source: 'reported' } },
  { type: 'end' },
]
const written = (events: ModelEvent[]) => parse(openaiCompaction.writeWholeReply(events, head))

describe('a summary that Weir has requested', () => {
  it("stands behind the user's messages, with the usage of the provider", () => {
    const reply = written(answer('Two dams, ', 'in the north.'))
    expect(reply).toMatchObject({
      ...{ id: 'abc', object: 'response.compaction', created_at: 5 },
      output: [
        { id: 'msg_abc_0', type: 'message', role: 'user', status: 'completed', content: 'Which dams are there?' },
        { id: 'msg_abc_1', type: 'message', role: 'user', status: 'completed' },
        { id: 'cmp_abc', type: 'compaction' },
      ],
      usage: { input_tokens: 50, output_tokens: 7, total_tokens: 57 },
    })
    expect(JSON.stringify(reply)).not.toMatch(/in the north/)
    expect(openaiCompaction.readAnswerReport(toJsonBytes(reply)).usage).toMatchObject(usage)
  })

  it('is what the conversation continues from', () => {
    const { output } = written(answer('Two dams, ', 'in the north.'))
    const next = { role: 'user', content: 'And the oldest?' }
    const { input } = parse(replaceCompactions(toJsonBytes({ model: 'm', input: [...output, next] }), decrypt))
    expect(input).toHaveLength(4)
    expect(input.slice(0, 2)).toEqual(output.slice(0, 2))
    expect(input[2]).toMatchObject({
      role: 'user',
      content: [{ text: `${SUMMARY_PREFACE}\n\nTwo dams, in the north.` }],
    })
    expect(input[3]).toEqual(next)
  })

  it('is none if the model wrote nothing, and an error if it failed', () => {
    for (const events of [answer(), answer(' \n')])
      expect(() => written(events)).toThrow(expect.objectContaining({ code: 'upstream.empty' }))
    const failure = {
      status: 500,
      message: 'broken',
      type: 'error',
      code: null,
      param: null,
      source: 'upstream',
    } as const
    expect(written([{ type: 'failure', failure }])).toMatchObject({ error: { message: 'broken' } })
  })

  it('is empty in the answer of a provider that has no item of its own', () => {
    const own = { id: 'cmp_1', type: 'compaction', encrypted_content: 'of the provider' }
    const isEmpty = (output: unknown) => openaiCompaction.readAnswerReport(toJsonBytes({ output })).isEmpty!()
    expect(isEmpty([conversation[3], own])).toBe(false)
    expect(isEmpty([conversation[3]])).toBe(true)
    expect(isEmpty(undefined)).toBe(true)
  })
})
