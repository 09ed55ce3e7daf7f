// OpenAI's realtime API: events in both directions over a WebSocket, in the current protocol and the older beta.
import type { Usage } from './answers/usage.ts'
import type { CallFailure } from './answers/call-failure.ts'
import type { PassthroughDialect } from './dialect.ts'
import { fail } from '../errors.ts'
import { toTextCode } from './answers/failures.ts'
import { toJsonBytes } from './json/json-bytes.ts'
import { asList, getMember, asObject, parseJson, parseJsonBytes, asText, type JsonObject } from './json/json-value.ts'
import { readErrorReply } from './openai-chat/error.ts'
import { parseUsage } from './openai-chat/usage.ts'
import { realtimeObjectPlaces } from './requests/openai-objects.ts'
import { buildKnownUsage, createPassthroughDialect, buildPlainHead } from './passing.ts'
import { parseRequestBody } from './requests/request-body.ts'

/** The request is the model in the address. */
export const openaiRealtime: PassthroughDialect = createPassthroughDialect({
  name: 'openai-realtime',
  operation: 'realtime',
  paths: ['/v1/realtime'],
  headers: ['openai-beta', 'openai-safety-identifier'],
  headFields: {},
  objects: realtimeObjectPlaces,
  head: ({ model }) => ({ ...buildPlainHead(model), stream: true }),
  texts: (body) => getEventTexts(asObject(parseJsonBytes(body)) ?? {}),
  usageKeys: ['usage'],
  usageOf: ({ usage }) => parseRealtimeUsage(usage) ?? buildKnownUsage({}),
})

export type RealtimeEvent = JsonObject & { type: string }

/** Parses a provider's message as an event; undefined for bytes and for anything else. */
export function parseProviderEvent(message: string | Uint8Array): RealtimeEvent | undefined {
  return typeof message === 'string' ? asEvent(asObject(parseJson(message))) : undefined
}

/**
 * Parses a caller's message as an event. The message to the provider is serialized again from it, so that both
 * interpret it alike: of a repeated member the last counts, and no spelling is ambiguous.
 * @throws GatewayError request.event, request.unreadable, request.too_deep
 */
export function parseCallerEvent(message: string | Uint8Array): RealtimeEvent {
  return (
    (typeof message === 'string' ? asEvent(parseRequestBody(encoder.encode(message))) : undefined) ??
    fail('request.event')
  )
}

const encoder = new TextEncoder()

const asEvent = (event: JsonObject | undefined): RealtimeEvent | undefined =>
  event && typeof event.type === 'string' ? (event as RealtimeEvent) : undefined

/** A place in an event that names a model. */
export interface ModelNamePlace {
  /** Path of the member, such as `session.model`. */
  path: string
  /** The object with the member. */
  holder: JsonObject
  /** True if the model transcribes the audio input; any other model answers. */
  transcribes: boolean
}

/** Members with free content, which cannot name a model. */
const FREE = /(^|\.)(tools\[\d+\]\.(parameters|headers)|prompt\.variables|metadata)$/
const TRANSCRIPTION = /(^|\.)(input_audio_)?transcription$/

/** Returns every place of an event that names a model, even where no current protocol has one. */
export function findModelNames(value: unknown, path = ''): ModelNamePlace[] {
  if (FREE.test(path)) return []
  const list = asList(value)
  if (list) return list.flatMap((each, at) => findModelNames(each, `${path}[${at}]`))
  return Object.entries(asObject(value) ?? {}).flatMap(([key, member]) => {
    const place = path === '' ? key : `${path}.${key}`
    if (key !== 'model') return findModelNames(member, place)
    return [{ path: place, holder: value as JsonObject, transcribes: TRANSCRIPTION.test(path) }]
  })
}

/** Parses the usage of a turn. This format has singular names for the details. */
export function parseRealtimeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value)
  const seconds = usage?.type === 'duration' ? usage.seconds : undefined
  if (typeof seconds === 'number' && seconds > 0) return buildKnownUsage({ seconds })
  return parseUsage({
    ...usage,
    ...(usage?.input_token_details ? { input_tokens_details: usage.input_token_details } : {}),
    ...(usage?.output_token_details ? { output_tokens_details: usage.output_token_details } : {}),
  })
}

/** Returns the failure of a response, if it failed. */
export function findTurnFailure(response: unknown): CallFailure | undefined {
  if (getMember(response, 'status') !== 'failed') return undefined
  const error = asObject(getMember(getMember(response, 'status_details'), 'error')) ?? {}
  return readErrorReply(502, toJsonBytes({ error: { message: 'The response failed', ...error } }))
}

/** Writes a failure as an event of the session; `about` is the id of the caller's event that it answers. */
export function writeErrorEvent(failure: CallFailure, id: string, about?: string): string {
  const { message, type, param } = failure
  return JSON.stringify({
    event_id: `evt_${id}`,
    type: 'error',
    error: { type, code: toTextCode(failure), message, param, event_id: about ?? null },
  })
}

/**
 * Returns the texts that the caller sends to the model: instructions, items of the conversation, prompts of a response.
 */
export function getEventTexts(event: JsonObject): string[] {
  const heads = [getMember(event.session, 'instructions'), getMember(event.response, 'instructions')]
  const items = [event.item, ...(asList(getMember(event.response, 'input')) ?? [])]
  const parts = items.flatMap((item) => [
    getMember(item, 'output'),
    ...(asList(getMember(item, 'content')) ?? []).map((part) => getMember(part, 'text')),
  ])
  return [...heads, ...parts].flatMap((text) => asText(text) ?? [])
}

/** Returns the settings of a session that affect its charge; unset ones are missing. */
export function parseSessionSettings({ session }: JsonObject): {
  input?: string
  output?: string
  transcriber?: string
} {
  const audio = getMember(session, 'audio')
  const [input, output] = [getMember(audio, 'input'), getMember(audio, 'output')]
  const transcription = getMember(input, 'transcription') ?? getMember(session, 'input_audio_transcription')
  const settings = {
    input: parseFormat(getMember(input, 'format') ?? getMember(session, 'input_audio_format')),
    output: parseFormat(getMember(output, 'format') ?? getMember(session, 'output_audio_format')),
    transcriber: asText(getMember(transcription, 'model')),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** Returns the format's name. `audio/pcm` is the newer name of `pcm16`. */
function parseFormat(format: unknown): string | undefined {
  const name = asText(format) ?? asText(getMember(format, 'type'))
  return name === 'audio/pcm' ? 'pcm16' : name
}
