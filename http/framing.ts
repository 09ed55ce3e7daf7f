// How the pieces of a streamed answer are put into bytes: as server-sent events, or as one JSON array.
import { createFrameParser, encodeFrame } from '../core/dialects/frames.ts'
import type { Piece } from '../core/dialects/frame.ts'

export interface Framing {
  /** Of the whole stream. */
  type: string
  write(pieces: Piece[]): Uint8Array
  /** What stands behind the last piece. */
  end(): string
  /** Bytes without meaning that keep the connection alive. */
  ping(): string
}

export const eventStream: Framing = {
  type: 'text/event-stream',
  write(pieces) {
    const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : encodeFrame(piece)))
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  },
  end: () => '',
  ping: () => ': PING\n\n',
}

/** As Google streams: its clients know no comments, but pass over lines without anything in them. */
export const plainEventStream: Framing = { ...eventStream, ping: () => '\n' }

/**
 * Each event's data is an element, which is how Google streams to callers who do not ask for events. Nothing stands behind the
 * closing bracket: Google's generated clients take it for one more element. One per stream.
 */
export function jsonArray(): Framing {
  const parser = createFrameParser()
  let opened = false
  let elements = 0
  function open(): string {
    const bracket = opened ? '' : '['
    opened = true
    return bracket
  }
  const element = (data: string) => open() + (elements++ === 0 ? '' : ',\n') + data
  return {
    type: 'application/json',
    write(pieces) {
      const frames = pieces.flatMap((piece) => (piece instanceof Uint8Array ? parser.push(piece) : [piece]))
      return Buffer.from(frames.map(({ data }) => element(data)).join(''))
    },
    end() {
      const rest = parser.end().map(({ data }) => element(data))
      return `${rest.join('')}${open()}]`
    },
    ping: () => `${open()}\n`,
  }
}
