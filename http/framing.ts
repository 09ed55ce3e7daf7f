// How the pieces of a streamed answer are put into bytes: as server-sent events, or as one JSON array.
import { createFrameParser, encodeFrame } from '../core/dialects/frames.ts'
import type { Piece } from '../core/dialects/frame.ts'

export interface Framing {
  /** Of the whole stream. */
  type: string
  write(pieces: Piece[]): Uint8Array
  /** What stands behind the last piece. */
  end(): string
  /** Says nothing, but keeps the connection alive. */
  ping: string
}

export const eventStream: Framing = {
  type: 'text/event-stream',
  write(pieces) {
    const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : encodeFrame(piece)))
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  },
  end: () => '',
  ping: ': PING\n\n',
}

/** Each event's data is an element, which is how Google streams to who does not ask for events. One per stream. */
export function jsonArray(): Framing {
  const parser = createFrameParser()
  let elements = 0
  const element = (data: string) => (elements++ === 0 ? '[' : ',\n') + data
  return {
    type: 'application/json',
    write(pieces) {
      const frames = pieces.flatMap((piece) => (piece instanceof Uint8Array ? parser.push(piece) : [piece]))
      return Buffer.from(frames.map(({ data }) => element(data)).join(''))
    },
    end() {
      const rest = parser.end().map(({ data }) => element(data))
      return `${rest.join('')}${elements === 0 ? '[' : ''}]\n`
    },
    ping: '\n',
  }
}
