// Watches a stream whose bytes pass through, in any format: whole frames out, usage and the end found, text counted.
import type { CallFailure, Glance, Usage, Watcher } from './dialect.ts'
import { createSplitter } from './frames.ts'
import { createMeter } from './meter.ts'

/** What a parsed frame is: passed on or kept from the caller, and what it says. */
export interface Verdict {
  pass: boolean
  content?: boolean
  finished?: boolean
  ended?: boolean
  usage?: Usage
  failure?: CallFailure
  /** Bytes of text in it; undefined where its content is no text (a search, a picture). */
  text?: number
}

/** What one stream's format says of its frames. */
export interface FrameFormat {
  /** A look at the bytes of one frame: content that can pass without a parse, neither usage nor an end. */
  isPlain(bytes: Uint8Array, start: number, end: number): boolean
  /** Parses one whole frame. */
  read(frame: Uint8Array): Verdict
  /** What ends the stream for the caller; `own` is the provider's end, where it sent one. */
  end(own?: Uint8Array): Uint8Array
  /** Is the unfinished rest the end already? Some providers hang up right behind it, without its blank line. */
  isEnd(rest: Uint8Array): boolean
}

/**
 * A failing frame and all that follows the end or a failure are not in `pass`: the caller gets the failure in our own
 * words, without the provider's addresses. After the first content, `content` is true for every chunk that passes
 * unread.
 */
export function createStreamWatcher(format: FrameFormat): Watcher {
  const splitter = createSplitter()
  const meter = createMeter()
  let closed = false
  let finished = false

  /** Takes note of one frame; true when it passes. */
  function admit(bytes: Uint8Array, start: number, end: number, glance: Glance): boolean {
    if (closed) return false
    if (!meter.learning() && format.isPlain(bytes, start, end)) {
      meter.unread(end - start)
      glance.content = true
      return true
    }
    const frame = bytes.subarray(start, end)
    const verdict = format.read(frame)
    if (verdict.content) {
      glance.content = true
      if (verdict.text === undefined) meter.note()
      else meter.read(end - start, verdict.text)
    }
    if (verdict.usage) glance.usage = verdict.usage
    if (verdict.failure) glance.failure = verdict.failure
    if (verdict.ended) close(glance, frame)
    if (verdict.finished) finished = true
    if (verdict.failure) closed = true
    return verdict.pass
  }

  function close(glance: Glance, own?: Uint8Array): void {
    closed = finished = glance.ended = true
    glance.end = format.end(own)
  }

  return {
    look(run) {
      const glance: Glance = { pass: [], content: false, ended: false }
      let from = 0
      let to = 0 // frames from `from` to `to` of this run pass and are not handed out yet
      splitter.push(run, (bytes, start, end) => {
        const pass = admit(bytes, start, end, glance)
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
      if (to > from) glance.pass.push(run.subarray(from, to))
      if (!closed && format.isEnd(splitter.peek())) {
        const last = withBlankLine(splitter.peek())
        admit(last, 0, last.length, glance)
      }
      return glance
    },
    close() {
      const glance: Glance = { pass: [], content: false, ended: false }
      if (!closed && finished) close(glance)
      return glance
    },
    outputEstimate: meter.tokens,
    finished: () => finished,
  }
}

const LF = 10

/** The frame with its closing blank line, of which some of it may be there. */
const withBlankLine = (frame: Uint8Array): Uint8Array =>
  Uint8Array.from(frame.at(-1) === LF ? [...frame, LF] : [...frame, LF, LF])
