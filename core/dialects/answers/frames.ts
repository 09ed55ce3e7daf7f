// Server-sent events: encodes frames, decodes frames, and finds frame ends in a run of bytes.
import { fail } from '../../errors.ts'
import { refuseCostlyAnswer } from '../json/json-cost.ts'
import { asObject, parseJson } from '../json/json-value.ts'

// The parts of a stream.

/** One server-sent event. */
export interface SseFrame {
  event?: string
  data: string
}

/** Output for the caller: an event that we wrote, or a run of the provider's bytes that passes unchanged. */
export type OutputPiece = SseFrame | Uint8Array

/** Maximum size of a frame in bytes (a whole image in one event is below it). */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

const LF = 10
const CR = 13
/** Maximum number of lines in one event. No format has more than one line of data. */
const MAX_LINES = 64 * 1024
/** A buffer that a large frame has grown beyond this is released, in bytes. */
const KEEP_BYTES = 64 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes frames with LF line ends, each with its closing blank line. */
export const encodeEventFrames = (frames: readonly SseFrame[]): Uint8Array =>
  encoder.encode(frames.map(formatFrame).join(''))

export const encodeFrame = (frame: SseFrame): Uint8Array => encoder.encode(formatFrame(frame))

function formatFrame(frame: SseFrame): string {
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`
  return `${event}data: ${frame.data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`
}

/**
 * Decodes one whole frame; undefined if it dispatches no event (comments, pings, blank lines). The fields `id` and
 * `retry` are not needed and are skipped.
 * @throws GatewayError upstream.unreadable if it has more than `MAX_LINES` lines, or costs too much to parse
 */
export function readEventFrame(bytes: Uint8Array): SseFrame | undefined {
  refuseCostlyAnswer(bytes)
  // The decoder drops a byte order mark itself.
  const text = decoder.decode(bytes)
  if (isOneLine(text)) return { data: text.slice(text[5] === ' ' ? 6 : 5, -2) }
  let event: string | undefined
  let data: string | undefined
  const lines = text.split(/\r\n|\r|\n/, MAX_LINES + 1)
  if (lines.length > MAX_LINES) fail('upstream.unreadable', {}, { detail: `an event has more than ${MAX_LINES} lines` })
  for (const line of lines) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    if (field !== 'data' && field !== 'event') continue
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    else data = data === undefined ? value : `${data}\n${value}`
  }
  if (data === undefined || data === END_MARK) {
    const json = bareJson(text)
    if (json !== undefined) return { data: json }
  }
  if (data === undefined) return undefined
  return event === undefined || event === '' ? { data } : { event, data }
}

/** Some servers send a bare JSON object, mostly an error, without the field `data`. */
function bareJson(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  const lines = text.split(/\r\n|\r|\n/).filter((line) => !/^(?:data|event|id|retry)?:/.test(line))
  const json = lines.join('\n').trim()
  return asObject(parseJson(json)) ? json : undefined
}

const END_MARK = '[DONE]'

/**
 * Is this event complete although its closing blank line is missing? All formats send JSON, and a truncated event is
 * not valid JSON, except for the end mark of some.
 */
export const isWhole = ({ data }: SseFrame): boolean => data.trim() === END_MARK || parseJson(data) !== undefined

/** Is the rest of a stream a whole event that lacks only its blank line? */
export function isWholeFrame(rest: Uint8Array): boolean {
  const frame = rest.length > 0 ? readEventFrame(rest) : undefined
  return frame !== undefined && isWhole(frame)
}

/** Adds the closing blank line, or the missing part of it. */
export function closeFrame(frame: Uint8Array): Uint8Array {
  const end = decoder.decode(frame.subarray(-4))
  if (/(\n\n|\r\r|\r\n\r\n)$/.test(end)) return frame
  return Uint8Array.from(end.endsWith('\n') ? [...frame, LF] : [...frame, LF, LF])
}

/** Nearly every frame is a line of data and a blank one. */
const isOneLine = (text: string): boolean =>
  text.startsWith('data:') && text.endsWith('\n\n') && text.indexOf('\n') === text.length - 2 && !text.includes('\r')

/** A parser of frames from bytes that may be cut anywhere, even inside a character. One per stream. */
export interface FrameParser {
  /** @throws GatewayError upstream.unreadable if one frame is larger than `MAX_FRAME_BYTES` */
  push(run: Uint8Array): SseFrame[]
  /** Ends the stream and returns the last frame if the provider omitted its closing blank line. */
  end(): SseFrame[]
}

export function createFrameParser(): FrameParser {
  const splitter = createFrameSplitter()
  return {
    push(run) {
      const frames: SseFrame[] = []
      splitter.push(run, (bytes, start, end) => {
        const frame = readEventFrame(bytes.subarray(start, end))
        if (frame) frames.push(frame)
      })
      return frames
    },
    end() {
      const frame = readEventFrame(splitter.rest())
      return frame ? [frame] : []
    },
  }
}

/** Receives a whole frame with its closing blank line: `bytes` from `start` to before `end`. */
export type FoundFrame = (bytes: Uint8Array, start: number, end: number) => void

/** Finds whole frames without decoding them. Frames inside one run are not copied: `bytes` is then the run itself. */
export interface Splitter {
  /** @throws GatewayError upstream.unreadable if one frame is larger than the limit */
  push(run: Uint8Array, found: FoundFrame): void
  /** Removes and returns the unfinished rest. */
  rest(): Uint8Array
  /** Returns the unfinished rest without copying it; valid until the next call. */
  peek(): Uint8Array
  /** Length of the unfinished rest, in bytes. */
  length(): number
}

const NOTHING = new Uint8Array(0)

/** @param limit maximum frame size, in bytes */
export const createFrameSplitter = (limit: number = MAX_FRAME_BYTES): Splitter => new FrameSplitter(limit)

/** A splitter for one stream. */
class FrameSplitter implements Splitter {
  private readonly limit: number
  private readonly ends = new EndFinder()
  private buffer = NOTHING
  private size = 0

  constructor(limit: number) {
    this.limit = limit
  }

  push(run: Uint8Array, found: FoundFrame): void {
    this.ends.begin(run)
    let from = 0
    for (let end = this.ends.next(run, 0); end >= 0; end = this.ends.next(run, from)) {
      if (this.size === 0) {
        if (end - from > this.limit) this.tooLarge()
        found(run, from, end)
      } else {
        this.keep(run.subarray(from, end))
        const frame = this.rest()
        found(frame, 0, frame.length)
      }
      from = end
    }
    if (from < run.length) this.keep(run.subarray(from))
  }

  rest(): Uint8Array {
    const whole = this.buffer.slice(0, this.size)
    this.size = 0
    if (this.buffer.length > KEEP_BYTES) this.buffer = NOTHING
    return whole
  }

  peek(): Uint8Array {
    return this.buffer.subarray(0, this.size)
  }

  length(): number {
    return this.size
  }

  private keep(part: Uint8Array): void {
    const needed = this.size + part.length
    if (needed > this.limit) this.tooLarge()
    if (needed > this.buffer.length) {
      // Doubles the buffer: a large frame in many small runs is copied a few times, not once per run.
      const grown = new Uint8Array(Math.max(needed, this.buffer.length * 2, 512))
      grown.set(this.buffer.subarray(0, this.size))
      this.buffer = grown
    }
    this.buffer.set(part, this.size)
    this.size = needed
  }

  private tooLarge(): never {
    return fail('upstream.unreadable', {}, { detail: `a frame is larger than ${this.limit} bytes` })
  }
}

/** Finds the end of the next frame (the index after it, or -1) and remembers its line state between runs. */
class EndFinder {
  private blank = true // nothing on the current line yet
  private afterCr = false // the byte before was a CR that ended a line
  private lone = false // the line before ended with CR alone
  private held = false // a blank line ended with the run's last CR: an LF may still belong to it
  private withCr = false // this run has a CR somewhere

  begin(run: Uint8Array): void {
    this.withCr = run.indexOf(CR) >= 0
  }

  next(run: Uint8Array, from: number): number {
    return this.withCr || this.afterCr ? this.careful(run, from) : this.plain(run, from)
  }

  // Fast path: JSON has no raw line ends, so nearly every run needs one search per line.
  private plain(run: Uint8Array, from: number): number {
    for (let at = from; ;) {
      const lf = run.indexOf(LF, at)
      if (lf < 0) {
        if (at < run.length) this.blank = false
        return -1
      }
      if (lf === at && this.blank) return lf + 1
      this.blank = true
      at = lf + 1
      if (run[at] === LF) return at + 1
    }
  }

  private careful(run: Uint8Array, from: number): number {
    for (let at = from; at < run.length; at++) {
      const byte = run[at]
      const wasHeld = this.held
      this.held = false
      if (byte === LF && this.afterCr) {
        this.afterCr = this.lone = false
        if (wasHeld) return at + 1
      } else if (wasHeld) {
        this.afterCr = false
        return at
      } else if (byte === CR) {
        const next = run[at + 1]
        if (!this.blank) this.blank = this.afterCr = this.lone = true
        else if (next === LF) {
          this.afterCr = this.lone = false
          return at + 2
        } else if (next === undefined && !this.lone) {
          this.held = this.afterCr = true
        } else {
          this.afterCr = this.lone = true
          return at + 1
        }
      } else {
        this.afterCr = false
        if (byte !== LF) this.blank = false
        else {
          this.lone = false
          if (this.blank) return at + 1
          this.blank = true
        }
      }
    }
    return -1
  }
}
