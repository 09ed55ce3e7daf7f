// Anthropic's client on channels that speak OpenAI: it reads of a recorded answer what a person reads in it.
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { modelOf } from '../support/replay.ts'
import { recorded } from '../support/upstream.ts'

const recordings = recordingsOf('openai.chat').filter(
  ({ response, features }) =>
    response.status === 200 && !features.some((name) => /^error|audio_output|image_output|n_choices/.test(name)),
)
/** Arguments that were cut at the limit are no JSON to compare. */
const isCut = ({ features }: Recording) => features.includes('max_tokens') && features.includes('tool_call')
const named = recordings.filter((each) => !isCut(each)).map((each) => [`${each.provider}: ${each.id}`, each] as const)

interface Reading {
  text: string
  thinking: string
  calls: { name: string; input: unknown }[]
}

/** What the recorded chunks or the recorded message say, by hand. */
function reference({ response }: Recording): Reading {
  const pieces: Json[] = response.sse
    ? response.sse.flatMap((event) => {
        const data = /^data: ?(.*?)\r?$/m.exec(event)?.[1]
        const choices = data?.startsWith('{') ? JSON.parse(data).choices : undefined
        return choices?.map((choice: Json) => choice.delta ?? choice.message ?? {}) ?? []
      })
    : (response.body as Json).choices.map(({ message }: Json) => message ?? {})
  const reading = { text: '', thinking: '', calls: [] as { name: string; json: string }[] }
  for (const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } of pieces) {
    reading.text +=
      (typeof content === 'object' && content ? JSON.stringify(content) : (content ?? '')) + (refusal ?? '')
    reading.thinking += reasoning_content || reasoning || ''
    for (const [position, call] of (
      tool_calls ?? (function_call?.name ? [{ function: function_call }] : [])
    ).entries()) {
      const known = (reading.calls[call.index ?? position] ??= { name: '', json: '' })
      known.name += known.name === '' ? (call.function?.name ?? '') : ''
      known.json += call.function?.arguments ?? ''
    }
  }
  return { ...reading, calls: reading.calls.map(({ name, json }) => ({ name, input: JSON.parse(json || '{}') })) }
}

async function read(client: Anthropic, model: string, stream: boolean): Promise<Reading> {
  const params = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }
  const message = stream ? await client.messages.stream(params).finalMessage() : await client.messages.create(params)
  expect(message.usage.output_tokens).toBeGreaterThanOrEqual(0)
  expect(message.stop_reason).toBeTruthy()
  const reading: Reading = { text: '', thinking: '', calls: [] }
  for (const block of message.content) {
    if (block.type === 'text') reading.text += block.text
    else if (block.type === 'thinking') reading.thinking += block.thinking
    else if (block.type === 'tool_use') reading.calls.push({ name: block.name, input: block.input })
  }
  if (reading.calls.length > 0) expect(message.stop_reason).not.toBe('end_turn')
  return reading
}

describe.skipIf(!recordingsHere)(recordingsTitle('recorded chats, asked for in Anthropic words'), () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.addChannel({ models: [...new Set(recordings.map(modelOf))].join(',') })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(named)('%s', async (_, recording) => {
    const client = new Anthropic({ baseURL: weir.url, apiKey: ada.key, maxRetries: 0 })
    for (const stream of [true, false]) {
      weir.upstream.reply(recorded(recording))
      expect(await read(client, modelOf(recording), stream), stream ? 'streamed' : 'whole').toEqual(
        reference(recording),
      )
    }
  })
})
