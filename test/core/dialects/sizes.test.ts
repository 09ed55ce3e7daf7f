// Names and numbers in the REQUEST_SIZE_LIMITS that a format takes: every caller's format to every format of the table.
import { describe, expect, it } from 'vitest'
import { createTranslator, wrapProviderDialect } from '../../../core/relay/answers/translate.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { fitRequestSizes, REQUEST_SIZE_LIMITS } from '../../../core/dialects/requests/sizes.ts'
import type { Json } from '../../support/json.ts'

const formats: Dialect[] = [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]
const targets = formats.filter(({ name }) => Object.hasOwn(REQUEST_SIZE_LIMITS, name))
const text = (run: Uint8Array) => new TextDecoder().decode(run)

const long = `mcp__5ae21acc-5fda-4317-803f-1a7a34a38c3d__notion-update-data-source_${'and_more_'.repeat(12)}`
const names = [long, `${long}2`, 'a.b:c', 'a_b_c', '9lives', 'plain']
const parameters = { type: 'object', properties: { q: { type: 'string' } } }
const call = (id: string, name: string) => ({ id, name, arguments: '{"q":"1"}' })

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ dialect: 'another', model: 'm', stream: false, extra: {} },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [], tool_calls: [call('c1', `${long}2`), call('c2', 'undeclared.and.called')] },
    { role: 'tool', tool_call_id: 'c1', name: `${long}2`, content: [{ type: 'text', text: '1' }] },
    { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: '2' }] },
  ],
  tools: names.map((name) => ({ name, parameters })),
  tool_choice: { name: long },
  ...more,
})

describe.each(targets)('a request in $name', ({ name: format, writeModelRequest: writeRequest }) => {
  const { name, tools = Infinity, stop = Infinity, user = Infinity, metadata } = REQUEST_SIZE_LIMITS[format]!

  it('gives each tool a name that is taken, the same in declarations, history and choice', () => {
    const { request: fit, tool_names, lost } = fitRequestSizes(request(), format)
    const given = fit.tools!.map((tool) => tool.name)
    for (const one of given) {
      expect(one.length).toBeLessThanOrEqual(name.most)
      expect([...one].every((letter) => name.letters.test(letter))).toBe(true)
      expect(name.first?.test(one) ?? true).toBe(true)
    }
    expect(new Set(given).size).toBe(names.length)
    expect(fit.messages[1]!.tool_calls!.map((one) => one.name)[0]).toBe(given[1])
    expect(fit.messages[2]!.name).toBe(given[1])
    expect(fit.tool_choice).toEqual({ name: given[0] })
    expect(given.map((one) => tool_names?.get(one) ?? one)).toEqual(names)
    expect(given[5]).toBe('plain')
    expect(lost).toEqual([])
    expect(fitRequestSizes(request(), format).request).toEqual(fit)
    const written = text(writeRequest(fit).body)
    expect(written).not.toContain(long.slice(0, name.most + 1))
  })

  it('leaves a request as it is that fits', () => {
    const fitting = request({ tools: [{ name: 'plain', parameters }], tool_choice: 'auto', messages: [] })
    expect(fitRequestSizes(fitting, format)).toEqual({ request: fitting, lost: [] })
    expect(fitRequestSizes(fitting, format).request).toBe(fitting)
  })

  it('names what is too many', () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ name: `tool_${index}`, parameters }))
    const said: Partial<ModelRequest> = {
      tools: many,
      tool_choice: { name: 'tool_599' },
      stop: Array.from({ length: 9 }, (_, index) => `stop ${index}`),
      user: 'u'.repeat(300),
      extra: { metadata: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key ${index}`, 'v'])) },
    }
    const { request: fit, lost } = fitRequestSizes(request({ ...said, messages: [] }), format)
    expect(fit.tools).toHaveLength(Math.min(tools, 600))
    expect(fit.tools!.some((tool) => tool.name === 'tool_599')).toBe(true)
    expect(fit.stop).toHaveLength(Math.min(stop, 9))
    expect(fit.user!.length).toBe(Math.min(user, 300))
    expect(Object.keys(fit.extra.metadata as object)).toHaveLength(Math.min(metadata?.pairs ?? 20, 20))
    const expected = [tools < 600 && 'tools', stop < 9 && 'stop', metadata && 'metadata'].filter((one) => one)
    expect(lost).toEqual(expected)
  })
})

const pairs = targets.flatMap((theirs) => formats.map((ours) => ({ theirs, ours })))

it.each(pairs)('$ours.name hears its own names of $theirs.name, whole and streamed', ({ theirs, ours }) => {
  const { tool_names, request: fit } = fitRequestSizes(request(), theirs.name)
  const given = fit.tools![1]!.name
  const events: ModelEvent[] = [
    { type: 'start', id: 'a1', model: 'm', created: 1 },
    { type: 'tool_call', index: 0, choice: 0, id: 'call_1', name: given, arguments: '{"q":"1"}' },
    { type: 'finish', reason: 'tool_calls', choice: 0 },
    {
      type: 'usage',
      usage: {
        ...{ input: 1, cache_read: 0, cache_write: 0, cache_write_1h: 0 },
        output: 1,
        reasoning: 0,
        source: 'reported',
      },
    },
    { type: 'end' },
  ]
  const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
  const birth = { id: 'x', now: () => 1, ...(tool_names ? { tool_names } : {}) }
  const spoken = wrapProviderDialect(theirs, ours, { force_format: true }, head, birth)
  const own = `${long}2`
  expect(text(ours.writeWholeReply(spoken.readWholeReply(theirs.writeWholeReply(events)), head))).toContain(`"${own}"`)
  const translator = createTranslator(spoken, ours, head)
  const write = theirs.writer(head)
  const glances = [translator.look(encodeEventFrames(events.flatMap(write))), translator.close()]
  const streamed = glances.flatMap(({ pass, end }) => [...pass, ...(end ? [end] : [])])
  const said = streamed.map((piece: Json) => text(piece.bytes ?? piece)).join('')
  expect(said).toContain(`"${own}"`)
  expect(said.replaceAll(own, '')).not.toContain(`"${given === own ? 'nothing' : given}"`)
})
