// OpenAI's realtime: events both ways over a WebSocket, in the words of the current protocol and of the older beta.
import type { CallFailure, Usage } from './dialect.ts'
import type { PassingDialect } from './format.ts'
import { textCode } from './error-code.ts'
import { jsonBytes } from './json-bytes.ts'
import { listIn, memberOf, objectIn, parsed, parsedBytes, textIn, type JsonObject } from './json-value.ts'
import { readError } from './openai-chat/error.ts'
import { usageIn } from './openai-chat/usage.ts'
import { knownUsage, namedRequest, passing, plainHead } from './passing.ts'

/** The request is what the address says: the model. */
export const openaiRealtime: PassingDialect = passing({
  name: 'openai-realtime',
  operation: 'realtime',
  headers: ['openai-beta', 'openai-safety-identifier'],
  readHead: (body) => ({ ...plainHead(namedRequest(body).model, 0), stream: true }),
  texts: (body) => textsOf(objectIn(parsedBytes(body)) ?? {}),
  usageOf: ({ usage }) => realtimeUsage(usage) ?? knownUsage({}),
})

/** A message as an event; undefined for bytes and for what is none. */
export function eventIn(message: string | Uint8Array): (JsonObject & { type: string }) | undefined {
  const event = typeof message === 'string' ? objectIn(parsed(message)) : undefined
  return event && typeof event.type === 'string' ? (event as JsonObject & { type: string }) : undefined
}

/** What a turn used. Details are spelled in the singular here, and of what was cached sound is told apart. */
export function realtimeUsage(value: unknown): Usage | undefined {
  const usage = objectIn(value)
  const seconds = usage?.type === 'duration' ? usage.seconds : undefined
  if (typeof seconds === 'number' && seconds > 0) return knownUsage({ seconds })
  const input = objectIn(usage?.input_token_details)
  const cached = objectIn(input?.cached_tokens_details)
  const plain = (name: string) => Math.max(0, numberOf(input?.[name]) - numberOf(cached?.[name]))
  const sound = { audio_tokens: plain('audio_tokens'), image_tokens: plain('image_tokens') }
  return usageIn({
    ...usage,
    ...(input ? { input_tokens_details: { ...input, ...sound } } : {}),
    ...(usage?.output_token_details ? { output_tokens_details: usage.output_token_details } : {}),
  })
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Why a response failed, where it did. */
export function failureIn(response: unknown): CallFailure | undefined {
  if (memberOf(response, 'status') !== 'failed') return undefined
  const error = objectIn(memberOf(memberOf(response, 'status_details'), 'error')) ?? {}
  return readError(502, jsonBytes({ error: { message: 'The response failed', ...error } }))
}

/** A failure as an event of the session. */
export function errorEvent(failure: CallFailure, id: string): string {
  const { message, type, param } = failure
  return JSON.stringify({
    event_id: `evt_${id}`,
    type: 'error',
    error: { type, code: textCode(failure), message, param },
  })
}

/** Texts that the caller says to the model: instructions, items of the conversation, prompts of a response. */
export function textsOf(event: JsonObject): string[] {
  const heads = [memberOf(event.session, 'instructions'), memberOf(event.response, 'instructions')]
  const items = [event.item, ...(listIn(memberOf(event.response, 'input')) ?? [])]
  const parts = items.flatMap((item) => [
    memberOf(item, 'output'),
    ...(listIn(memberOf(item, 'content')) ?? []).map((part) => memberOf(part, 'text')),
  ])
  return [...heads, ...parts].flatMap((text) => textIn(text) ?? [])
}

/** What a session is set to, as far as a charge depends on it; what is not said is missing. */
export function settingsIn({ session }: JsonObject): { input?: string; output?: string; transcriber?: string } {
  const audio = memberOf(session, 'audio')
  const [input, output] = [memberOf(audio, 'input'), memberOf(audio, 'output')]
  const transcription = memberOf(input, 'transcription') ?? memberOf(session, 'input_audio_transcription')
  const told = {
    input: formatIn(memberOf(input, 'format') ?? memberOf(session, 'input_audio_format')),
    output: formatIn(memberOf(output, 'format') ?? memberOf(session, 'output_audio_format')),
    transcriber: textIn(memberOf(transcription, 'model')),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

/** `audio/pcm` is the newer name of what was `pcm16`. */
function formatIn(format: unknown): string | undefined {
  const name = textIn(format) ?? textIn(memberOf(format, 'type'))
  return name === 'audio/pcm' ? 'pcm16' : name
}
