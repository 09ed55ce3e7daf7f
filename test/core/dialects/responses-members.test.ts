// The members of a response next to its items: those that the request leaves out, and those of a response that is not complete.
import { describe, expect, it } from 'vitest'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { buildPendingResponse, toBackgroundResponse } from '../../../core/dialects/openai-responses/response.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import type { Json } from '../../support/json.ts'
import { lastResponse } from '../../support/response-reading.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** A complete response to a request. */
function answer(request: object = {}): Json {
  const head = openaiResponses.readRequestHead(bytes({ model: 'm', input: 'Hello', ...request }))
  const written = openaiResponses.writeWholeReply(
    [
      { type: 'start', id: 'r', model: 'm', created: 1 },
      { type: 'text', text: 'Hi', choice: 0 },
      { type: 'finish', reason: 'stop', choice: 0 },
      { type: 'end' },
    ],
    head,
  )
  return JSON.parse(new TextDecoder().decode(written))
}

describe('a member that the request leaves out', () => {
  const recorded = recordingsOf('openai.responses')
    .filter(({ provider }) => provider === 'openai')
    .map((recording) => ({
      asked: (recording.request?.body ?? {}) as Json,
      told: (recording.response.sse ? lastResponse(recording) : recording.response.body) as Json | undefined,
    }))
    .filter(({ told }) => told?.object === 'response')
  /** The members of the answer itself, and those that depend on the model or on the account. */
  const OWN = ['id', 'created_at', 'completed_at', 'model', 'output', 'usage', 'store', 'text']

  it("has a value that OpenAI's own answers have", () => {
    expect(recorded.length).toBeGreaterThan(0)
    for (const [name, value] of Object.entries(answer())) {
      const values = recorded.flatMap(({ asked, told }) => (name in asked || !(name in told!) ? [] : [told![name]]))
      if (!OWN.includes(name) && values.length > 0) expect(values, name).toContainEqual(value)
    }
  })

  it('has the value of the request otherwise, complete', () => {
    const tool = { type: 'function', name: 'f' }
    const format = { type: 'json_schema', name: 'n', schema: {} }
    const set = {
      temperature: 0.5,
      top_p: 0.9,
      tools: [tool, { type: 'web_search' }],
      text: { format, verbosity: 'low' },
    }
    expect(answer({ ...set, reasoning: { effort: 'low' }, metadata: { a: 'b' } })).toMatchObject({
      ...{ temperature: 0.5, top_p: 0.9, metadata: { a: 'b' }, reasoning: { effort: 'low', summary: null } },
      tools: [{ ...tool, description: null, parameters: null, strict: true }, { type: 'web_search' }],
      text: { format: { ...format, description: null, strict: false }, verbosity: 'low' },
    })
  })
})

describe('a background response', () => {
  const known = { id: 'resp_1', model: 'm', created_at: 1, metadata: { a: 'b' } }

  it.each(['queued', 'in_progress', 'failed', 'cancelled'] as const)(
    'that is %s has the members of a complete one',
    (status) => {
      const pending = buildPendingResponse({ ...known, status, ...(status === 'failed' ? { error: 'lost' } : {}) })
      const whole = answer()
      expect(Object.keys(pending).sort()).toEqual(Object.keys(whole).sort())
      expect(pending).toEqual({
        ...whole,
        ...{ ...known, status, completed_at: null, background: true, store: true, output: [], usage: null },
        error: status === 'failed' ? { code: 'server_error', message: 'lost' } : null,
      })
    },
  )

  it('that is complete has the id that its caller knows', () => {
    const whole = answer()
    expect(toBackgroundResponse(whole, 'resp_1')).toEqual({ ...whole, id: 'resp_1', background: true, store: true })
  })
})
