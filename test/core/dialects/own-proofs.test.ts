// A conversation that went over several vendors, asked of one of them in its own format: all but the others' proofs is as it came.
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import {
  keepOwnSignature,
  dropEverySignature,
  tagEventSignature,
} from '../../../core/dialects/reasoning/reasoning-signature.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'
import { callers } from './fields/classify.ts'

const MODEL = 'a-model'
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const parse = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const event = { type: 'reasoning', text: 'Well.', choice: 0, signature: 'proof-of-thought' } as const
const markedBy = (format: string): string =>
  (tagEventSignature(event, format, '12345678') as { signature: string }).signature

/** In each format a turn of the model with a call and a thought of that proof, and the call's answer. */
const conversations: Record<string, (proof: string) => Json> = {
  'openai-chat': (proof) => ({
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Well.',
        reasoning_signature: proof,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: '***' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'd',
            type: 'function',
            function: { name: 'look', arguments: '{}' },
            extra_content: { google: { thought_signature: proof } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'd', content: 'done' },
    ],
  }),
  'openai-responses': (proof) => ({
    include: ['web_search_call.action.sources'],
    input: [
      { role: 'user', content: 'Look.' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Well.' }], encrypted_content: proof },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
    ],
  }),
  'anthropic-messages': (proof) => ({
    max_tokens: 2048,
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Well.', signature: proof },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: {} },
          { type: 'tool_use', id: 'functions.look:0', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions.look:0', content: 'done' }] },
    ],
  }),
  'gemini-generate': (proof) => ({
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }] },
      {
        role: 'model',
        parts: [
          { text: 'Well.', thought: true },
          { functionCall: { name: 'look', args: {} }, thoughtSignature: Buffer.from(proof).toString('base64') },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: {}, willContinue: false } }] },
    ],
  }),
}

const proving = callers.flatMap(({ dialect, base, samples }) =>
  dialect.convertReasoningSignatures && conversations[dialect.name]
    ? [[dialect.name, { dialect, base, samples }] as const]
    : [],
)

const written = (dialect: Dialect, said: object, proofOf = keepOwnSignature(dialect.name), model = MODEL): Json =>
  parse(dialect.convertReasoningSignatures!(bytes({ model, ...said }), proofOf, model).body)

/** Items that stand for themselves lose their ids, since others than the provider gave them. */
const standing = (said: Json): Json =>
  Array.isArray(said.input)
    ? {
        ...said,
        input: said.input.map(({ id, ...item }: Json) =>
          id === undefined || /^(function_call|custom_tool_call|message)$/.test(item.type ?? 'message')
            ? item
            : { id, ...item },
        ),
      }
    : said

describe.each(proving)('a request of %s at its own vendor', (name, { dialect, base, samples }) => {
  it('keeps every other field', async () => {
    const fields = Object.entries(samples).filter(([field]) => !/reasoning$|thinking$/.test(field))
    const failures = await listFailures(
      fields,
      ([field]) => field,
      ([, sample]) => {
        const said = { model: MODEL, ...base, ...sample.with }
        expect(written(dialect, said)).toEqual(standing(said))
      },
    )
    expect(failures).toEqual([])
  })

  it.each(proving.map(([other]) => other).filter((other) => other !== name))('leaves out the proof of %s', (other) => {
    const conversation = conversations[name]!(markedBy(other))
    expect(
      dialect.readRequestHead(bytes({ model: MODEL, ...conversation }), { model: MODEL, stream: false }).borrowed,
    ).toBe(true)
    const { body, dropped } = dialect.convertReasoningSignatures!(
      bytes({ model: MODEL, ...conversation }),
      keepOwnSignature(name),
      MODEL,
    )
    expect(new TextDecoder().decode(body)).not.toMatch(/weia|d2Vp|proof-of-thought/)
    expect(dropped.join()).toMatch(/reasoning_(signature|content)/)
  })

  it('is known by the last proof in it', () => {
    const proofOf = (...turns: Json[]) => {
      const [first = {}] = turns
      const list = ['messages', 'input', 'contents'].find((key) => key in first)!
      const said = { model: MODEL, ...first, [list]: turns.flatMap((turn) => turn[list]) }
      return dialect.readRequestHead(bytes(said), { model: MODEL, stream: false }).proof
    }
    const said = conversations[name]!
    const [one, other] = [markedBy(name), markedBy('another')]
    expect(proofOf(said(one))).toBe(one)
    expect(proofOf(said(other), said(one))).toBe(one)
    expect(proofOf(said(one), said(other))).toBe(other)
    expect(proofOf(said(one), said(''), base)).toBe(one)
    expect(proofOf(said(''), base)).toBeUndefined()
  })

  it('gives its own back as it was, and forgets that one too where it is to', () => {
    const conversation = conversations[name]!(markedBy(name))
    expect(JSON.stringify(written(dialect, conversation))).toContain('"proof-of-thought"')
    expect(JSON.stringify(written(dialect, conversation, dropEverySignature))).not.toContain('proof-of-thought')
  })
})

describe('what stands beside a proof', () => {
  it("spells ids as Claude takes them, and stops an older Claude's thinking in the middle of calls", () => {
    const { dialect } = callers.find((caller) => caller.dialect.name === 'anthropic-messages')!
    const said = {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      ...conversations['anthropic-messages']!(markedBy('openai-responses')),
    }
    const sonnet = written(dialect, said, undefined, 'claude-sonnet-4-5')
    expect(sonnet.thinking).toBeUndefined()
    expect(sonnet.messages[1].content.map(({ type }: Json) => type)).toEqual(['server_tool_use', 'tool_use'])
    expect([sonnet.messages[1].content[1].id, sonnet.messages[2].content[0].tool_use_id]).toEqual([
      'functions_look_0',
      'functions_look_0',
    ])
    const own = { ...said, ...conversations['anthropic-messages']!(markedBy('anthropic-messages')) }
    expect(written(dialect, own, undefined, 'claude-sonnet-4-5').thinking).toEqual(said.thinking)
    expect(written(dialect, said, undefined, 'claude-opus-4-8').thinking).toEqual(said.thinking)
  })

  it("puts Google's stand-in at the first call of a turn, from the third generation on", () => {
    const { dialect } = callers.find((caller) => caller.dialect.name === 'gemini-generate')!
    const said = conversations['gemini-generate']!(markedBy('openai-responses'))
    const call = (model: string) => written(dialect, said, undefined, model).contents[1].parts.at(-1)
    expect(call('gemini-3-pro')).toEqual({
      functionCall: { name: 'look', args: {} },
      thoughtSignature: 'skip_thought_signature_validator',
    })
    expect(call('gemini-2.5-flash')).toEqual({ functionCall: { name: 'look', args: {} } })
  })
})
