// Encodes the pieces of a streamed answer: as server-sent events, or as one JSON array.
import { createFrameParser, encodeFrame } from '../core/dialects/frames.ts'
import type { Piece } from '../core/dialects/frame.ts'

export interface Framing {
  /** Content type of the stream. */
  type: string
  write(pieces: Piece[]): Uint8Array
  /** Returns the text after the last piece. */
  end(): string
  /** Returns text without meaning that keeps the connection alive. */
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

/** Server-sent events for Google's clients, which do not support comments but skip empty lines. */
export const plainEventStream: Framing = { ...eventStream, ping: () => '\n' }

/**
 * Creates the framing of one stream as a JSON array, Google's default: the data of each event is an element. Nothing follows the
 * closing bracket, because Google's generated clients would parse it as another element.
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
