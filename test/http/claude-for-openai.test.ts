// OpenAI's client on a Claude channel: it reads of a recorded answer what a person reads in it.
import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { modelOf } from '../support/replay.ts'
import { recorded } from '../support/upstream.ts'

const recordings = recordingsOf('anthropic.messages').filter(({ response }) => response.status === 200)
const named = recordings.map((each) => [`${each.provider}: ${each.id}`, each] as const)
const messages = [{ role: 'user' as const, content: 'Hello' }]

interface Reading {
  text: string
  reasoning: string
  calls: { name: string; arguments: unknown }[]
  finish: string
  prompt: number
  cached: number
  completion: number
}

/** The recorded message, put together by hand. */
function messageIn({ response }: Recording): Json {
  if (response.body) return response.body
  let message: Json
  for (const event of response.sse ?? []) {
    const data = /^data: ?(.*)$/m.exec(event)?.[1]
    const payload: Json = data && data !== '[DONE]' ? JSON.parse(data) : {}
    const { index, delta } = payload
    if (payload.type === 'message_start') message = { ...payload.message, content: [], json: [] }
    else if (payload.type === 'content_block_start') message.content[index] = { ...payload.content_block }
    else if (payload.type === 'message_delta') {
      Object.assign(message, delta)
      message.usage = { ...message.usage, ...payload.usage }
    } else if (payload.type === 'message_stop') break
    else if (delta?.text) message.content[index].text += delta.text
    else if (delta?.thinking) message.content[index].thinking += delta.thinking
    else if (delta?.partial_json) message.json[index] = (message.json[index] ?? '') + delta.partial_json
  }
  for (const [index, json] of message.json.entries()) if (json) message.content[index].input = JSON.parse(json)
  return message
}

const finishes: Record<string, string> = { max_tokens: 'length', tool_use: 'tool_calls' }

function reference(recording: Recording): Reading {
  const { content, usage, stop_reason } = messageIn(recording)
  const of = (type: string) => content.filter((block: Json) => block.type === type)
  const turns: Json[] = usage.iterations ?? [usage]
  const sum = (key: string) => turns.reduce((all, turn) => all + (turn[key] ?? 0), 0)
  const cached = sum('cache_read_input_tokens')
  return {
    text: of('text')
      .map(({ text }: Json) => text)
      .join(''),
    reasoning: of('thinking')
      .map(({ thinking }: Json) => thinking)
      .join(''),
    calls: of('tool_use').map(({ name, input }: Json) => ({ name, arguments: input })),
    finish: finishes[stop_reason] ?? 'stop',
    prompt: sum('input_tokens') + cached + sum('cache_creation_input_tokens'),
    cached,
    completion: sum('output_tokens'),
  }
}

interface Said {
  content?: string | null
  reasoning_content?: string
  tool_calls?: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall[]
}

/** What the client reads, streamed or not. */
async function read(openai: OpenAI, model: string, stream: boolean): Promise<Reading> {
  const reading = { text: '', reasoning: '', calls: [] as { name: string; json: string }[], finish: '' }
  let usage: OpenAI.CompletionUsage | null | undefined
  const add = ({ content, reasoning_content, tool_calls }: Said, finish: string | null) => {
    reading.text += content ?? ''
    reading.reasoning += reasoning_content ?? ''
    for (const { index, function: called } of tool_calls ?? []) {
      const call = (reading.calls[index] ??= { name: '', json: '' })
      call.name += called?.name ?? ''
      call.json += called?.arguments ?? ''
    }
    reading.finish = finish ?? reading.finish
  }
  if (stream) {
    const more = { stream_options: { include_usage: true } }
    for await (const chunk of await openai.chat.completions.create({ model, messages, stream, ...more })) {
      for (const { delta, finish_reason } of chunk.choices) add(delta as Said, finish_reason)
      usage = chunk.usage ?? usage
      expect(chunk.created).toBeGreaterThan(1_600_000_000)
    }
  } else {
    const answer = await openai.chat.completions.create({ model, messages })
    expect(answer.created).toBeGreaterThan(1_600_000_000)
    for (const { message, finish_reason } of answer.choices) add(message as Said, finish_reason)
    usage = answer.usage
  }
  return {
    ...reading,
    calls: reading.calls.map(({ name, json }) => ({ name, arguments: JSON.parse(json) })),
    prompt: usage?.prompt_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    completion: usage?.completion_tokens ?? 0,
  }
}

describe.skipIf(!recordingsHere)(recordingsTitle('recorded answers of Claude, asked for in OpenAI words'), () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.addChannel({ type: 14, models: [...new Set(recordings.map(modelOf))].join(',') })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(named)('%s', async (_, recording) => {
    const expected = reference(recording)
    for (const stream of [true, false]) {
      weir.upstream.reply(recorded(recording))
      expect(await read(ada.openai, modelOf(recording), stream), stream ? 'streamed' : 'whole').toEqual(expected)
    }
  })
})
