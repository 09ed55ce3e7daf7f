// The fields that a family of models refuses are derived from the table: no request for such a model contains them.
import { joinParts } from '../../../core/dialects/json/json-bytes.ts'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import type { RefusableField } from '../../../core/dialects/reasoning/family-row.ts'
import {
  canReason,
  findModelFamily,
  fitRequestToModel,
  findNearestEffort,
  patchForModel,
  listRefusedFields,
} from '../../../core/dialects/reasoning/model-fit.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { allProviders } from '../../../core/providers/index.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'

const formats = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

const said: Record<RefusableField, unknown> = {
  ...{ temperature: 0.3, top_p: 0.4, top_k: 5, presence_penalty: 0.6, frequency_penalty: 0.7, n: 2, stop: ['END'] },
  ...{ logprobs: true, top_logprobs: 3, logit_bias: { 50256: -100 } },
}
const words: Partial<Record<RefusableField, RegExp>> = {
  n: /"(n|candidateCount)":/,
  stop: /"stop\w*":/i,
  logprobs: /"(response)?logprobs":/i,
}
const wordFor = (field: RefusableField) =>
  words[field] ?? new RegExp(`"(${field}|${field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())})":`)

const base: ModelRequest = {
  ...{ dialect: 'another', model: '', stream: false, extra: {} },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
}

const names = [
  ...new Set(allProviders.flatMap(({ models }) => models)),
  ...[
    'o1',
    'o3',
    'o3-mini',
    'o4-mini-2025-04-16',
    'gpt-5-chat-latest',
    'gpt-5.1-chat-latest',
    'gpt-5-pro',
    'gpt-5.2-pro',
  ],
  ...['gpt-5.1-codex-max', 'gpt-5.3-codex', 'gpt-4o-search-preview', 'gpt-5-search-api', 'openai/gpt-5.5', 'gpt-7'],
  ...['claude-opus-4-7', 'us.anthropic.claude-opus-4-8-v1:0', 'claude-sonnet-4-20250514', 'gemini-2.5-flash', 'grok-4'],
]

describe.each(formats)('a request written as $name', (format) => {
  it('names nothing that its model refuses', async () => {
    const failures = await listFailures(names, String, (model) => {
      const family = findModelFamily(model, format.name)
      for (const reasoning_effort of [undefined, 'none', 'high']) {
        const request = { ...base, ...said, model, reasoning_effort } as ModelRequest
        const { request: fit, lost } = fitRequestToModel(request, format.name)
        const text = new TextDecoder().decode(format.writeModelRequest(fit).body)
        for (const field of listRefusedFields(family, fit.reasoning_effort)) {
          expect(text).not.toMatch(wordFor(field))
          expect(lost).toContain(field)
        }
        if (family.efforts && reasoning_effort) {
          const taken: readonly unknown[] = family.efforts.length > 0 ? family.efforts : [undefined]
          expect(taken).toContain(fit.reasoning_effort)
        }
      }
    })
    expect(failures).toEqual([])
  })

  it('names nothing that was what the model does anyway', () => {
    for (const model of names) {
      const usual = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, n: 1, stop: [], tools: [] }
      expect(fitRequestToModel({ ...base, ...usual, model }, format.name).lost).toEqual([])
    }
  })
})

it.each([
  ['gpt-5.4', 'none', 'none low medium high xhigh'],
  ['gpt-5.5-2026-04-24', 'medium', 'none low medium high xhigh'],
  ['gpt-5', 'medium', 'minimal low medium high'],
  ['gpt-6.2-sol', 'medium', 'low medium high xhigh'],
  ['o4-mini', 'medium', 'low medium high'],
  ['openai/gpt-5.2', 'none', 'none low medium high xhigh'],
])('%s thinks %s unasked, and takes %s', (model, effort, efforts) => {
  expect(findModelFamily(model, 'openai-chat')).toMatchObject({ effort, efforts: efforts.split(' ') })
})

it('takes the nearest effort', () => {
  const family = findModelFamily('gpt-5.5', 'openai-responses')
  expect(['minimal', 'max', 'medium', 'auto'].map((word) => findNearestEffort(family, word))).toEqual([
    ...['none', 'xhigh', 'medium', 'auto'],
  ])
  expect(findNearestEffort(findModelFamily('gpt-6-astra', 'openai-chat'), 'none')).toBe('low')
  expect(findNearestEffort(findModelFamily('gpt-4o', 'openai-chat'), 'high')).toBeUndefined()
  expect([
    canReason(findModelFamily('gpt-4o', 'openai-responses')),
    canReason(findModelFamily('o3', 'openai-responses')),
  ]).toEqual([false, true])
})

it('knows a deployment by the name that was asked for', () => {
  const request = { ...base, model: 'our-own', requestedModel: 'gpt-5.5', temperature: 0.2, max_tokens: 9 }
  const { request: fit, lost } = fitRequestToModel(request, 'openai-chat')
  expect(lost).toEqual(['temperature'])
  expect(json(openaiChat.writeModelRequest(fit).body)).toMatchObject({ model: 'our-own', max_completion_tokens: 9 })
})

it('leaves out what speaks of tools where there are none, and empty lists', () => {
  const request = {
    ...base,
    model: 'gpt-4o',
    tools: [],
    tool_choice: 'auto' as const,
    parallel_tool_calls: false,
    stop: [],
  }
  const { request: fit, lost } = fitRequestToModel(request, 'openai-chat')
  expect(Object.keys(fit).sort()).toEqual(Object.keys(base).sort())
  expect(lost).toEqual([])
})

describe('a request of the provider’s own format', () => {
  const head = { model: 'gpt-5.5', stream: false, include_usage: false, prompt_estimate: 1 }
  const patched = (request: object, model = 'gpt-5.5') =>
    json(
      joinParts(openaiChat.patchRequestBody(bytes({ model, messages: [], ...request }), { model, head, override: {} })),
    )

  it('names the limit as newer models want it', () => {
    expect(patched({ max_tokens: 7 })).toEqual({ model: 'gpt-5.5', messages: [], max_completion_tokens: 7 })
    expect(patched({ max_tokens: 7, max_completion_tokens: 8 })).toEqual({
      ...{ model: 'gpt-5.5', messages: [] },
      max_completion_tokens: 8,
    })
    const change = { model: 'mistral-large', head, override: {}, limit: 'max_tokens' }
    expect(
      json(joinParts(openaiChat.patchRequestBody(bytes({ ...change, max_completion_tokens: 7 }), change))).max_tokens,
    ).toBe(7)
    const model = 'gpt-4o'
    const old = bytes({ model, messages: [], max_tokens: 7 })
    expect(joinParts(openaiChat.patchRequestBody(old, { model, head: { ...head, model }, override: {} }))).toBe(old)
  })

  it.each(['openai-chat', 'openai-responses', 'anthropic-messages'])(
    'is mended as %s where the channel says so',
    (format) => {
      for (const model of names) {
        const refused = listRefusedFields(findModelFamily(model, format), 'max')
        const { override, lost } = patchForModel(
          bytes({ model, ...said, reasoning_effort: 'max', stop: ['END'] }),
          format,
          model,
          model,
        )
        const family = findModelFamily(model, format)
        if (family.refuses.size + family.thinking.size === 0) continue
        const still = listRefusedFields(family, (override.reasoning_effort ?? 'max') as string)
        expect(
          Object.keys(override)
            .filter((key) => override[key] === null && key !== 'reasoning_effort')
            .sort(),
        ).toEqual([...still].sort())
        expect(refused).toEqual(expect.arrayContaining([...still]))
        expect(lost.filter((field) => field !== 'reasoning_effort').sort()).toEqual([...still].sort())
      }
    },
  )

  it('is mended inside its configuration in Google’s', () => {
    const body = bytes({
      contents: [],
      generation_config: { temperature: 0.1, presence_penalty: 0.5, frequencyPenalty: 0 },
    })
    expect(patchForModel(body, 'gemini-generate', 'gemini-2.5-pro', 'gemini-2.5-pro')).toEqual({
      override: { generation_config: { temperature: 0.1 } },
      lost: ['presence_penalty'],
    })
  })

  it('is asked with the nearest effort, and without empty lists', () => {
    const asked = bytes({ model: 'gpt-5.5', reasoning: { effort: 'max', summary: 'auto' }, stop: [] })
    expect(patchForModel(asked, 'openai-responses', 'gpt-5.5', 'gpt-5.5')).toEqual({
      override: { reasoning: { effort: 'xhigh', summary: 'auto' }, stop: null },
      lost: [],
    })
  })
})
