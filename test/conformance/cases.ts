// Every recorded chat, and who it is played to.
import { anthropicMessages, geminiGenerate, openaiChat, openaiCompletions, openaiResponses } from '../../core/index.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { allRecordings } from '../support/at-hand.ts'
import { type Recording } from '../support/recordings.ts'
import { modelOf } from '../support/replay.ts'
import { nameOf, placeFor, typeOf, type Place } from './channels.ts'
import { anthropicClient } from './clients/anthropic.ts'
import { geminiClient } from './clients/gemini.ts'
import { chatClient } from './clients/openai-chat.ts'
import { completionsClient } from './clients/openai-completions.ts'
import { responsesClient } from './clients/openai-responses.ts'
import type { Client } from './saying.ts'

const speakers: readonly (readonly [Client, Dialect])[] = [
  [chatClient, openaiChat],
  [completionsClient, openaiCompletions],
  [responsesClient, openaiResponses],
  [anthropicClient, anthropicMessages],
  [geminiClient, geminiGenerate],
]

export const clients = speakers.map(([client]) => client)

export interface Case {
  /** What the provider sends. */
  recording: Recording
  /** What its own client is to be given where there is no Weir between. */
  plain: Recording
  /** Who can read it without Weir. */
  own: Client
  client: Client
  place: Place
  /** What callers name. */
  model: string
  streamed: boolean
}

/** Events of AWS's binary framing, as Anthropic's own endpoint sends them. */
function unframed(recording: Recording): Recording {
  const { base64, ...response } = recording.response
  if (base64 === undefined) return recording
  const sse: string[] = []
  const bytes = Buffer.from(base64, 'base64')
  // A message: its length, its headers' length, a checksum, headers, payload, a checksum.
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const payload = bytes.subarray(at + 12 + bytes.readUInt32BE(at + 4), at + bytes.readUInt32BE(at) - 4)
    const { bytes: inner } = JSON.parse(payload.toString()) as { bytes: string }
    const data = Buffer.from(inner, 'base64').toString()
    sse.push(`event: ${(JSON.parse(data) as { type: string }).type}\ndata: ${data}\n\n`)
  }
  return { ...recording, response: { ...response, headers: {}, sse } }
}

/** Behind the end of a message stand other messages, or the end marks of gateways that speak to all in one way. */
function oneMessage(recording: Recording): Recording {
  const { sse } = recording.response
  const end = sse?.findIndex((event) => event.includes('"message_stop"')) ?? -1
  return end < 0 ? recording : { ...recording, response: { ...recording.response, sse: sse!.slice(0, end + 1) } }
}

/** Google's client insists on the blank line behind the last event, which some recordings have lost. */
function wholeEvents(recording: Recording): Recording {
  const { sse } = recording.response
  return sse ? { ...recording, response: { ...recording.response, sse: [...sse, '\r\n\r\n'] } } : recording
}

/** One was recorded as an array; Weir always asks Google for events. */
function asEvents(recording: Recording): Recording {
  const { body } = recording.response
  if (!Array.isArray(body) || recording.response.status !== 200) return recording
  return {
    ...recording,
    response: { status: 200, headers: {}, sse: body.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`) },
  }
}

/** Bedrock's oldest models answer in a format before Messages. */
const isOlder = ({ api, response }: Recording): boolean =>
  api === 'bedrock.invoke.anthropic' && 'completion' in Object(response.body)

const chats = allRecordings().filter(
  (recording) => clients.some(({ apis }) => apis.includes(recording.api)) && !isOlder(recording),
)

/** A recording to every client that some channel can serve with it. */
export const cases: readonly Case[] = chats.map(asEvents).flatMap((recording) => {
  const [own, spoken] = speakers.find(([{ apis }]) => apis.includes(recording.api))!
  const plain = wholeEvents(oneMessage(unframed(recording)))
  return speakers.flatMap(([client, dialect]) => {
    const place = placeFor(recording.provider, modelOf(recording), spoken, dialect)
    const streamed = plain.response.sse !== undefined
    return place ? [{ recording, plain, own, client, place, model: nameOf(place), streamed }] : []
  })
})

/** Formats whose recordings are played beside chat. */
const BESIDE = /^(rerank|openai\.|anthropic\.count_tokens|google\.countTokens)/

/** What providers refuse in formats that no channel asks in: an error may come in any shape, whatever was asked. */
export const refusals: readonly Case[] = allRecordings()
  .filter(({ api, response }) => response.status >= 400 && !BESIDE.test(api))
  .filter(({ id }) => !chats.some((recording) => recording.id === id))
  .flatMap((recording) =>
    clients.map((client) => {
      const place = { type: typeOf(recording.provider), model: modelOf(recording) }
      return { recording, plain: recording, own: client, client, place, model: nameOf(place), streamed: false }
    }),
  )
