// OpenAI's own client and recorded Responses: asked for as they are, and by a client that chats.
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { bodyOf, bothWays, brokenOff, dataEvents, eventsOf, modelOf, type Way } from '../support/replay.ts'
import { lastResponse, responseReading } from '../support/response-reading.ts'
import { recorded } from '../support/upstream.ts'

const recordings = recordingsOf('openai.responses')
const streams = recordings.filter(({ response }) => response.sse)
const sound = (some: Recording[]) =>
  some.filter((one) => (one.response.sse ? lastResponse(one) : one.response.status === 200))
const named = (some: Recording[]) => some.map((each) => [`${each.provider}: ${each.id}`, each] as const)
const clientOf = ({ url, key }: Way) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })

/** The recorded request for the recording's model; the client's own type is narrower than what was recorded. */
const paramsOf = (recording: Recording) => ({
  ...bodyOf<object>(recording, { input: 'Hello' }),
  model: modelOf(recording),
  stream: recording.response.sse !== undefined,
})

const ask = (recording: Recording) => async (way: Way) => {
  const answer = await clientOf(way).responses.create(paramsOf(recording) as OpenAI.Responses.ResponseCreateParams)
  if (!(Symbol.asyncIterator in answer)) return answer
  const events = []
  for await (const event of answer) events.push(event)
  // An end that is none: the client does not tell, so the test does.
  if (!/^response\.(completed|incomplete)$/.test(events.at(-1)?.type ?? '')) throw new Error('the stream did not end')
  return events
}

describe.skipIf(!recordingsHere)(recordingsTitle('recorded Responses'), () => {
  /** A name that a channel maps to a model which is served as responses alone. */
  const CHATTED = 'a-chatted-model'
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.addChannel({ models: [...new Set(recordings.map(modelOf))].join(',') })
    await weir.addChannel({ models: CHATTED, model_mapping: JSON.stringify({ [CHATTED]: 'codex-recorded' }) })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(named(recordings))('%s: the same response or exception', async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, ask(recording))
    if (direct.error) {
      expect(through.error?.name).toMatch(/Error$/)
      // What failed before it said anything is a status; without Weir the client hears of it inside the stream.
      if (direct.error.status) expect(through.error!.status).toBe(direct.error.status)
      return
    }
    expect(through).toEqual(direct)
    const [row] = await ada.logs()
    expect(row!.quota).toBeGreaterThan(0)
  })

  it.each(named(sound(streams)))('%s: the same events, byte for byte', async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, async ({ url, key }) => {
      const answer = await fetch(`${url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(paramsOf(recording)),
      })
      // What some gateway put behind the end is no event of this format.
      return dataEvents(await answer.text()).filter(({ data }) => data !== '[DONE]')
    })
    expect(through).toEqual(direct)
  })

  it.each(named(sound(streams)))('%s: broken off anywhere, it never looks complete', async (_, recording) => {
    const end = eventsOf(recording).findIndex((event) => /"type":\s*"response\.(completed|incomplete)"/.test(event))
    for (const at of new Set([1, 3, Math.floor(end / 2), end].filter((place) => place > 0 && place <= end))) {
      const reply = brokenOff(recording, at, 'reset')
      const { through } = await bothWays(weir, ada, recording, ask(recording), reply)
      expect(through.error?.name, `after ${at} events`).toMatch(/^(\w*APIError|InternalServerError)$/)
    }
  })

  /** What a client that chats makes of it. */
  async function chatted(recording: Recording) {
    weir.upstream.reply(recorded(recording))
    const params = { model: CHATTED, messages: [{ role: 'user' as const, content: 'Hello' }] }
    if (!recording.response.sse) return ada.openai.chat.completions.create(params)
    return ada.openai.chat.completions
      .stream({ ...params, stream_options: { include_usage: true } })
      .finalChatCompletion()
  }

  it.each(named(sound(recordings)))('%s: the same to a client that chats', async (_, recording) => {
    const response = lastResponse(recording) ?? (recording.response.body as Json)
    const { text, refusal, calls } = responseReading(response)
    const answer = await chatted(recording)
    const [first] = answer.choices
    expect(first!.message.content ?? '').toBe(text)
    expect(first!.message.refusal ?? '').toBe(refusal)
    const given = (first!.message.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[]
    expect(given.map(({ id, function: called }) => ({ id, name: called.name, arguments: called.arguments }))).toEqual(
      calls,
    )
    const cut = response.incomplete_details?.reason
    const finish = cut ? (cut === 'content_filter' ? cut : 'length') : calls.length > 0 ? 'tool_calls' : 'stop'
    expect(first!.finish_reason).toBe(finish)
    if (!response.usage) return
    expect(answer.usage).toMatchObject({
      prompt_tokens: response.usage.input_tokens,
      completion_tokens: response.usage.output_tokens,
      prompt_tokens_details: { cached_tokens: response.usage.input_tokens_details?.cached_tokens ?? 0 },
      completion_tokens_details: { reasoning_tokens: response.usage.output_tokens_details?.reasoning_tokens ?? 0 },
    })
  })
})
