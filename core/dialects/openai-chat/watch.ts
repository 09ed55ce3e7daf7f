// Watches a stream of chunks that passes through: splits it into frames, finds usage and the end, and counts text.
import { hasAnswerContent } from '../answers/event-content.ts'
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import type { FrameFormat, FrameVerdict, PassthroughWatcher } from '../answers/stream-watcher.ts'
import { getUtf8Length, createStreamWatcher, GENERATED_IMAGE_BYTES } from '../answers/stream-watcher.ts'
import {
  countPlainText,
  readDeltaEvents,
  STREAM_END_MARK,
  hasIrregularEnd,
  getDelta,
  hasContent,
  isChunk,
  NON_TEXT_CHUNK,
  parseFinishReason,
} from './events.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { RequestHead } from '../requests/head.ts'
import { encodeFrame, readEventFrame } from '../answers/frames.ts'
import { asList, getMember, asObject, parseJson, type JsonObject } from '../json/json-value.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { chatObjectPlaces } from '../requests/openai-objects.ts'
import { parseFailure, findChunkFailure } from './error.ts'
import { countBase64Bytes } from '../media/sound.ts'
import { parseAnswerUsage } from './usage.ts'

const END_BYTES = encodeFrame({ data: STREAM_END_MARK })
/** Audio in a stream of this format is never compressed. */
const STREAMED_SOUND = 'pcm16'
const END_LINE = `data: ${STREAM_END_MARK}`

const formatFor = (include_usage: boolean): FrameFormat => ({
  isPlain: isChunk,
  mark: NON_TEXT_CHUNK,
  countText: countPlainText,
  isThought,
  read: (frame) => read(frame, include_usage),
  end: () => END_BYTES,
  isEnd: isEndMark,
})

const withUsage = formatFor(true)
const withoutUsage = formatFor(false)

/** Watches one stream. Adds the end mark if a stream with a finish reason lacks it. */
export const createWatcher = (head: RequestHead): PassthroughWatcher =>
  createStreamWatcher(head.include_usage ? withUsage : withoutUsage)

function isEndMark(rest: Uint8Array): boolean {
  if (rest.length < END_LINE.length - 1 || rest.length > END_LINE.length + 2 || rest[0] !== 0x64) return false
  return readEventFrame(rest)?.data === STREAM_END_MARK
}

/** Chunks of reasoning have an empty content. */
function isThought(text: string, start: number, end: number): boolean {
  const frame = text.slice(start, end)
  return frame.includes('"reasoning') && !/"(?:content|refusal|text)"\s*:\s*"(?!")/.test(frame)
}

/** Parses one whole frame. */
function read(bytes: Uint8Array, include_usage: boolean): FrameVerdict {
  const frame = readEventFrame(bytes)
  if (!frame || frame.data === '') return { pass: true }
  if (frame.data.trim() === STREAM_END_MARK) return { pass: false, ended: true }
  const chunk = asObject(parseJson(frame.data))
  if (!chunk) {
    if (frame.event === 'error') return { pass: false, failure: parseFailure({ message: frame.data }, 502) }
    return { pass: true } // not of this format: passes unchecked
  }
  const failure = findChunkFailure(chunk) ?? (frame.event === 'error' ? parseFailure(chunk, 502) : interrupted(chunk))
  if (failure) return { pass: false, failure, usage: parseAnswerUsage(chunk) }

  const choices = asList(chunk.choices) ?? []
  let content = false
  let finished = false
  let odd = true
  let thought = true
  let blocked: CallFailure | undefined
  let text = 0
  let soundBytes = 0
  for (const choice of choices) {
    const delta = getDelta(asObject(choice) ?? {}, 'delta')
    if (hasContent(delta)) {
      content = true
      const contentEvents = readDeltaEvents(delta, 0)
      text += textBytes(contentEvents)
      thought &&= !contentEvents.some(hasAnswerContent)
      soundBytes += countBase64Bytes(getMember(delta.audio, 'data'))
    }
    const reason = parseFinishReason(asObject(choice) ?? {})
    if (reason) finished = true
    if (reason) odd &&= hasIrregularEnd(asObject(choice) ?? {})
    if (reason === 'content_filter') blocked = CONTENT_WITHHELD
  }
  const holdsUsage = asObject(chunk.usage) !== undefined
  return {
    pass: choices.length > 0 || !holdsUsage || include_usage,
    content,
    thought,
    finished,
    odd,
    text,
    ...(soundBytes > 0 ? { sound: { bytes: soundBytes, format: STREAMED_SOUND } } : {}),
    usage: parseAnswerUsage(chunk),
    objects: findProviderObjects(chunk, chatObjectPlaces.answer),
    blocked,
  }
}

/** Returns the failure that Zhipu reports as the finish reason of a choice when its network broke. */
function interrupted(chunk: JsonObject): CallFailure | undefined {
  const broken = asList(chunk.choices)?.some((choice) => getMember(choice, 'finish_reason') === 'network_error')
  return broken
    ? parseFailure({ message: 'The upstream broke off: network_error', code: 'network_error' }, 502)
    : undefined
}

/** Returns the bytes of a delta's output. */
function textBytes(events: readonly UnassembledEvent[]): number {
  let sum = 0
  for (const event of events) {
    if (event.type === 'tool_call') sum += getUtf8Length(event.name ?? '') + getUtf8Length(event.arguments)
    else if ('text' in event) sum += getUtf8Length(event.text)
    else if (event.type === 'image') sum += GENERATED_IMAGE_BYTES
  }
  return sum
}
