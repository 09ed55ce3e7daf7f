// Watches a stream of typed events other than chat (speech, transcripts, images) that passes through.
import type { Usage } from './usage.ts'
import type { Watcher } from './glance.ts'
import { readFrame } from './frames.ts'
import { asObject, parseJson, asText, type JsonObject } from './json-value.ts'
import { byteLength } from './meter.ts'
import { base64Bytes } from './sound.ts'
import { failureInChunk } from './openai-chat/error.ts'
import { createStreamWatcher, type FrameVerdict } from './watcher.ts'

const END_MARK = '[DONE]'

/** `transcript.text.done`, `speech.audio.done`, `image_generation.completed` … report the usage. */
const LAST = /\.(done|completed)$/

/**
 * @param usageOf the usage that the last event of a stream reports
 * @param format its audio format
 */
export const createSpokenEvents = (usageOf: (event: JsonObject) => Usage, format: string): Watcher =>
  createStreamWatcher({
    isPlain: () => false,
    read: (bytes) => read(bytes, usageOf, format),
    end: (own) => own?.slice() ?? new Uint8Array(),
    isEnd: (rest) => readFrame(rest)?.data === END_MARK,
  })

function read(bytes: Uint8Array, usageOf: (event: JsonObject) => Usage, format: string): FrameVerdict {
  const frame = readFrame(bytes)
  if (frame?.data === END_MARK) return { pass: false, ended: true, finished: true }
  const event = frame && asObject(parseJson(frame.data))
  if (!frame || !event) return { pass: true }
  const failure = failureInChunk(event)
  const counted = asObject(event.usage) ? { usage: usageOf(event) } : {}
  if (failure) return { pass: false, failure, ...counted }
  const type = asText(event.type) ?? frame.event ?? ''
  const delta = asText(event.delta)
  const sound = base64Bytes(event.audio)
  const verdict = {
    pass: true,
    content: true,
    ...counted,
    ...(delta ? { text: byteLength(delta) } : {}),
    ...(sound > 0 ? { sound: { bytes: sound, format } } : {}),
  }
  return LAST.test(type) ? { ...verdict, finished: true, usage: usageOf(event) } : verdict
}
