// Server-sent events, both ways: frames as bytes, frames out of bytes, and where frames end in a run of bytes.
import { fail } from '../errors.ts'
import { MAX_FRAME_BYTES, type Frame } from './dialect.ts'

const LF = 10
const CR = 13
/** A buffer that one large frame has grown is given back when it is larger (bytes). */
const KEEP_BYTES = 64 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Frames as bytes, with LF line ends, each with its closing blank line. */
export const encodeFrames = (frames: readonly Frame[]): Uint8Array => encoder.encode(frames.map(textOf).join(''))

export const encodeFrame = (frame: Frame): Uint8Array => encoder.encode(textOf(frame))

function textOf(frame: Frame): string {
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`
  return `${event}data: ${frame.data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`
}

/**
 * The event in one whole frame's bytes; undefined when it dispatches none (comments, pings, blank lines).
 * Fields `id` and `retry` are of no use here and are passed over.
 */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  let event: string | undefined
  let data: string | undefined
  // The decoder drops a byte order mark by itself.
  for (const line of decoder.decode(bytes).split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    if (field !== 'data' && field !== 'event') continue
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    else data = data === undefined ? value : `${data}\n${value}`
  }
  if (data === undefined) return undefined
  return event === undefined || event === '' ? { data } : { event, data }
}

/** Reads frames out of bytes that may be cut anywhere, also inside a character. One per stream. */
export interface FrameParser {
  /** @throws GatewayError upstream.unreadable when one frame is larger than `MAX_FRAME_BYTES` */
  push(run: Uint8Array): Frame[]
  /** At the end of the stream: the last frame, where the provider left out its closing blank line. */
  end(): Frame[]
}

export function createFrameParser(): FrameParser {
  const splitter = createSplitter()
  return {
    push(run) {
      const frames: Frame[] = []
      splitter.push(run, (bytes, start, end) => {
        const frame = readFrame(bytes.subarray(start, end))
        if (frame) frames.push(frame)
      })
      return frames
    },
    end() {
      const frame = readFrame(splitter.rest())
      return frame ? [frame] : []
    },
  }
}

/** Gets a whole frame, its closing blank line included: `bytes` from `start` to before `end`. */
export type FoundFrame = (bytes: Uint8Array, start: number, end: number) => void

/** Finds whole frames without decoding them. Frames inside one run are not copied: `bytes` is then the run itself. */
export interface Splitter {
  /** @throws GatewayError upstream.unreadable when one frame is larger than the limit */
  push(run: Uint8Array, found: FoundFrame): void
  /** Takes the unfinished rest out. */
  rest(): Uint8Array
  /** Looks at the unfinished rest, without a copy: good until the next call. */
  peek(): Uint8Array
}

/** @param limit largest frame, in bytes */
export function createSplitter(limit: number = MAX_FRAME_BYTES): Splitter {
  const findEnd = createEndFinder()
  let kept = new Uint8Array(0)
  let length = 0

  function keep(part: Uint8Array): void {
    if (part.length === 0) return
    const needed = length + part.length
    if (needed > limit) fail('upstream.unreadable', {}, { detail: `a frame is larger than ${limit} bytes` })
    if (needed > kept.length) {
      // Doubling: a large frame in many small runs is copied a few times, not once for each run.
      const grown = new Uint8Array(Math.max(needed, kept.length * 2, 512))
      grown.set(kept.subarray(0, length))
      kept = grown
    }
    kept.set(part, length)
    length = needed
  }

  function rest(): Uint8Array {
    const whole = kept.slice(0, length)
    length = 0
    if (kept.length > KEEP_BYTES) kept = new Uint8Array(0)
    return whole
  }

  return {
    push(run, found) {
      let from = 0
      for (let end = findEnd(run, from, true); end >= 0; end = findEnd(run, from, false)) {
        if (length === 0) {
          if (end - from > limit) fail('upstream.unreadable', {}, { detail: `a frame is larger than ${limit} bytes` })
          found(run, from, end)
        } else {
          keep(run.subarray(from, end))
          const frame = rest()
          found(frame, 0, frame.length)
        }
        from = end
      }
      keep(run.subarray(from))
    },
    rest,
    peek: () => kept.subarray(0, length),
  }
}

/** Says where the next frame ends (the index behind it) or -1; remembers the line it is in between runs. */
function createEndFinder(): (run: Uint8Array, from: number, fresh: boolean) => number {
  let blank = true // nothing on the current line yet
  let afterCr = false // the byte before was a CR that ended a line
  let lone = false // the line before ended with CR alone
  let held = false // a blank line ended with the run's last CR: an LF may still belong to it
  let withCr = false // this run has a CR somewhere

  // JSON holds no raw line ends, so nearly every run takes this way: two jumps for each frame.
  function plain(run: Uint8Array, from: number): number {
    for (let at = from; ;) {
      const lf = run.indexOf(LF, at)
      if (lf < 0) {
        if (at < run.length) blank = false
        return -1
      }
      if (lf === at && blank) return lf + 1
      blank = true
      at = lf + 1
    }
  }

  function careful(run: Uint8Array, from: number): number {
    for (let at = from; at < run.length; at++) {
      const byte = run[at]
      const wasHeld = held
      held = false
      if (byte === LF && afterCr) {
        afterCr = lone = false
        if (wasHeld) return at + 1
      } else if (wasHeld) {
        afterCr = false
        return at
      } else if (byte === CR) {
        const next = run[at + 1]
        if (!blank) blank = afterCr = lone = true
        else if (next === LF) {
          afterCr = lone = false
          return at + 2
        } else if (next === undefined && !lone) {
          held = afterCr = true
        } else {
          afterCr = lone = true
          return at + 1
        }
      } else {
        afterCr = false
        if (byte !== LF) blank = false
        else {
          lone = false
          if (blank) return at + 1
          blank = true
        }
      }
    }
    return -1
  }

  return (run, from, fresh) => {
    if (fresh) withCr = run.indexOf(CR) >= 0
    return withCr || afterCr ? careful(run, from) : plain(run, from)
  }
}
