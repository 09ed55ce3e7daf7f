// Watches a stream whose bytes pass through, in any format: whole frames out, usage and the end found, text counted.
import type { Usage } from './usage.ts'
import type { CallFailure } from './call-failure.ts'
import type { Frame } from './frame.ts'
import type { StreamFinding, Watcher } from './glance.ts'
import { createSplitter, isWholeFrame, withBlankLine } from './frames.ts'
import { latin1 } from './latin1.ts'
import { StreamTokenMeter } from './meter.ts'
import type { NamedObject } from './object-places.ts'
import type { Sound } from './sound.ts'

/** What a parsed frame is: passed on or kept from the caller, and what it says. */
export interface FrameVerdict {
  pass: boolean
  content?: boolean
  /** Its content is a thought. */
  thought?: boolean
  finished?: boolean
  /** It finished, but for no regular reason. */
  odd?: boolean
  ended?: boolean
  usage?: Usage
  failure?: CallFailure
  /** A proof of thought. */
  proof?: string
  /** A conversation that the provider has summed up and encrypted. */
  compaction?: string
  /** Objects that the provider keeps. */
  objects?: NamedObject[]
  /** As a glance has it. */
  blocked?: CallFailure
  /** Bytes of text in it; undefined where its content is no text (a search, a picture). */
  text?: number
  /** Sound in it: bytes, and how it is written. */
  sound?: { bytes: number; format: string }
}

/** What one stream's format says of its frames. `text` has a character for each byte, from `start` to before `end`. */
export interface FrameFormat {
  /** A look at one frame: content that can pass without a parse where no `mark` stands in it. */
  isPlain(text: string, start: number, end: number): boolean
  /** What stands only in frames that must be parsed: a usage, an end. A search, with the flag g. */
  mark?: RegExp
  /** Bytes of text in a plain frame, where that is all it says: others are parsed now and then, to learn from them. */
  saidIn?(text: string, start: number, end: number): number | undefined
  /** Is a plain frame a thought? Only used until other content comes. */
  isThought?(text: string, start: number, end: number): boolean
  /** Parses one whole frame. */
  read(frame: Uint8Array): FrameVerdict
  /** What ends the stream for the caller; `own` is the provider's end, where it sent one. */
  end(own?: Uint8Array): Uint8Array
  /** As a watcher has it. */
  breakOff?(failure: CallFailure): Frame[] | undefined
  /** Is the unfinished rest the end already? Some providers hang up right behind it, without its blank line. */
  isEnd(rest: Uint8Array): boolean
}

/**
 * A failing frame and all that follows the end or a failure are not in `pass`: the caller gets the failure in our own
 * words, without the provider's addresses. After the first content, `content` is true for every chunk that passes
 * unread.
 */
export const createStreamWatcher = (format: FrameFormat): Watcher => new StreamWatcher(format)

/** One object for all of it, because there is one for each stream. */
class StreamWatcher implements Watcher {
  private readonly format: FrameFormat
  private readonly splitter = createSplitter()
  private readonly meter = new StreamTokenMeter()
  private closed = false
  private done = false
  private said = false
  /** The bytes at hand as text, once they had to be looked at; where the next mark is in it. */
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
      const last = withBlankLine(this.splitter.peek())
      this.admit(last, 0, last.length, glance)
    }
    return glance
  }

  close(): StreamFinding {
    const glance = emptyGlance()
    const rest = this.splitter.rest()
    // What is cut in the middle is dropped.
    if (isWholeFrame(rest)) {
      const last = withBlankLine(rest)
      if (this.admit(last, 0, last.length, glance)) glance.pass.push(last)
      this.bytes = undefined
    }
    if (!this.closed && this.done) this.end(glance)
    return glance
  }

  breakOff(failure: CallFailure): Frame[] | undefined {
    return this.format.breakOff?.(failure)
  }

  outputEstimate(): number {
    return this.meter.tokens()
  }

  sound(): Readonly<Sound> {
    return this.meter.sound
  }

  answered(): boolean {
    return this.said
  }

  finished(): boolean {
    return this.done
  }

  /** Takes note of one frame; true when it passes. */
  private admit(bytes: Uint8Array, start: number, end: number, glance: StreamFinding): boolean {
    if (this.closed) {
      glance.usage = this.format.read(bytes.subarray(start, end)).usage ?? glance.usage
      return false
    }
    if (this.isPlain(bytes, start, end) && this.measure(start, end)) {
      glance.content = true
      this.said ||= !this.format.isThought?.(this.text, start, end)
      return true
    }
    const frame = bytes.subarray(start, end)
    const verdict = this.format.read(frame)
    this.said ||= (verdict.content && !verdict.thought) || (verdict.finished && !verdict.odd) || false
    if (verdict.content) {
      glance.content = true
      if (verdict.sound) this.meter.hear(verdict.sound.bytes, verdict.sound.format, verdict.text ?? 0)
      else if (verdict.text === undefined) this.meter.note()
      else this.meter.read(end - start, verdict.text)
    }
    if (verdict.usage) glance.usage = verdict.usage
    if (verdict.failure) {
      glance.failure = verdict.failure
      // What was counted at the start of an answer that then says nothing but this is no report of it.
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
      this.text = latin1(bytes)
      this.marked = -1
    }
    if (mark && this.marked < start) {
      mark.lastIndex = start
      this.marked = mark.exec(this.text)?.index ?? bytes.length
    }
    return !(mark && this.marked < end) && this.format.isPlain(this.text, start, end)
  }

  /** Counts a plain frame; false where it takes a parse to learn from it. */
  private measure(start: number, end: number): boolean {
    if (!this.meter.learning()) {
      this.meter.unread(end - start)
      return true
    }
    const said = this.format.saidIn?.(this.text, start, end)
    if (said === undefined) return false
    this.meter.read(end - start, said)
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
