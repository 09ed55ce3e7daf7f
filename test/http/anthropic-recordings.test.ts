// Anthropic's own client on a Claude channel: what it makes of recorded answers is what it makes of them without Weir.
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { bodyOf, bothWays, brokenOff, dataEvents, eventsOf, modelOf, type Way } from '../support/replay.ts'

/** One recording was made of several answers behind one another: a stream ends with its first. */
function oneAnswer(recording: Recording): Recording {
  const { sse } = recording.response
  const end = sse?.findIndex((event) => event.includes('"message_stop"')) ?? -1
  if (!sse || end < 0 || !sse.slice(end + 1).some((event) => event.includes('"message_start"'))) return recording
  return { ...recording, response: { ...recording.response, sse: sse.slice(0, end + 1) } }
}

const recordings = recordingsOf('anthropic.messages').map(oneAnswer)
const streams = recordings.filter(({ response }) => response.sse)
const named = (some: Recording[]) => some.map((each) => [`${each.provider}: ${each.id}`, each] as const)
const clientOf = ({ url, key }: Way) => new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, timeout: 600_000 })
const plain = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }

/** The recorded request for the recording's model; the client's own type is narrower than what was recorded. */
const paramsOf = (recording: Recording) =>
  ({ ...bodyOf(recording, plain), model: modelOf(recording) }) as unknown as Anthropic.MessageCreateParamsNonStreaming

const ask = (recording: Recording) => (way: Way) => {
  const { stream: _, ...params } = paramsOf(recording) as Anthropic.MessageCreateParams
  const { messages } = clientOf(way)
  return recording.response.sse ? messages.stream(params).finalMessage() : messages.create({ ...params, stream: false })
}

describe.skipIf(!recordingsHere)(recordingsTitle('recorded answers of Claude'), () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    // The client tells which models are old.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.addChannel({ type: 14, models: [...new Set(recordings.map(modelOf))].join(',') })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(named(recordings))('%s: the same message or exception', async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, ask(recording))
    // What OpenRouter puts behind the end breaks the client; Weir leaves it out.
    if (recording.features.includes('done_marker')) {
      expect(through.value?.stop_reason).toBe('max_tokens')
      return
    }
    if (direct.error) {
      expect(through.error).toMatchObject({ name: direct.error.name, status: direct.error.status })
      return
    }
    expect(through).toEqual(direct)
    const [row] = await ada.logs()
    expect(row!.quota).toBeGreaterThan(0)
  })

  it.each(named(streams))('%s: the same events, byte for byte', async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, async ({ url, key }) => {
      const answer = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...paramsOf(recording), stream: true }),
      })
      // What some gateway put behind the end is no event of this format.
      return dataEvents(await answer.text()).filter(({ data }) => data !== '[DONE]')
    })
    expect(through).toEqual(direct)
  })

  it.each(named(streams))('%s: broken off anywhere, it never looks complete', async (_, recording) => {
    const count = eventsOf(recording).findIndex((event) => event.includes('"message_stop"'))
    const finish = eventsOf(recording).findIndex((event) => /"stop_reason":\s*"/.test(event))
    const places = [1, 2, 3, Math.floor(count / 2), finish - 1, finish].filter((at) => at > 0 && at <= finish)
    for (const at of new Set(places)) {
      const reply = brokenOff(recording, at, 'reset')
      const { through } = await bothWays(weir, ada, recording, ask(recording), reply)
      expect(through.error?.name, `after ${at} events`).toMatch(/Error$/)
      expect(through.value).toBeUndefined()
    }
  })
})
