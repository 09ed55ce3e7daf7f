// The parts of a request other than text that determine its cost are found in each client format, in its own notation.
import { describe, expect, it } from 'vitest'
import * as library from '../../../core/index.ts'
import type { CallerDialect } from '../../../core/dialects/dialect.ts'
import type { RequestCostScanner } from '../../../core/dialects/requests/cost-scanner.ts'
import { listFailures } from '../../support/list-failures.ts'

const isDialect = (value: unknown): value is CallerDialect =>
  typeof value === 'object' && value !== null && 'readRequestHead' in value && 'writeErrorReply' in value
const dialects = Object.values(library as Record<string, unknown>).filter(isDialect)

type Found = keyof { [K in keyof RequestCostScanner as K extends 'countMedia' ? 'pictures' | 'files' : K]: true }
type Samples = Partial<Record<Found, object[]>>

const part = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })
const item = (content: object) => ({ input: [{ role: 'user', content: [content] }] })
const tool = (...tools: object[]) => tools.map((one) => ({ tools: [one] }))
const turn = (one: object) => ({ contents: [{ role: 'user', parts: [one] }] })

/** As the vendors' own documentation writes them. */
const samples: Record<string, Samples> = {
  'openai-chat': {
    pictures: [part({ type: 'image_url', image_url: { url: 'https://host/a.png' } })],
    files: [
      part({ type: 'file', file: { file_id: 'file-1' } }),
      part({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
      { web_search_options: {}, tools: [{ type: 'web_search' }] },
    ],
    mentionsHostedTools: tool({ type: 'web_search' }, { type: 'code_interpreter' }, { type: 'mcp' }),
    mentionsReasoning: [{ reasoning_effort: 'low' }, { thinking: { type: 'enabled' } }, { enable_thinking: true }],
    requestsMediaOutput: [{ modalities: ['text', 'audio'] }, { audio: { voice: 'ash', format: 'wav' } }],
    requestsAudioOutput: [{ modalities: ['text', 'audio'] }],
  },
  'openai-responses': {
    pictures: [item({ type: 'input_image', image_url: 'https://host/a.png' })],
    files: [
      item({ type: 'input_file', file_id: 'file-1' }),
      { previous_response_id: 'resp_1' },
      { conversation: 'conv_1' },
    ],
    mentionsHostedTools: tool(
      { type: 'web_search' },
      { type: 'web_search_preview' },
      { type: 'file_search', vector_store_ids: [] },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'image_generation' },
      { type: 'mcp', server_label: 'x' },
    ),
    mentionsReasoning: [{ reasoning: { effort: 'high' } }],
    requestsMediaOutput: [{ modalities: ['text', 'audio'] }],
    requestsAudioOutput: [{ modalities: ['audio'] }],
  },
  'anthropic-messages': {
    pictures: [part({ type: 'image', source: { type: 'url', url: 'https://host/a.png' } })],
    files: [
      part({ type: 'document', source: { type: 'url', url: 'https://host/a.pdf' } }),
      part({ type: 'image', source: { type: 'file', file_id: 'file_1' } }),
    ],
    mentionsHostedTools: [
      ...tool({ type: 'web_search_20250305', name: 'web_search' }, { type: 'web_fetch_20250910', name: 'web_fetch' }),
      ...tool({ type: 'code_execution_20250825', name: 'code_execution' }),
      { mcp_servers: [{ type: 'url', url: 'https://host', name: 'it' }] },
      { container: 'container_1' },
    ],
    mentionsReasoning: [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: { type: 'adaptive' } }],
  },
  'gemini-generate': {
    pictures: [turn({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }), turn({ inline_data: { data: 'AAAA' } })],
    files: [turn({ fileData: { fileUri: 'https://host/a.mp4' } }), { cachedContent: 'cachedContents/1' }],
    mentionsHostedTools: [
      ...tool({ googleSearch: {} }, { google_search: {} }, { google_search_retrieval: {} }, { urlContext: {} }),
      ...tool({ codeExecution: {} }, { googleMaps: {} }, { fileSearch: {} }),
    ],
    mentionsReasoning: [
      { generationConfig: { thinkingConfig: { thinkingBudget: 10 } } },
      { generation_config: { thinking_config: { thinking_level: 'low' } } },
    ],
    requestsMediaOutput: [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
    requestsAudioOutput: [{ generationConfig: { responseModalities: ['AUDIO'] } }],
  },
}
samples['openai-completions'] = samples['openai-chat']!

const found = (words: RequestCostScanner, what: Found, request: string): boolean =>
  what === 'pictures' || what === 'files' ? words.countMedia(request)[what] > 0 : words[what](request)

describe('what a request says beside its text', () => {
  const chats = dialects.filter(({ operation }) => operation === 'chat')

  it('is shown for every format of chats', () => {
    expect(Object.keys(samples).sort()).toEqual(chats.map(({ name }) => name).sort())
  })

  it.each(chats.map((dialect) => [dialect.name, dialect] as const))('is found in %s', (name, { words }) => {
    for (const [what, requests] of Object.entries(samples[name]!))
      for (const request of requests)
        expect(found(words, what as Found, JSON.stringify(request)), `${what} ${JSON.stringify(request)}`).toBe(true)
  })

  it('is not found in a text of any format', async () => {
    const failures = await listFailures(
      dialects,
      ({ name }) => name,
      ({ words }) => {
        const said = JSON.stringify({
          thinking: true,
          audio: 1,
          image: 1,
          file: 1,
          web_search: 1,
          response_modalities: 1,
        })
        const request = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: said }] })
        const all: Found[] = [
          'pictures',
          'files',
          'mentionsHostedTools',
          'mentionsReasoning',
          'requestsMediaOutput',
          'requestsAudioOutput',
        ]
        expect(all.filter((what) => found(words, what, request))).toEqual([])
      },
    )
    expect(failures).toEqual([])
  })

  it('is reported under keys that every format names', async () => {
    const failures = await listFailures(
      dialects,
      ({ name }) => name,
      (dialect) => {
        expect(dialect.usageKeys.length).toBeGreaterThan(0)
        expect(dialect.modelKeys.length).toBeGreaterThan(0)
      },
    )
    expect(failures).toEqual([])
  })
})
