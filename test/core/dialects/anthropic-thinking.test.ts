// The thinking effort of Claude, by model and by suffix of its name, and the changes to a client's own bytes.
import { joinParts } from '../../../core/dialects/json/json-bytes.ts'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../../../core/dialects/anthropic-messages/thinking.ts'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import { fitRequestToModel } from '../../../core/dialects/reasoning/model-fit.ts'
import type { Json } from '../../support/json.ts'
import { anthropicVendor } from '../../vendors/anthropic.ts'
import { openVendor } from '../../vendors/vendor.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const plain = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const neutral: ModelRequest = {
  dialect: 'openai-chat',
  model: 'claude-sonnet-4-5',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  extra: {},
}
const written = (request: Partial<ModelRequest>) => {
  const fit = fitRequestToModel({ ...neutral, ...request }, anthropicMessages.name)
  const { body, dropped } = anthropicMessages.writeModelRequest(fit.request)
  return { ...json(body), dropped: [...fit.lost, ...dropped] }
}

/** Of each family the newest, and the last that may be told not to think. */
const CLAUDES = [
  'opus-5',
  'opus-5-5',
  'sonnet-5',
  'sonnet-5-5',
  'haiku-4-5',
  'haiku-5-5',
  'fable-5',
  'fable-5-1',
  'mythos-5-1',
]
const tools = [{ name: 'look_up', parameters: { type: 'object', properties: {} } }]

describe.each(CLAUDES.map((name) => `claude-${name}`))('%s', (model) => {
  it.each<[string, Partial<ModelRequest>]>([
    ['no effort', { reasoning_effort: 'none' }],
    ['a budget of 0', { reasoning_budget: 0 }],
    ['a tool that must be called', { tools, tool_choice: 'required' }],
    ['one tool that must be called', { tools, tool_choice: { name: 'look_up' } }],
    ['a forced tool and thinking', { tools, tool_choice: 'required', reasoning_effort: 'high' }],
    ['a forced tool and no thinking', { tools, tool_choice: 'required', reasoning_effort: 'none' }],
  ])('is asked for %s in words that its vendor takes', (_, request) => {
    const { dropped, ...body } = written({ model, max_tokens: 5000, ...request })
    const answer = openVendor(anthropicVendor, () => ({ text: 'Hello' }))
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' }
    const [, { refusal }] = answer({ method: 'POST', path: '/v1/messages', headers, json: body, body: bytes(body) })
    expect(refusal?.message).toBeUndefined()
    const isForced = request.tool_choice !== undefined
    expect(dropped.includes('tool_choice')).toBe(isForced && body.tool_choice.type === 'auto')
  })
})

it('words for no thinking are those of each Claude', () => {
  const off = (model: string) => {
    const { thinking, output_config } = written({ model, reasoning_effort: 'none' })
    return { thinking, output_config }
  }
  expect(off('claude-opus-5')).toEqual({ thinking: { type: 'disabled' } })
  expect(off('claude-opus-5-5')).toEqual({ output_config: { effort: 'low' } })
  expect(off('anthropic/claude-fable-5.2')).toEqual({ output_config: { effort: 'low' } })
  expect(off('claude-sonnet-5-5')).toEqual({ thinking: { type: 'between_tools' } })
  expect(off('claude-haiku-5-5')).toEqual({ thinking: { type: 'disabled' } })
})

describe('thinking', () => {
  it.each([
    ['claude-3-7-sonnet-20250219', 307],
    ['claude-3-5-haiku-latest', 305],
    ['claude-opus-4-20250514', 400],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 405],
    ['anthropic/claude-haiku-4.5', 405],
    ['claude-opus-4-6', 406],
    ['claude-fable-5-1', 501],
    ['claude-opus-5', 500],
    ['claude-2.1', 200],
    ['kimi-k2-thinking', undefined],
  ])('reads the version of %s', (model, version) => expect(parseClaudeVersion(model)).toBe(version))

  it('is a budget below the limit on older models', () => {
    expect(written({ reasoning_effort: 'low', max_tokens: 5000 })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 1024 },
      max_tokens: 5000,
    })
    expect(written({ reasoning_effort: 'high', max_tokens: 5000 }).thinking.budget_tokens).toBe(4000)
    expect(written({ reasoning_effort: 'high', max_tokens: 50 })).toMatchObject({
      thinking: { budget_tokens: 1024 },
      max_tokens: 1280,
    })
    expect(written({ reasoning_budget: 4999, max_tokens: 5000 }).thinking.budget_tokens).toBe(4999)
  })

  it('is an effort on newer ones, which take no sampling words', () => {
    const out = written({ model: 'claude-opus-5', reasoning_effort: 'xhigh', temperature: 0.2, top_k: 3 })
    expect(out).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'xhigh' },
      dropped: ['temperature', 'top_k'],
    })
    expect(out.temperature).toBeUndefined()
    expect(written({ model: 'claude-opus-4-6', reasoning_effort: 'xhigh' }).output_config).toEqual({ effort: 'high' })
    expect(written({ model: 'claude-opus-5', reasoning_budget: 9000 }).output_config).toEqual({ effort: 'medium' })
  })

  it.each(['claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-opus-4-6', 'claude-opus-5'])(
    'takes no sampling words with it, on %s',
    (model) => {
      const sampling = { temperature: 0.2, top_p: 0.5, top_k: 3 }
      const out = written({ model, reasoning_effort: 'high', max_tokens: 5000, ...sampling })
      expect(out).toMatchObject({ dropped: ['temperature', 'top_p', 'top_k'] })
      for (const word of Object.keys(sampling)) expect(out).not.toHaveProperty(word)
      expect(written({ model, reasoning_effort: 'high', max_tokens: 5000, temperature: 1 }).dropped).toEqual([])
    },
  )

  it('is left out, and said so, where it would be refused', () => {
    expect(written({ model: 'claude-3-5-haiku-latest', reasoning_effort: 'high' }).dropped).toEqual([
      'reasoning_effort',
    ])
    const tools = [{ name: 'f', parameters: { type: 'object' } }]
    expect(written({ reasoning_effort: 'high', tools, tool_choice: 'required' }).dropped).toEqual(['reasoning_effort'])
    const calling = { role: 'assistant' as const, content: [], tool_calls: [{ id: 'a', name: 'f', arguments: '{}' }] }
    const messages = [...neutral.messages, calling, { role: 'tool' as const, content: [], tool_call_id: 'a' }]
    expect(written({ reasoning_effort: 'high', messages }).dropped).toEqual(['reasoning_effort'])
    expect(written({ reasoning_effort: 'none' })).toMatchObject({ thinking: { type: 'disabled' }, dropped: [] })
  })
})

describe('the patch', () => {
  const head = anthropicMessages.readRequestHead(bytes(plain))
  const patched = (body: object, change: object) =>
    new TextDecoder().decode(
      joinParts(anthropicMessages.patchRequestBody(bytes(body), { model: plain.model, head, override: {}, ...change })),
    )

  it('changes the model and leaves every other byte', () => {
    const body = { ...plain, unknown: { x: [1, 2] }, top_k: 5 }
    expect(patched(body, { model: 'other' })).toBe(JSON.stringify({ ...body, model: 'other' }))
  })

  it('says what the name of the model implies, where the caller says nothing', () => {
    const implied = { max_tokens: 4000, reasoning_budget: 3200 }
    const { max_tokens: _, ...unlimited } = plain
    const out = JSON.parse(patched({ ...unlimited, temperature: 0.5 }, { implied }))
    expect(out).toEqual({ ...unlimited, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 3200 } })
    const said = { ...plain, max_tokens: 9000, thinking: { type: 'disabled' } }
    expect(patched(said, { implied })).toBe(JSON.stringify(said))
    expect(patched(plain, { implied: { max_tokens: 4000 } })).toBe(JSON.stringify(plain))
  })
})
