// JSON without a schema, asked for in every format: a switch where the vendor has one, one line to the system where not.
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { libraryAskDialect } from '../../../core/dialects/provider-only/library-ask.ts'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import type { Dialect, ProviderDialect } from '../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { formatInWords } from '../../../core/dialects/json-schema/words.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiCompactionTrigger } from '../../../core/dialects/compaction/openai-compaction-trigger.ts'
import { openaiCompaction } from '../../../core/dialects/compaction/openai-compaction.ts'
import { openaiCompletions } from '../../../core/dialects/openai-completions.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { allProviders } from '../../../core/providers/index.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const LINE = formatInWords({})

/** The same wish in each format that has a word for it. */
const callers: [name: string, dialect: Dialect, body: object][] = [
  [
    'chat',
    openaiChat,
    { model: 'm', response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'A colour' }] },
  ],
  ['Responses', openaiResponses, { model: 'm', text: { format: { type: 'json_object' } }, input: 'A colour' }],
  [
    'Gemini',
    geminiGenerate,
    {
      contents: [{ role: 'user', parts: [{ text: 'A colour' }] }],
      generationConfig: { responseMimeType: 'application/json' },
    },
  ],
]

/** Formats without a switch: Claude's, prompts', and those that only a provider speaks. Summaries are prose. */
const spoken = new Set(allProviders.flatMap(({ chat = [] }) => chat.map(({ dialect }) => dialect)))
const switched = new Set<unknown>([openaiChat, openaiResponses, geminiGenerate])
const others = new Set<unknown>([libraryAskDialect, openaiCompaction, openaiCompactionTrigger])
const without = [...spoken, openaiCompletions].filter(
  (dialect): dialect is ProviderDialect =>
    dialect.operation === 'chat' && !switched.has(dialect) && !others.has(dialect),
)

describe.each(callers)('JSON for callers of %s', (_, dialect, body) => {
  const read = (more: Partial<ModelRequest> = {}) => ({
    ...dialect.readModelRequest(bytes(body), { model: 'm' }),
    ...more,
  })

  it('is said once in words where there is no switch, and named', async () => {
    const failures = await listFailures(
      without,
      ({ name }) => name,
      (to) => {
        const { body: written, dropped } = to.writeModelRequest(read({ model: 'claude-sonnet-4-5' }))
        expect(new TextDecoder().decode(written).split(LINE)).toHaveLength(2)
        expect(dropped).toContain('response_format')
      },
    )
    expect(failures).toEqual([])
  })

  it('is a switch where there is one', () => {
    const json = (to: Dialect): Json => JSON.parse(new TextDecoder().decode(to.writeModelRequest(read()).body))
    expect(json(openaiChat).response_format).toEqual({ type: 'json_object' })
    expect(json(openaiResponses).text.format).toEqual({ type: 'json_object' })
    expect(json(geminiGenerate).generationConfig.responseMimeType).toBe('application/json')
    // OpenAI refuses the switch where nobody says the word; its own callers know.
    const said = JSON.stringify(json(openaiChat)).includes(LINE)
    expect(said).toBe(dialect === geminiGenerate)
  })
})

describe('a format in words', () => {
  const schema = { type: 'object', properties: { a: { type: 'object' } } }
  const asked: ModelRequest = {
    dialect: 'another',
    model: 'claude-sonnet-4-5',
    stream: false,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief' }] },
      { role: 'user', content: [{ type: 'text', text: '1' }] },
      { role: 'assistant', content: [{ type: 'text', text: '2' }] },
      { role: 'user', content: [{ type: 'text', text: '3' }] },
    ],
    response_format: { schema, name: 'shape' },
    extra: {},
  }
  const written = (more: Partial<ModelRequest>, to: ProviderDialect = anthropicMessages) => {
    const { body, dropped } = to.writeModelRequest({ ...asked, ...more }, 'auto')
    return { body: JSON.parse(new TextDecoder().decode(body)) as Json, dropped }
  }

  it('carries the schema that cannot be said, behind what is cached of the system', () => {
    const { body, dropped } = written({})
    expect(dropped).toEqual(['response_format'])
    expect(body.output_config).toBeUndefined()
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: expect.stringContaining(JSON.stringify(schema)) },
    ])
  })

  it('stands in for one that an older model, or a begun answer, would refuse', () => {
    const format = { schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
    const line = (more: Partial<ModelRequest>) =>
      JSON.stringify(written({ response_format: format, ...more }).body.system).includes(LINE)
    expect(line({})).toBe(false)
    expect(line({ model: 'claude-sonnet-4-20250514' })).toBe(true)
    expect(line({ messages: asked.messages.slice(0, 3) })).toBe(true)
  })

  it('stands in for the switch of Gemini that is refused beside tools', () => {
    const tools = [{ name: 'f' }]
    const old = written({ model: 'gemini-2.5-flash', tools }, geminiGenerate)
    expect(old.body.generationConfig?.responseMimeType).toBeUndefined()
    expect(JSON.stringify(old.body.systemInstruction)).toContain(LINE)
    expect(old.dropped).toContain('response_format')
    const newer = written({ model: 'gemini-3-pro-preview', tools }, geminiGenerate)
    expect(newer.body.generationConfig.responseMimeType).toBe('application/json')
  })

  it('stands in for an answer that is no object, which OpenAI has no switch for', () => {
    const list = { schema: { type: 'array', items: { type: 'string' } } }
    for (const to of [openaiChat, openaiResponses]) {
      const { body, dropped } = written({ model: 'gpt-5', response_format: list }, to)
      expect(body.response_format ?? body.text).toBeUndefined()
      expect(JSON.stringify(body)).toContain(LINE)
      expect(dropped).toEqual(['response_format'])
    }
  })
})
