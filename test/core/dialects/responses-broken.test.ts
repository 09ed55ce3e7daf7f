// Responses streams that break off while their bytes pass: the error has the next number, and the answer so far comes behind it.
// Beside them what is announced of a patch, and the words of other vendors that this format does not have.
import { describe, expect, it } from 'vitest'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { Json } from '../../support/json.ts'

const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const failure = {
  status: 503,
  message: 'busy',
  type: 'server_error',
  code: null,
  param: null,
  source: 'gateway' as const,
}
const response = { id: 'r', object: 'response', status: 'in_progress', model: 'm', output: [], tools: [] }
const item = (more: object) => ({ id: 'msg', type: 'message', role: 'assistant', content: [], ...more })
const encoder = new TextEncoder()

function watched(events: readonly Json[]) {
  const watcher = openaiResponses.watcher(head)
  for (const [sequence_number, event] of events.entries()) {
    const data = JSON.stringify({ ...event, sequence_number: event.sequence_number ?? sequence_number })
    watcher.look(encoder.encode(`event: ${event.type}\ndata: ${data}\n\n`))
  }
  return watcher.breakOff?.(failure)?.map(({ data }) => JSON.parse(data) as Json)
}

const delta = { type: 'response.output_text.delta', output_index: 0, item_id: 'msg', content_index: 0, delta: 'Hello' }
const begun = [
  { type: 'response.created', response },
  { type: 'response.output_item.added', output_index: 0, item: item({ status: 'in_progress' }) },
]

describe('a Responses stream that passes and breaks off', () => {
  it('ends with the next numbers and what is known of the answer', () => {
    expect(watched([...begun, delta, delta])).toMatchObject([
      { type: 'error', sequence_number: 4, message: 'busy' },
      {
        type: 'response.failed',
        sequence_number: 5,
        response: { id: 'r', status: 'failed', error: { code: 'server_error' }, output: [{ status: 'incomplete' }] },
      },
    ])
    const done = { type: 'response.output_item.done', output_index: 0, item: item({ status: 'completed' }) }
    expect(watched([...begun, delta, done])?.[1]?.response.output).toEqual([done.item])
  })

  it('keeps the number of the provider’s own error, and what it says of the answer behind it', () => {
    const usage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 }
    const told = watched([
      ...begun,
      { type: 'error', sequence_number: 2, message: 'overloaded' },
      { type: 'response.failed', sequence_number: 3, response: { ...response, status: 'failed', usage } },
    ])
    expect(told?.map(({ type, sequence_number }) => [type, sequence_number])).toEqual([
      ['error', 2],
      ['response.failed', 3],
    ])
    expect(told?.[1]?.response.usage).toEqual(usage)
  })

  it('has nothing to end before it began', () => {
    expect(watched([])).toBeUndefined()
  })
})

describe('a call of a patch', () => {
  const forms = new Map([['apply_patch', { type: 'apply_patch' as const, name: 'apply_patch' }]])
  const call = (more: string): ModelEvent => ({
    type: 'tool_call',
    index: 0,
    choice: 0,
    id: 'a',
    name: 'apply_patch',
    arguments: more,
  })

  it('is announced once its kind and its file are known', () => {
    const write = openaiResponses.writer({ ...head, tool_forms: forms })
    const types = (event: ModelEvent) => write(event).map(({ data }) => JSON.parse(data) as Json)
    types({ type: 'start', id: 'r', model: 'm', created: 1 })
    expect(types(call('{"diff":"\\"type\\":\\"x\\"","type":"create'))).toEqual([])
    expect(types(call('_file","path":"a.txt"'))).toMatchObject([
      { type: 'response.output_item.added', item: { operation: { type: 'create_file', path: 'a.txt', diff: '' } } },
    ])
    const [done] = types(call('}')).concat(types({ type: 'end' }))
    expect(done).toMatchObject({
      type: 'response.output_item.done',
      item: { status: 'completed', operation: { type: 'create_file', path: 'a.txt', diff: '"type":"x"' } },
    })
  })

  it('has all its members where the model leaves some out', () => {
    const write = openaiResponses.writer({ ...head, tool_forms: forms })
    const said = [call('{"path":"a.txt"}'), { type: 'end' } as const]
      .flatMap(write)
      .map(({ data }) => JSON.parse(data) as Json)
    const operation = { type: 'update_file', path: 'a.txt', diff: '' }
    expect(said.filter(({ type }) => type.startsWith('response.output_item')).map((one) => one.item.operation)).toEqual(
      [operation, operation],
    )
  })
})

describe('a service tier', () => {
  const tierIn = (dialect: typeof openaiChat, service_tier: string, place: (answer: Json) => Json) =>
    place(
      JSON.parse(
        Buffer.from(
          dialect.writeWholeReply(
            [
              { type: 'start', id: 'r', model: 'm', created: 1 },
              { type: 'text', text: 'Hello', choice: 0 },
              { type: 'finish', reason: 'stop', choice: 0 },
              { type: 'usage', usage: { ...buildKnownUsage({ input: 1, output: 1 }), service_tier } },
              { type: 'end' },
            ],
            head,
          ),
        ).toString(),
      ),
    )

  it.each([
    ['on_demand', 'default', 'standard', undefined, undefined],
    ['performance', 'default', 'standard', undefined, undefined],
    ['priority', 'priority', 'priority', 'priority', 'priority'],
    ['flex', 'flex', 'standard', 'flex', 'flex'],
    ['batch', 'default', 'batch', undefined, undefined],
  ])('%s is told in the words of each format', (tier, responses, messages, gemini, chat) => {
    expect(tierIn(openaiResponses, tier, (answer) => answer.service_tier)).toBe(responses)
    expect(tierIn(anthropicMessages, tier, (answer) => answer.usage.service_tier)).toBe(messages)
    expect(tierIn(geminiGenerate, tier, (answer) => answer.usageMetadata.serviceTier)).toBe(gemini)
    expect(tierIn(openaiChat, tier, (answer) => answer.service_tier)).toBe(chat)
  })
})
