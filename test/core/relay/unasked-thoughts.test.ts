// An answer begins with what was asked for: proofs of thought stand before calls, and elsewhere only for callers who
// asked to see thoughts. Every provider that proves × every caller's format × asked or not × streamed or not.
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { wrapProviderDialect } from '../../../core/relay/answers/translate.ts'
import { listFailures } from '../../support/list-failures.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const PROOF = 'c2lnbmF0dXJl'

/** A caller's request, and what it says of thoughts. */
const callers: { ours: Dialect; request: object; asks: object[] }[] = [
  {
    ours: anthropicMessages,
    request: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
    asks: [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: { type: 'adaptive' } }],
  },
  {
    ours: openaiResponses,
    request: { model: 'm', input: 'Hello' },
    asks: [{ reasoning: { effort: 'low' } }, { include: ['reasoning.encrypted_content'] }],
  },
  {
    ours: openaiChat,
    request: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
    asks: [{ reasoning_effort: 'low' }, { thinking: { type: 'enabled' } }],
  },
  {
    ours: geminiGenerate,
    request: { model: 'm', contents: [{ parts: [{ text: 'Hello' }] }] },
    asks: [{ generationConfig: { thinkingConfig: { includeThoughts: true } } }],
  },
]

/** What providers prove without a word, before a text and before a call. */
const answers = (led: 'text' | 'call'): { theirs: Dialect; answer: object }[] => [
  {
    theirs: geminiGenerate,
    answer: {
      candidates: [
        {
          content: {
            parts: [
              {
                ...(led === 'text' ? { text: 'Hi' } : { functionCall: { name: 'f', args: {} } }),
                thoughtSignature: PROOF,
              },
            ],
          },
          finishReason: 'STOP',
        },
      ],
    },
  },
  {
    theirs: anthropicMessages,
    answer: {
      ...{
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        stop_reason: led === 'text' ? 'end_turn' : 'tool_use',
      },
      content: [
        { type: 'thinking', thinking: '', signature: PROOF },
        led === 'text' ? { type: 'text', text: 'Hi' } : { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  {
    theirs: openaiResponses,
    answer: {
      ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm' },
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: PROOF },
        led === 'text'
          ? {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
            }
          : { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
]

/** Places of proofs, in any format. */
const PROVING = /"type":"(thinking|redacted_thinking|reasoning)"|"thought":true|reasoning_signature|thoughtSignature/
const PROVING_CALL = /"signature":"|encrypted_content|reasoning_signature|thoughtSignature|thought_signature/

/** What a caller reads of an answer: whole, and as a stream. */
function said(theirs: Dialect, ours: Dialect, answer: object, request: object): string[] {
  const head = ours.readRequestHead(bytes(request), { model: 'm', stream: false })
  const birth = { id: 'one', now: () => 7 }
  const events = wrapProviderDialect(theirs, ours, {}, head, birth).readWholeReply(bytes(answer))
  const stream = encodeEventFrames(events.flatMap(ours.writer(head)))
  return [ours.writeWholeReply(events, head), stream].map((written) => new TextDecoder().decode(written))
}

const pairs = (led: 'text' | 'call') =>
  answers(led).flatMap((answer) =>
    callers.filter(({ ours }) => ours !== answer.theirs).map((caller) => ({ ...answer, ...caller })),
  )
const nameOf = ({ theirs, ours }: { theirs: Dialect; ours: Dialect }) => `${theirs.name} for ${ours.name}`
const hasProof = (written: string) =>
  written.includes(PROOF) || written.includes(Buffer.from(PROOF).toString('base64').slice(0, 12))

describe('a proof of thought', () => {
  it('before a text is for callers alone who asked to see thoughts', async () => {
    const failures = await listFailures(pairs('text'), nameOf, ({ theirs, ours, answer, request, asks }) => {
      for (const written of said(theirs, ours, answer, request)) {
        expect(hasProof(written), written).toBe(false)
        expect(written).not.toMatch(PROVING)
        expect(written).toContain('Hi')
      }
      for (const ask of asks) {
        for (const written of said(theirs, ours, answer, { ...request, ...ask })) expect(written).toContain('Hi')
        const [whole = ''] = said(theirs, ours, answer, { ...request, ...ask })
        expect(whole).toMatch(PROVING)
      }
    })
    expect(failures).toEqual([])
  })

  it('before a call is for every caller, because its provider needs it back', async () => {
    const failures = await listFailures(pairs('call'), nameOf, ({ theirs, ours, answer, request, asks }) => {
      for (const more of [{}, ...asks]) {
        for (const written of said(theirs, ours, answer, { ...request, ...more })) {
          expect(written).toMatch(PROVING_CALL)
        }
      }
    })
    expect(failures).toEqual([])
  })
})
