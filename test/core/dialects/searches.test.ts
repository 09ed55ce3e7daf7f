// The provider's own search: chosen in every caller's words, asked for in every provider's, and told to callers of Messages
// as Anthropic tells it, whole and streamed.
import { describe, expect, it } from 'vitest'
import { createTranslator, wrapProviderDialect } from '../../../core/relay/answers/translate.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { encodeEventFrames, type SseFrame } from '../../../core/dialects/answers/frames.ts'
import { fitRequestToModel } from '../../../core/dialects/reasoning/model-fit.ts'
import { dropEverySignature } from '../../../core/dialects/reasoning/reasoning-signature.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (run: Uint8Array): Json => JSON.parse(new TextDecoder().decode(run))
const text = (run: Uint8Array) => new TextDecoder().decode(run)

const formats: Dialect[] = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]
const user = [{ role: 'user', content: 'Hi' }]
const parameters = { type: 'object', properties: { q: { type: 'string' } } }

/** A forced search, with or without a function beside it. */
const forced = {
  'anthropic-messages': (beside: boolean) => ({
    ...{ model: 'm', max_tokens: 9, messages: user, tool_choice: { type: 'tool', name: 'web_search' } },
    tools: [
      { type: 'web_search_20250305', name: 'web_search' },
      ...(beside ? [{ name: 'f', input_schema: parameters }] : []),
    ],
  }),
  'openai-responses': (beside: boolean) => ({
    ...{ model: 'm', input: user, tool_choice: { type: 'web_search_preview' } },
    tools: [{ type: 'web_search_preview' }, ...(beside ? [{ type: 'function', name: 'f', parameters }] : [])],
  }),
}
const declaredIn: Record<string, (body: Json) => unknown[]> = {
  'openai-chat': ({ tools = [] }) => tools.map((tool: Json) => tool.function.name),
  'openai-responses': ({ tools = [] }) => tools.map((tool: Json) => tool.name ?? tool.type),
  'anthropic-messages': ({ tools = [] }) => tools.map((tool: Json) => tool.name),
  'gemini-generate': ({ tools = [] }) =>
    tools.flatMap((tool: Json) => (tool.functionDeclarations ?? []).map(({ name }: Json) => name)),
}
const chosenIn: Record<string, (body: Json) => unknown> = {
  'openai-chat': ({ tool_choice }) => tool_choice?.function?.name ?? tool_choice,
  'openai-responses': ({ tool_choice }) => tool_choice?.name ?? tool_choice?.type ?? tool_choice,
  'anthropic-messages': ({ tool_choice }) => tool_choice?.name ?? tool_choice?.type,
  'gemini-generate': ({ toolConfig }) => toolConfig?.functionCallingConfig?.allowedFunctionNames?.[0] ?? toolConfig,
}

describe.each(formats)('a search that is forced, at a provider of $name', (to) => {
  it.each(Object.entries(forced))('from %s: its own choice, or none', (from, bodyOf) => {
    const read = formats.find(({ name }) => name === from)!
    for (const beside of [false, true]) {
      for (const model of ['gpt-5.4', 'gpt-4o', 'gemini-3-flash', 'claude-sonnet-4-6', 'a-model']) {
        const request = { ...read.readModelRequest(bytes(bodyOf(beside))), dialect: 'another', model }
        const written = json(to.writeModelRequest(fitRequestToModel(request, to.name).request).body)
        const chosen = chosenIn[to.name]!(written)
        const declared = declaredIn[to.name]!(written)
        if (chosen !== undefined) expect(declared, `${model}: ${JSON.stringify(written)}`).toContain(chosen)
        const searches = declared.includes('web_search')
        expect(chosen, model).toBe(searches ? 'web_search' : undefined)
      }
    }
  })

  it('chooses nothing that nobody has declared', () => {
    const body = { ...forced['anthropic-messages'](true), tool_choice: { type: 'tool', name: 'gone' } }
    const request = { ...anthropicMessages.readModelRequest(bytes(body)), dialect: 'another' }
    const { request: fit, lost } = fitRequestToModel(request, to.name)
    expect(fit.tool_choice).toBeUndefined()
    expect(lost).toContain('tool_choice')
  })
})

const sources = ['https://weir.example/a', 'https://weir.example/b']
const usage = { input_tokens: 5, output_tokens: 3, total_tokens: 8 }
const searched = (query: string, found: string[]) => ({
  ...{ id: 'ws_1', type: 'web_search_call', status: 'completed' },
  action: { type: 'search', query, sources: found.map((url) => ({ type: 'url', url })) },
})
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [
    {
      type: 'output_text',
      text: 'Found.',
      annotations: [{ type: 'url_citation', url: sources[0], title: 'A', start_index: 0, end_index: 5 }],
    },
  ],
}
const opened = {
  id: 'ws_2',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'open_page', url: sources[0] },
}
const output = [searched('weir', sources), searched('dam', []), opened, message]
const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', output, usage }
const grounded = {
  candidates: [
    {
      ...{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'Found.' }] } },
      groundingMetadata: {
        webSearchQueries: ['weir', 'dam'],
        groundingChunks: sources.map((uri) => ({ web: { uri, title: 'A' } })),
      },
    },
  ],
  ...{ usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 }, responseId: 'r1' },
}
const cited = {
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm', usage: { prompt_tokens: 5, completion_tokens: 3 } },
  choices: [
    {
      ...{ index: 0, finish_reason: 'stop' },
      message: {
        ...{ role: 'assistant', content: 'Found.' },
        annotations: sources.map((url) => ({ type: 'url_citation', url_citation: { url, title: 'A' } })),
      },
    },
  ],
}
const frame = (data: Json): SseFrame => ({ ...(data.type ? { event: data.type } : {}), data: JSON.stringify(data) })
const { message: said, ...choice } = cited.choices[0]!
const vendors: { theirs: Dialect; body: Json; frames: SseFrame[]; searches: number }[] = [
  {
    theirs: openaiResponses,
    body: response,
    frames: [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress', usage: null } },
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
      { type: 'response.completed', response },
    ].map(frame),
    searches: 2,
  },
  { theirs: geminiGenerate, body: grounded, frames: [frame(grounded)], searches: 2 },
  {
    theirs: openaiChat,
    body: cited,
    frames: [
      frame({ ...cited, object: 'chat.completion.chunk', choices: [{ ...choice, delta: said }] }),
      { data: '[DONE]' },
    ],
    searches: 1,
  },
]

describe.each(vendors)('a search by a provider of $theirs.name, told to a caller of Messages', (vendor) => {
  const { theirs, body, frames, searches } = vendor
  const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1, searches: true }
  const spoken = wrapProviderDialect(theirs, anthropicMessages, {}, head, { id: 'x', now: () => 1 })

  function check(content: Json[], counted: Json): void {
    const calls = content.filter(({ type }) => type === 'server_tool_use')
    const results = content.filter(({ type }) => type === 'web_search_tool_result')
    expect(calls).toHaveLength(searches)
    expect(calls.map(({ id }) => id)).toEqual(results.map(({ tool_use_id }) => tool_use_id))
    for (const { name, id } of calls) expect(`${name} ${id}`).toMatch(/^web_search srvtoolu_\w+$/)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(searches)
    if (searches > 1) expect(calls.map(({ input }) => input.query)).toEqual(['weir', 'dam'])
    expect(results[0]!.content.map(({ url }: Json) => url)).toEqual(sources)
    expect(results[0]!.content[0]).toMatchObject({ type: 'web_search_result', title: expect.any(String) })
    expect(content.filter(({ type }) => type === 'text').map((one) => one.text)).toEqual(['Found.'])
    expect(counted.server_tool_use.web_search_requests).toBe(searches)
  }

  it('whole', () => {
    const whole = json(anthropicMessages.writeWholeReply(spoken.readWholeReply(bytes(body)), head))
    check(whole.content, whole.usage)
  })

  it('streamed', () => {
    const translator = createTranslator(spoken, anthropicMessages, head)
    const glances = [translator.look(encodeEventFrames(frames)), translator.close()]
    const events = glances
      .flatMap(({ pass, end }) => [...pass.map((piece: Json) => piece.bytes ?? piece), ...(end ? [end] : [])])
      .flatMap((run) => [...text(run).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json))
    const blocks: Json[] = []
    for (const { type, index, content_block, delta } of events) {
      if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' }
      if (delta?.type === 'input_json_delta') blocks[index].json += delta.partial_json
      if (delta?.type === 'text_delta') blocks[index].text += delta.text
      if (type === 'content_block_stop' && blocks[index].json) blocks[index].input = JSON.parse(blocks[index].json)
    }
    check(blocks, events.find(({ type }) => type === 'message_delta')!.usage)
  })

  it('is left out of a history that goes to Anthropic, which has not sealed it', () => {
    const { content } = json(anthropicMessages.writeWholeReply(spoken.readWholeReply(bytes(body)), head))
    const history = { model: 'm', max_tokens: 9, messages: [...user, { role: 'assistant', content }, ...user] }
    expect(anthropicMessages.readRequestHead(bytes(history)).borrowed).toBe(true)
    const { body: proven, dropped } = anthropicMessages.convertReasoningSignatures!(
      bytes(history),
      dropEverySignature,
      'm',
    )
    expect(json(proven).messages[1].content.map(({ type }: Json) => type)).toEqual(['text'])
    expect(dropped).toContain('web_search_tool_result')
  })
})
