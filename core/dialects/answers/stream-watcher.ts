// Watches a stream of any format that passes through: splits it into frames, finds usage and the end, and counts text.
import type { CallFailure } from './call-failure.ts'
import { createFrameSplitter, type SseFrame, isWholeFrame, readEventFrame, closeFrame } from './frames.ts'
import { asObject, asText, type JsonObject, parseJson } from '../json/json-value.ts'
import { decodeLatin1 } from '../json/json-text.ts'
import type { ProviderObject } from '../requests/object-places.ts'
import { findChunkFailure } from '../openai-chat/error.ts'
import { countBase64Bytes, type SoundBytes, SoundCounter } from '../media/sound.ts'
import type { Usage } from './usage.ts'

// Estimates a stream's output tokens without parsing all of it: charged if the provider never reports usage.

/**
 * Number of content frames that are parsed at the start, and interval afterwards, to learn how much of a frame is not
 * text.
 */
const LEARN_FIRST = 3
const LEARN_EVERY = 32
/** Bytes of text per token, roughly. */
const BYTES_PER_TOKEN = 4
/** Size counted for an image that a model generates in a chat, in bytes of text: Google's are 1290 tokens. */
export const GENERATED_IMAGE_BYTES: number = 1290 * BYTES_PER_TOKEN

const encoder = new TextEncoder()

/** Returns the length of a text in UTF-8 bytes. */
export function getUtf8Length(text: string): number {
  // Encoding the few letters of an event costs ten times as much as looking at them.
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return encoder.encode(text).length
  return text.length
}

/** Counts text by the size of frames: the bytes beyond a frame's envelope are text. */
export class StreamTokenMeter {
  private frames = 0
  private envelope = 0
  private text = 0
  private other = false
  readonly sound = new SoundCounter()

  /** Must the next content frame be parsed? */
  learning(): boolean {
    return this.frames < LEARN_FIRST || this.frames % LEARN_EVERY === 0
  }

  /** Counts a parsed content frame: `size` and `said` in bytes. */
  read(size: number, textBytes: number): void {
    // The first frames may have more than later ones (a role, a tool's name): the smallest envelope counts.
    const own = Math.max(0, size - textBytes)
    this.envelope = this.frames > 0 && this.frames < LEARN_FIRST ? Math.min(this.envelope, own) : own
    this.frames++
    this.text += textBytes
  }

  unread(size: number): void {
    this.frames++
    this.text += Math.max(0, size - this.envelope)
  }

  /** Notes content that is not text. */
  note(): void {
    this.other = true
  }

  /** Counts audio, with the bytes of text next to it. */
  addSound(bytes: number, format: string, textBytes: number): void {
    this.sound.add(bytes, format)
    this.text += textBytes
    this.other = true
  }

  /** Returns the text tokens so far, at least 1 after any content. */
  tokens(): number {
    return this.frames === 0 && !this.other ? 0 : Math.max(1, Math.ceil(this.text / BYTES_PER_TOKEN))
  }
}

/** The verdict on a parsed frame: passed on or withheld from the caller, and the facts in it. */
export interface FrameVerdict {
  pass: boolean
  content?: boolean
  /** Its content is reasoning. */
  thought?: boolean
  finished?: boolean
  /** It finished for an irregular reason. */
  odd?: boolean
  ended?: boolean
  usage?: Usage
  failure?: CallFailure
  /** A reasoning signature. */
  proof?: string
  /** A conversation summary that the provider has encrypted. */
  compaction?: string
  /** Objects stored at the provider. */
  objects?: ProviderObject[]
  /** As in `StreamFinding`. */
  blocked?: CallFailure
  /** Bytes of text in it; undefined if its content is not text (a search, an image). */
  text?: number
  /** Audio in it: bytes and format. */
  sound?: { bytes: number; format: string }
}

/** The frame functions of a stream's format. `text` has a character for each byte, from `start` to before `end`. */
export interface FrameFormat {
  /** Checks one frame without parsing it: content that can pass if it has no `mark`. */
  isPlain(text: string, start: number, end: number): boolean
  /** Matches only frames that must be parsed: usage, an end. Has the flag g. */
  mark?: RegExp
  /**
   * Returns the bytes of text in a plain frame; undefined if it may have other content. Some such frames are parsed to
   * learn from them.
   */
  countText?(text: string, start: number, end: number): number | undefined
  /** Is a plain frame reasoning? Only used until other content comes. */
  isThought?(text: string, start: number, end: number): boolean
  /** Parses one whole frame. */
  read(frame: Uint8Array): FrameVerdict
  /** Returns the bytes that end the stream for the caller; `own` is the provider's end, if it sent one. */
  end(own?: Uint8Array): Uint8Array
  /** As in `Watcher`. */
  breakOff?(failure: CallFailure): SseFrame[] | undefined
  /**
   * Is the unfinished rest the end already? Some providers close the connection right after it, without its blank line.
   */
  isEnd(rest: Uint8Array): boolean
}

/**
 * Creates a watcher. A frame with an error and all that follows the end or a failure are not in `pass`: the caller gets
 * the failure in our own words, without the provider's addresses. After the first content, `content` is true for every
 * chunk that passes unparsed.
 */
export const createStreamWatcher = (format: FrameFormat): PassthroughWatcher => new StreamWatcher(format)

/** A single object, because there is one for each stream. */
class StreamWatcher implements PassthroughWatcher {
  private readonly format: FrameFormat
  private readonly splitter = createFrameSplitter()
  private readonly meter = new StreamTokenMeter()
  private closed = false
  private done = false
  private hasContent = false
  /** The current bytes as text, once they had to be checked, and the index of the next mark in it. */
  private bytes: Uint8Array | undefined
  private text = ''
  private marked = -1

  constructor(format: FrameFormat) {
    this.format = format
  }

  look(run: Uint8Array): StreamFinding {
    const glance = emptyGlance()
    let from = 0
    let to = 0 // frames from `from` to `to` of this run pass and are not handed out yet
    this.splitter.push(run, (bytes, start, end) => {
      const pass = this.admit(bytes, start, end, glance)
      if (bytes !== run) {
        if (pass) glance.pass.push(bytes)
      } else if (pass) {
        if (to === from) from = start
        to = end
      } else {
        if (to > from) glance.pass.push(run.subarray(from, to))
        from = to = end
      }
    })
    this.bytes = undefined
    this.text = ''
    if (to > from) glance.pass.push(run.subarray(from, to))
    if (!this.closed && this.splitter.length() > 0 && this.format.isEnd(this.splitter.peek())) {
      const last = closeFrame(this.splitter.peek())
      this.admit(last, 0, last.length, glance)
    }
    return glance
  }

  close(): StreamFinding {
    const glance = emptyGlance()
    const rest = this.splitter.rest()
    // A truncated frame is dropped.
    if (isWholeFrame(rest)) {
      const last = closeFrame(rest)
      if (this.admit(last, 0, last.length, glance)) glance.pass.push(last)
      this.bytes = undefined
    }
    if (!this.closed && this.done) this.end(glance)
    return glance
  }

  breakOff(failure: CallFailure): SseFrame[] | undefined {
    return this.format.breakOff?.(failure)
  }

  outputEstimate(): number {
    return this.meter.tokens()
  }

  sound(): Readonly<SoundBytes> {
    return this.meter.sound
  }

  answered(): boolean {
    return this.hasContent
  }

  finished(): boolean {
    return this.done
  }

  /** Records one frame; returns true if it passes. */
  private admit(bytes: Uint8Array, start: number, end: number, glance: StreamFinding): boolean {
    if (this.closed) {
      glance.usage = this.format.read(bytes.subarray(start, end)).usage ?? glance.usage
      return false
    }
    if (this.isPlain(bytes, start, end) && this.measure(start, end)) {
      glance.content = true
      this.hasContent ||= !this.format.isThought?.(this.text, start, end)
      return true
    }
    const frame = bytes.subarray(start, end)
    const verdict = this.format.read(frame)
    this.hasContent ||= (verdict.content && !verdict.thought) || (verdict.finished && !verdict.odd) || false
    if (verdict.content) {
      glance.content = true
      if (verdict.sound) this.meter.addSound(verdict.sound.bytes, verdict.sound.format, verdict.text ?? 0)
      else if (verdict.text === undefined) this.meter.note()
      else this.meter.read(end - start, verdict.text)
    }
    if (verdict.usage) glance.usage = verdict.usage
    if (verdict.failure) {
      glance.failure = verdict.failure
      // Usage counted at the start of an answer does not count if nothing but this error follows.
      if (!verdict.usage && this.meter.tokens() === 0) glance.usage = undefined
    }
    if (verdict.proof) glance.proof = verdict.proof
    if (verdict.compaction) glance.compaction = verdict.compaction
    if (verdict.objects) (glance.objects ??= []).push(...verdict.objects)
    if (verdict.blocked) glance.blocked = verdict.blocked
    if (verdict.ended) this.end(glance, frame)
    if (verdict.finished) this.done = true
    if (verdict.failure) this.closed = true
    return verdict.pass
  }

  /** Can the frame pass without a parse? */
  private isPlain(bytes: Uint8Array, start: number, end: number): boolean {
    const { mark } = this.format
    if (this.bytes !== bytes) {
      this.bytes = bytes
      this.text = decodeLatin1(bytes)
      this.marked = -1
    }
    if (mark && this.marked < start) {
      mark.lastIndex = start
      this.marked = mark.exec(this.text)?.index ?? bytes.length
    }
    return !(mark && this.marked < end) && this.format.isPlain(this.text, start, end)
  }

  /** Counts a plain frame; returns false if it must be parsed to learn from it. */
  private measure(start: number, end: number): boolean {
    if (!this.meter.learning()) {
      this.meter.unread(end - start)
      return true
    }
    const textBytes = this.format.countText?.(this.text, start, end)
    if (textBytes === undefined) return false
    this.meter.read(end - start, textBytes)
    return true
  }

  private end(glance: StreamFinding, own?: Uint8Array): void {
    this.closed = this.done = glance.ended = true
    glance.end = this.format.end(own)
  }
}

const emptyGlance = (): StreamFinding => ({
  pass: [],
  content: false,
  ended: false,
  end: undefined,
  usage: undefined,
  failure: undefined,
  proof: undefined,
  compaction: undefined,
  objects: undefined,
  blocked: undefined,
})

// Watches a stream of typed events other than chat (speech, transcripts, images) that passes through.

const END_MARK = '[DONE]'

/** `transcript.text.done`, `speech.audio.done`, `image_generation.completed` … report the usage. */
const LAST = /\.(done|completed)$/

/**
 * @param usageOf the usage that the last event of a stream reports
 * @param format its audio format
 */
export const createSpokenEvents = (usageOf: (event: JsonObject) => Usage, format: string): PassthroughWatcher =>
  createStreamWatcher({
    isPlain: () => false,
    read: (bytes) => read(bytes, usageOf, format),
    end: (own) => own?.slice() ?? new Uint8Array(),
    isEnd: (rest) => readEventFrame(rest)?.data === END_MARK,
  })

function read(bytes: Uint8Array, usageOf: (event: JsonObject) => Usage, format: string): FrameVerdict {
  const frame = readEventFrame(bytes)
  if (frame?.data === END_MARK) return { pass: false, ended: true, finished: true }
  const event = frame && asObject(parseJson(frame.data))
  if (!frame || !event) return { pass: true }
  const failure = findChunkFailure(event)
  const counted = asObject(event.usage) ? { usage: usageOf(event) } : {}
  if (failure) return { pass: false, failure, ...counted }
  const type = asText(event.type) ?? frame.event ?? ''
  const delta = asText(event.delta)
  const sound = countBase64Bytes(event.audio)
  const verdict = {
    pass: true,
    content: true,
    ...counted,
    ...(delta ? { text: getUtf8Length(delta) } : {}),
    ...(sound > 0 ? { sound: { bytes: sound, format } } : {}),
  }
  return LAST.test(type) ? { ...verdict, finished: true, usage: usageOf(event) } : verdict
}

// The interface of watchers of streams that pass through.

/** The facts that a watcher found in a run of a stream's bytes, without parsing all of it. */
export interface StreamFinding {
  /** The bytes to pass on now: whole frames, without those that the caller must not see. */
  pass: Uint8Array[]
  /** Frames with content (text, reasoning, tool calls) in this run. */
  content: boolean
  /** The stream's end mark was in this run; it is not in `pass`. */
  ended: boolean
  /** The bytes that end the stream, sent once the call is settled. Set with `ended`, unless the format has no end. */
  end?: Uint8Array
  usage?: Usage
  failure?: CallFailure
  /** Set if the provider refuses to answer or stops, in frames that pass unchanged. */
  blocked?: CallFailure
  /** Objects stored at the provider that occur in this run. */
  objects?: ProviderObject[]
  /** The last reasoning signature in this run. */
  proof?: string
  /** A conversation summary in this run that the provider has encrypted. */
  compaction?: string
}

/** Watches a stream of this dialect whose bytes pass through. Memory does not grow with the stream. */
export interface PassthroughWatcher {
  /**
   * After the end or a failure only reports count: nothing is passed on.
   * @throws GatewayError upstream.unreadable if one frame is larger than `MAX_FRAME_BYTES`
   */
  look(bytes: Uint8Array): StreamFinding
  /**
   * Ends the watch when the bytes end or the client has gone, and returns the rest. `ended` is set if the stream had
   * finished, even without an end mark; if it had ended before, `end` has its final bytes if later frames belong to
   * them.
   */
  close(): StreamFinding
  /** Ends the stream here because the answer is too long. Only for translated streams. */
  cut?(): StreamFinding
  /** Writes the end of a stream that breaks off; if undefined, only the failure is written. */
  breakOff?(failure: CallFailure): SseFrame[] | undefined
  /** Estimates the output tokens so far: charged if the provider never reports usage. */
  outputEstimate(): number
  /** Audio so far, which is not included in the estimate. */
  sound(): Readonly<SoundBytes>
  /** True after content other than reasoning, or after a regular end. Until then the answer is empty. */
  answered(): boolean
  /** True once the stream has finished (a finish reason, or its end mark). */
  finished(): boolean
}
