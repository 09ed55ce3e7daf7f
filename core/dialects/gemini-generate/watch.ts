// Watches a stream that passes through. Every chunk has usage, of which the last counts; there is no end mark.
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import type { StreamFinding, PassthroughWatcher } from '../answers/stream-watcher.ts'
import { getUtf8Length, GENERATED_IMAGE_BYTES } from '../answers/stream-watcher.ts'
import { createFrameSplitter, isWholeFrame, readEventFrame, closeFrame } from '../answers/frames.ts'
import { asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { countBase64Bytes, SoundCounter } from '../media/sound.ts'
import { getCandidates, hasIrregularEnd, getFinishReason, isWithheld } from './answer.ts'
import { findPromptBlock, findChunkFailure } from './error.ts'
import { getEitherSpelling } from './fields.ts'
import { createSearchCounter } from './grounding.ts'
import { findLastSignature, getTurnParts, generateObjects } from './head.ts'
import { getBlob } from './media.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { parseUsage } from './usage.ts'

/** Bytes of text per token, roughly. */
const BYTES_PER_TOKEN = 4

const decoder = new TextDecoder()

/**
 * Creates a watcher. A frame with a finish reason may be the last one: it is held back until another follows or the
 * bytes end, so that the end of an answer is sent when the call is settled. A frame with an error is not in `pass`.
 */
export function createWatcher(): PassthroughWatcher {
  const splitter = createFrameSplitter()
  let held: Uint8Array | undefined
  let closed = false
  let finished = false
  let answered = false
  const searches = createSearchCounter()
  let content = 0
  let textBytes = 0
  const sound = new SoundCounter()

  function take(frame: Uint8Array, glance: StreamFinding): void {
    const chunk = parseChunk(frame)
    const candidates = getCandidates(chunk)
    glance.usage = parseUsage(getEitherSpelling(chunk, 'usageMetadata'), searches(candidates)) ?? glance.usage
    if (closed) return
    const failure = findChunkFailure(chunk)
    if (held) glance.pass.push(held)
    held = undefined
    if (failure) {
      glance.failure = failure
      closed = true
      return
    }
    const size = countOutputBytes(chunk, sound)
    textBytes += size
    if (size > 0) {
      content++
      glance.content = true
      answered ||= candidates.some(saysMore)
    }
    const given = findProviderObjects(chunk, generateObjects.answer)
    if (given) (glance.objects ??= []).push(...given)
    const { proof } = findLastSignature(candidates.map((candidate) => getEitherSpelling(candidate, 'content')))
    if (proof !== undefined) glance.proof = proof
    const block = candidates.length === 0 ? findPromptBlock(chunk) : undefined
    if (block) glance.blocked = block
    else if (candidates.some(isWithheld)) glance.blocked = CONTENT_WITHHELD
    if (block || candidates.some((one) => getFinishReason(one) !== undefined)) {
      finished = true
      answered ||= !candidates.every(hasIrregularEnd) || block !== undefined
      held = frame
    } else glance.pass.push(frame)
  }

  return {
    look(run) {
      const glance: StreamFinding = { pass: [], content: false, ended: false }
      splitter.push(run, (bytes, start, end) => take(bytes.subarray(start, end), glance))
      return glance
    },
    close() {
      const glance: StreamFinding = { pass: [], content: false, ended: false }
      const rest = splitter.rest()
      // A truncated frame is dropped. An error may be in a stream without a frame.
      if (isWholeFrame(rest) || findChunkFailure(parseChunk(rest))) take(rest, glance)
      glance.pass = glance.pass.map(closeFrame)
      if (!closed && finished) {
        closed = glance.ended = true
        glance.end = held ?? new Uint8Array()
      }
      return glance
    },
    outputEstimate: () => (content === 0 ? 0 : Math.max(1, Math.ceil(textBytes / BYTES_PER_TOKEN))),
    sound: () => sound,
    answered: () => answered,
    finished: () => finished,
  }
}

/** Does a candidate have content other than reasoning? */
const saysMore = (candidate: unknown): boolean =>
  getTurnParts(getEitherSpelling(candidate, 'content')).some(
    (part) => getEitherSpelling(part, 'thought') !== true && getEitherSpelling(part, 'text') !== '',
  )

/** Returns the chunk in a frame; an error may be in a stream without a frame. */
function parseChunk(bytes: Uint8Array): JsonObject | undefined {
  const data = readEventFrame(bytes)?.data ?? decoder.decode(bytes)
  return data.trim() === '' ? undefined : asObject(parseJson(data))
}

/**
 * Returns the bytes of a chunk's output, at least one token's worth for content that is not text, and adds its audio to
 * `sound`.
 */
function countOutputBytes(chunk: unknown, sound: SoundCounter): number {
  let sum = 0
  for (const candidate of getCandidates(chunk)) {
    for (const part of getTurnParts(getEitherSpelling(candidate, 'content'))) {
      const text = asText(getEitherSpelling(part, 'text'))
      const call = getEitherSpelling(part, 'functionCall')
      if (text !== undefined) sum += getUtf8Length(text)
      else if (call !== undefined) sum += getUtf8Length(JSON.stringify(call))
      else if (getEitherSpelling(part, 'text') === undefined) sum += mediaBytes(part, sound)
    }
  }
  return sum
}

function mediaBytes(part: unknown, sound: SoundCounter): number {
  const blob = getBlob(part)
  if (blob?.type.startsWith('audio/')) sound.add(countBase64Bytes(blob.data), blob.type)
  if (blob?.type.startsWith('image/')) return GENERATED_IMAGE_BYTES
  return blob || getEitherSpelling(part, 'thoughtSignature') === undefined ? BYTES_PER_TOKEN : 0
}
