// Google's client on channels of other formats, over every recording of those: text, thoughts, calls and end.
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { bothWays, dataEvents, modelOf, textOf, type Way } from '../support/replay.ts'

interface Reading {
  text: string
  thoughts: string
  calls: { name: string; args: unknown }[]
  finish: string
}

/** What Google's client makes of it. */
const ask =
  (recording: Recording) =>
  async ({ url, key }: Way) => {
    const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const params = { model: modelOf(recording), contents: 'Hello' }
    const chunks: GenerateContentResponse[] = []
    if (recording.response.sse) {
      for await (const chunk of await models.generateContentStream(params)) chunks.push(chunk)
    } else chunks.push(await models.generateContent(params))
    const first = chunks.flatMap(({ candidates = [] }) => candidates.filter(({ index = 0 }) => index === 0))
    const parts = first.flatMap(({ content }) => content?.parts ?? [])
    const reading: Reading = {
      text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
      thoughts: parts.map(({ text, thought }) => (thought ? text : '')).join(''),
      calls: parts.flatMap(({ functionCall }) =>
        functionCall ? [{ name: functionCall.name ?? '', args: functionCall.args }] : [],
      ),
      finish: String(first.findLast(({ finishReason }) => finishReason)?.finishReason),
    }
    return reading
  }

/** The events of a stream, or the whole answer as one. */
const chunksOf = (recording: Recording): Json[] =>
  recording.response.sse
    ? dataEvents(textOf(recording)).flatMap(({ data }) => (data.startsWith('{') ? [JSON.parse(data)] : []))
    : [recording.response.body]

/** A call whose arguments were cut off is none. */
function parsedArguments(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** OpenAI's format, read by hand. */
function readingOfChat(recording: Recording): Reading {
  const said = chunksOf(recording).flatMap((chunk) => (chunk.choices ?? []).filter((one: Json) => !one.index))
  const deltas: Json[] = said.map(
    (choice) => (recording.response.sse ? (choice.delta ?? choice.message) : choice.message) ?? {},
  )
  const calls: { name: string; text: string }[] = []
  for (const delta of deltas) {
    const called = delta.tool_calls ?? (delta.function_call ? [{ function: delta.function_call }] : [])
    for (const [position, { index = position, function: one }] of called.entries()) {
      const call = (calls[index] ??= { name: '', text: '' })
      call.name ||= one.name ?? ''
      call.text += one.arguments ?? ''
    }
  }
  const textOfContent = (content: Json): string => {
    if (Array.isArray(content)) return content.map((part) => part.text ?? '').join('')
    return typeof content === 'string' ? content : content ? JSON.stringify(content) : ''
  }
  const thoughtsOf = (delta: Json): string =>
    delta.reasoning_content ||
    delta.reasoning ||
    (Array.isArray(delta.content)
      ? delta.content
          .flatMap((part: Json) => part.thinking ?? [])
          .map((one: Json) => one.text)
          .join('')
      : '')
  const reason = said.findLast((choice) => choice.finish_reason)?.finish_reason
  const finishes: Record<string, string> = { length: 'MAX_TOKENS', content_filter: 'SAFETY' }
  return {
    text: deltas
      .map((delta) => textOfContent(delta.content) + (delta.audio?.transcript ?? delta.refusal ?? ''))
      .join(''),
    thoughts: deltas.map(thoughtsOf).join(''),
    calls: calls.flatMap(({ name, text }) => {
      const args = parsedArguments(text)
      return name === '' || args === undefined ? [] : [{ name, args }]
    }),
    finish: finishes[reason] ?? 'STOP',
  }
}

/** Anthropic's format, read by hand. */
function readingOfMessages(recording: Recording): Reading {
  const blocks: Json[] = []
  let reason = recording.response.body && (recording.response.body as Json).stop_reason
  for (const event of recording.response.sse ? chunksOf(recording) : []) {
    // One was recorded with several answers.
    if (event.type === 'message_stop') break
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' }
    const block = blocks[event.index]
    if (event.type === 'content_block_delta') {
      block.text = (block.text ?? '') + (event.delta.text ?? '')
      block.thinking = (block.thinking ?? '') + (event.delta.thinking ?? '')
      block.json += event.delta.partial_json ?? ''
    }
    reason = event.delta?.stop_reason ?? reason
  }
  const said: Json[] = recording.response.sse ? blocks : (recording.response.body as Json).content
  const of = (type: string) => said.filter((block) => block.type === type)
  const finishes: Record<string, string> = { max_tokens: 'MAX_TOKENS', refusal: 'SAFETY' }
  return {
    text: of('text')
      .map(({ text }) => text)
      .join(''),
    thoughts: of('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    calls: of('tool_use').map(({ name, input, json }) => ({ name, args: json ? JSON.parse(json) : input })),
    finish: finishes[reason] ?? 'STOP',
  }
}

/** Answers of status 200 that are failures. */
const failing = new Set(['error_in_200', 'error_midstream', 'error'])

const formats = [
  { api: 'openai.chat', type: 1, read: readingOfChat },
  { api: 'anthropic.messages', type: 14, read: readingOfMessages },
]

describe.skipIf(!recordingsHere).each(formats)(recordingsTitle('recorded answers of $api'), ({ api, type, read }) => {
  const recordings = recordingsOf(api).filter(({ response }) => response.status === 200)
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    await weir.set('RetryTimes', 0)
    await weir.addChannel({ type, models: [...new Set(recordings.map(modelOf))].join(',') })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(recordings.map((each) => [`${each.provider}: ${each.id}`, each] as const))('%s', async (_, recording) => {
    const { through } = await bothWays(weir, ada, recording, async (way) =>
      way.url === weir.url ? ask(recording)(way) : undefined,
    )
    if (recording.features.some((feature) => failing.has(feature))) {
      expect(through.error?.name).toBe('ApiError')
      return
    }
    expect(through.error).toBeUndefined()
    expect(through.value).toEqual(read(recording))
  })
})
