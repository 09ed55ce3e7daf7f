// Watches a stream that passes through. Every chunk has usage, of which the last counts; there is no end mark.
import { WITHHELD } from '../failures.ts'
import { byteLength, PICTURE_BYTES, type StreamFinding, type Watcher } from '../stream-watcher.ts'
import { createSplitter, isWholeFrame, readFrame, withBlankLine } from '../frames.ts'
import { asObject, parseJson, asText, type JsonObject } from '../json-value.ts'
import { base64Bytes, SoundCounter } from '../sound.ts'
import { getCandidates, endsOddly, finishWord, isWithheld } from './answer.ts'
import { findPromptBlock, failureInChunk } from './error.ts'
import { eitherField } from './fields.ts'
import { createSearchCounter } from './grounding.ts'
import { findLastSignature, getParts } from './head.ts'
import { getBlob } from './media.ts'
import { findObjects } from '../object-places.ts'
import { objects } from './objects.ts'
import { parseUsage } from './usage.ts'

/** Bytes of text per token, roughly. */
const BYTES_PER_TOKEN = 4

const decoder = new TextDecoder()

/**
 * Creates a watcher. A frame with a finish reason may be the last one: it is held back until another follows or the
 * bytes end, so that the end of an answer is sent when the call is settled. A frame with an error is not in `pass`.
 */
export function createWatcher(): Watcher {
  const splitter = createSplitter()
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
    glance.usage = parseUsage(eitherField(chunk, 'usageMetadata'), searches(candidates)) ?? glance.usage
    if (closed) return
    const failure = failureInChunk(chunk)
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
    const given = findObjects(chunk, objects.answer)
    if (given) (glance.objects ??= []).push(...given)
    const { proof } = findLastSignature(candidates.map((candidate) => eitherField(candidate, 'content')))
    if (proof !== undefined) glance.proof = proof
    const block = candidates.length === 0 ? findPromptBlock(chunk) : undefined
    if (block) glance.blocked = block
    else if (candidates.some(isWithheld)) glance.blocked = WITHHELD
    if (block || candidates.some((one) => finishWord(one) !== undefined)) {
      finished = true
      answered ||= !candidates.every(endsOddly) || block !== undefined
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
      if (isWholeFrame(rest) || failureInChunk(parseChunk(rest))) take(rest, glance)
      glance.pass = glance.pass.map(withBlankLine)
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
  getParts(eitherField(candidate, 'content')).some(
    (part) => eitherField(part, 'thought') !== true && eitherField(part, 'text') !== '',
  )

/** Returns the chunk in a frame; an error may be in a stream without a frame. */
function parseChunk(bytes: Uint8Array): JsonObject | undefined {
  const data = readFrame(bytes)?.data ?? decoder.decode(bytes)
  return data.trim() === '' ? undefined : asObject(parseJson(data))
}

/**
 * Returns the bytes of a chunk's output, at least one token's worth for content that is not text, and adds its audio to
 * `sound`.
 */
function countOutputBytes(chunk: unknown, sound: SoundCounter): number {
  let sum = 0
  for (const candidate of getCandidates(chunk)) {
    for (const part of getParts(eitherField(candidate, 'content'))) {
      const text = asText(eitherField(part, 'text'))
      const call = eitherField(part, 'functionCall')
      if (text !== undefined) sum += byteLength(text)
      else if (call !== undefined) sum += byteLength(JSON.stringify(call))
      else if (eitherField(part, 'text') === undefined) sum += mediaBytes(part, sound)
    }
  }
  return sum
}

function mediaBytes(part: unknown, sound: SoundCounter): number {
  const blob = getBlob(part)
  if (blob?.type.startsWith('audio/')) sound.add(base64Bytes(blob.data), blob.type)
  if (blob?.type.startsWith('image/')) return PICTURE_BYTES
  return blob || eitherField(part, 'thoughtSignature') === undefined ? BYTES_PER_TOKEN : 0
}
