// Recorded answers of Gemini through a Gemini channel: Google's own client, raw bytes, and OpenAI's client.
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import OpenAI from 'openai'
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { bodyOf, bothWays, brokenOff, dataEvents, eventsOf, modelOf, textOf, type Way } from '../support/replay.ts'

/** One was recorded as an array; Weir always asks for events. */
function asEvents(recording: Recording): Recording {
  const { body } = recording.response
  if (!Array.isArray(body)) return recording
  const sse = body.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`)
  return { ...recording, response: { status: 200, headers: {}, sse } }
}

const recordings = recordingsOf('google.generateContent').map(asEvents)
const streams = recordings.filter(({ response }) => response.sse)
const answers = recordings.filter(({ response }) => response.status === 200)
const named = (some: Recording[]) => some.map((each) => [`${each.provider}: ${each.id}`, each] as const)
const plain = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }

const clientOf = ({ url, key }: Way) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })

/** Without the head of the answer, which is the gateway's own. */
const shown = (answer: GenerateContentResponse) => ({ ...answer, sdkHttpResponse: undefined })

const ask = (recording: Recording) => async (way: Way) => {
  const { models } = clientOf(way)
  const params = { model: modelOf(recording), contents: 'Hello' }
  if (!recording.response.sse) return [shown(await models.generateContent(params))]
  const chunks: object[] = []
  for await (const chunk of await models.generateContentStream(params)) chunks.push(shown(chunk))
  return chunks
}

/** The recorded request as raw HTTP; events, or an array where `alt` is not said. */
const post =
  (recording: Recording, alt = '?alt=sse') =>
  async ({ url, key }: Way) => {
    const answer = await fetch(`${url}/v1beta/models/${modelOf(recording)}:streamGenerateContent${alt}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(recording, plain)),
    })
    return answer.text()
  }

interface Reading {
  text: string
  reasoning: string
  calls: { name: string; args: unknown }[]
  finish: string | undefined
  usage: { prompt_tokens: number; completion_tokens: number; cached: number; reasoning: number } | undefined
}

const chunksOf = (recording: Recording): Json[] =>
  recording.response.sse ? dataEvents(textOf(recording)).map(({ data }) => JSON.parse(data)) : [recording.response.body]

const finishes: Record<string, string> = {
  MAX_TOKENS: 'length',
  RECITATION: 'content_filter',
  SAFETY: 'content_filter',
}

/** What the first candidate of a recording says, read by hand from Google's own documentation of its format. */
function readingOf(recording: Recording): Reading {
  const said = chunksOf(recording).flatMap((chunk) => (chunk.candidates ?? []).slice(0, 1))
  const parts: Json[] = said.flatMap((candidate) => candidate.content?.parts ?? [])
  const code = ({ executableCode: run }: Json) => (run ? `\n\`\`\`python\n${run.code.trimEnd()}\n\`\`\`\n` : '')
  const calls = parts.filter((part) => part.functionCall)
  const last = said.findLast((candidate) => candidate.finishReason)?.finishReason
  const used = chunksOf(recording).findLast((chunk) => chunk.usageMetadata?.totalTokenCount)?.usageMetadata
  const prompt = used && used.promptTokenCount + (used.toolUsePromptTokenCount ?? 0)
  return {
    text: parts.map((part) => (part.thought ? '' : (part.text ?? '') + code(part))).join(''),
    reasoning: parts.map((part) => (part.thought ? part.text : '')).join(''),
    calls: calls.map(({ functionCall: { name, args } }) => ({ name, args: args ?? {} })),
    finish: finishes[last] ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: used && {
      prompt_tokens: prompt,
      completion_tokens: used.totalTokenCount - prompt,
      cached: used.cachedContentTokenCount ?? 0,
      reasoning: used.thoughtsTokenCount ?? 0,
    },
  }
}

/** What OpenAI's client reads through Weir. */
async function readByOpenai({ url, key }: Way, recording: Recording): Promise<Reading> {
  const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).chat
  const params = { model: modelOf(recording), messages: [{ role: 'user' as const, content: 'Hello' }] }
  const reading: Reading = { text: '', reasoning: '', calls: [], finish: undefined, usage: undefined }
  const take = (answer: Json) => {
    for (const { index, delta, message, finish_reason } of answer.choices) {
      if (index > 0) continue
      const said = delta ?? message
      reading.text += said.content ?? ''
      reading.reasoning += said.reasoning_content ?? ''
      for (const { function: called } of said.tool_calls ?? []) {
        reading.calls.push({ name: called.name, args: JSON.parse(called.arguments) })
      }
      reading.finish = finish_reason ?? reading.finish
    }
    if (!answer.usage) return
    const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = answer.usage
    reading.usage = {
      prompt_tokens,
      completion_tokens,
      cached: prompt_tokens_details.cached_tokens,
      reasoning: completion_tokens_details.reasoning_tokens,
    }
  }
  if (recording.response.sse) {
    const stream = await completions.create({ ...params, stream: true, stream_options: { include_usage: true } })
    for await (const chunk of stream) take(chunk)
  } else take(await completions.create(params))
  return reading
}

/** What Anthropic's client reads through Weir. */
async function readByAnthropic({ url, key }: Way, recording: Recording): Promise<Reading> {
  const { messages } = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  const params = {
    model: modelOf(recording),
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content: 'Hello' }],
  }
  const answer = recording.response.sse
    ? await messages.stream(params).finalMessage()
    : await messages.create({ ...params, stream: false })
  const reasons: Record<string, string> = { max_tokens: 'length', refusal: 'content_filter', tool_use: 'tool_calls' }
  const cached = answer.usage.cache_read_input_tokens ?? 0
  return {
    // Pictures, which an answer of Anthropic's format cannot hold, stand in its text.
    text: answer.content
      .map((block) => (block.type === 'text' ? block.text.replace(/!\[image\]\(data:[^)]*\)/g, '') : ''))
      .join(''),
    reasoning: answer.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: answer.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
    ),
    finish: reasons[answer.stop_reason ?? ''] ?? 'stop',
    usage: {
      prompt_tokens: answer.usage.input_tokens + cached,
      completion_tokens: answer.usage.output_tokens,
      cached,
      // Anthropic's format counts thoughts as output.
      reasoning: readingOf(recording).usage?.reasoning ?? 0,
    },
  }
}

const readers = [
  ['OpenAI', readByOpenai],
  ['Anthropic', readByAnthropic],
] as const
const crossed = readers.flatMap(([maker, read]) => answers.map((each) => [each.id, maker, read, each] as const))

describe.skipIf(!recordingsHere)(recordingsTitle('recorded answers of Gemini'), () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.set('RetryTimes', 0)
    await weir.set('AutomaticDisableChannelEnabled', false)
    await weir.addChannel({ type: 24, models: [...new Set(recordings.map(modelOf))].join(',') })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(named(recordings))("%s: the same to Google's client, or the same exception", async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, ask(recording))
    // What the provider refuses is told anew, with the id of the request.
    if (direct.error?.status) {
      expect(through.error).toMatchObject({ name: direct.error.name, status: direct.error.status })
      expect(JSON.parse(through.error!.message).error.status).toBe(JSON.parse(direct.error.message).error.status)
      return
    }
    expect(through).toEqual(direct)
    const { usage } = readingOf(recording)
    const [row] = await ada.logs()
    if (usage)
      expect(row).toMatchObject({ prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens })
  })

  it.each(named(streams))('%s: the same events, byte for byte, and the same as an array', async (_, recording) => {
    const { direct, through } = await bothWays(weir, ada, recording, post(recording))
    expect(through).toEqual(direct)
    const array = await post(recording, '')({ url: weir.url, key: ada.key })
    expect(JSON.parse(array)).toEqual(chunksOf(recording))
    expect(weir.upstream.requests.at(-1)).toMatchObject({
      path: `/v1beta/models/${modelOf(recording)}:streamGenerateContent?alt=sse`,
      json: bodyOf(recording, plain),
    })
  })

  it.each(crossed)('%s: what it says, to the client of %s', async (_id, _maker, read, recording) => {
    const { through } = await bothWays(weir, ada, recording, async (way) =>
      way.url === weir.url ? read(way, recording) : undefined,
    )
    if (recording.features.includes('no_candidates')) {
      expect(through.error).toMatchObject({ status: 400, message: expect.stringContaining('The prompt was blocked') })
      return
    }
    const { calls, usage, ...reading } = readingOf(recording)
    expect(through.error).toBeUndefined()
    expect(through.value).toMatchObject(reading)
    if (usage) expect(through.value!.usage).toEqual(usage)
    // Arguments that came place by place are put together elsewhere.
    if (!recording.features.includes('tool_args_deltas')) expect(through.value!.calls).toEqual(calls)
  })

  it.each(named(streams))('%s: broken off anywhere, it never looks complete', async (_, recording) => {
    const finish = eventsOf(recording).findIndex((event) => /finishReason|blockReason/.test(event))
    for (const at of new Set([1, 2, Math.floor(finish / 2), finish].filter((place) => place > 0 && place <= finish))) {
      for (const by of ['reset', 'end'] as const) {
        const { through } = await bothWays(weir, ada, recording, ask(recording), brokenOff(recording, at, by))
        expect(through.value, `${by} after ${at} events`).toBeUndefined()
      }
    }
  })
})
