// Watches a stream of Responses events that passes through. Its last event, with the usage, is held back.
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import type { FrameVerdict, PassthroughWatcher } from '../answers/stream-watcher.ts'
import { getUtf8Length, createStreamWatcher } from '../answers/stream-watcher.ts'
import { readEventFrame } from '../answers/frames.ts'
import { getMember, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { responsesObjectPlaces } from '../requests/openai-objects.ts'
import { countBase64Bytes } from '../media/sound.ts'
import { findProviderCompaction } from './compaction.ts'
import { findEventFailure } from './error.ts'
import { findEncryptedReasoning } from './extras.ts'
import { parseFinish } from './read-events.ts'
import { StreamProgress } from './progress.ts'
import { parseAnswerUsage } from './usage.ts'

const EVENT_FIELD = 'event: '
const EVENT = `${EVENT_FIELD}response.`
const THOUGHT = 'response.reasoning'
const DELTA = '.delta'
const SOUND = /^response\.(?:output_)?audio\.delta$/
const SOUND_DELTA = 'audio.delta'
const CLOSING_BRACE = 0x7d

/** The last events of a stream that did not fail. */
const LAST = new Set(['response.completed', 'response.incomplete'])
/** Events that open something but have no content. */
const OPENING = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.content_part.added',
  'response.reasoning_summary_part.added',
])
/** Items whose content only comes in later events. */
const SILENT = new Set(['message', 'reasoning'])

export function createWatcher(): PassthroughWatcher {
  const progress = new StreamProgress()
  return createStreamWatcher({
    isPlain(text, start, end) {
      if (!isPlain(text, start, end)) return false
      progress.pass(text, start, end)
      return true
    },
    isThought,
    read: (bytes) => read(bytes, progress),
    breakOff: (failure) => progress.breakOff(failure),
    end: (own) => own?.slice() ?? new Uint8Array(),
    isEnd,
  })
}

/** Does the frame's first line name a text event that ends in `.delta`? Such an event has neither usage nor an end. */
function isPlain(text: string, start: number, end: number): boolean {
  if (!text.startsWith(EVENT, start)) return false
  const line = text.indexOf('\n', start)
  if (line < 0 || line >= end || !text.startsWith(DELTA, line - DELTA.length)) return false
  return !text.startsWith(SOUND_DELTA, line - SOUND_DELTA.length)
}

const isThought = (text: string, start: number): boolean => text.startsWith(THOUGHT, start + EVENT_FIELD.length)

/** Is this a whole last event that lacks only its blank line? */
function isEnd(rest: Uint8Array): boolean {
  if (rest.at(-1) !== CLOSING_BRACE) return false
  const frame = readEventFrame(rest)
  return LAST.has(frame?.event ?? '') && asObject(parseJson(frame?.data ?? '')) !== undefined
}

/** Parses one whole frame. */
function read(bytes: Uint8Array, progress: StreamProgress): FrameVerdict {
  const frame = readEventFrame(bytes)
  const event = frame && asObject(parseJson(frame.data))
  // Comments, an end mark after the end, and data of other formats pass unchecked.
  if (!frame || !event) return { pass: true }
  const type = asText(event.type) ?? frame.event ?? ''
  const response = asObject(event.response)
  const usage = parseAnswerUsage(response ?? event)
  const failure = findEventFailure(type, event)
  progress.note(event, bytes.length, failure === undefined)
  if (failure) return { pass: false, failure, usage }
  if (LAST.has(type)) {
    const blocked = response && parseFinish(response, false) === 'content_filter' ? CONTENT_WITHHELD : undefined
    const objects = findProviderObjects(event, responsesObjectPlaces.answer)
    return { pass: false, ended: true, finished: true, usage, blocked, objects }
  }
  const delta = asText(event.delta)
  const done = type === 'response.output_item.done' ? event.item : undefined
  return {
    pass: true,
    proof: findEncryptedReasoning(done),
    compaction: done === undefined ? undefined : findProviderCompaction([done]),
    objects: delta === undefined ? findProviderObjects(event, responsesObjectPlaces.answer) : undefined,
    content: saysSomething(type, event),
    thought: type.startsWith(THOUGHT) || getMember(event.item, 'type') === 'reasoning',
    ...(delta && !SOUND.test(type) ? { text: getUtf8Length(delta) } : {}),
    ...(SOUND.test(type) ? { sound: { bytes: countBase64Bytes(delta), format: 'pcm16' } } : {}),
    usage,
  }
}

function saysSomething(type: string, event: JsonObject): boolean {
  if (!type.startsWith('response.') || OPENING.has(type)) return false
  return type !== 'response.output_item.added' || !SILENT.has(String(getMember(event.item, 'type')))
}
