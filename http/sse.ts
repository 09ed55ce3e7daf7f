// Writes the pieces of an answer to the client's socket: one write per turn, backpressure, pings, client disconnects.
import type { Context } from 'koa'
import type { ServerResponse } from 'node:http'
import { type EventReply, formatServerSentEvent } from '../core/contract/replies.ts'
import { createFrameParser, encodeFrame, type SseFrame, type OutputPiece } from '../core/dialects/answers/frames.ts'
import { type Gateway, GatewayError, type Head, type Reply } from '../core/index.ts'
import { type HeaderList, CLIENT_DISCONNECTED, RECEIPT_ID_HEADER } from './refuse.ts'
import { STOPPING_EVENT } from './stop.ts'

const EVENTS = 'text/event-stream'
/** An answer up to this size is sent as one text with its head, in one write: concatenating costs less than a second write. */
const SHORT_BYTES = 4096

/** Writes an answer. A complete answer is sent in one write, with its length. */
export class ReplyStream implements Reply {
  private framed = true
  private pings: NodeJS.Timeout | undefined
  private readonly response: ServerResponse
  private readonly framing: StreamFraming
  /** The headers of the response that do not depend on the result of the call. */
  private readonly headers: HeaderList

  private readonly pingMs: number

  /** @param pingMs interval of pings in a silent stream, in ms; 0 for none */
  constructor(response: ServerResponse, framing: StreamFraming, headers: HeaderList, pingMs: number) {
    this.response = response
    this.framing = framing
    this.headers = headers
    this.pingMs = pingMs
  }

  /** True once the status line has been sent. */
  hasStarted(): boolean {
    return this.response.headersSent
  }

  admitted(stream: boolean, receipt: string): void {
    // Added before the first byte, which may be a ping.
    this.headers.push(RECEIPT_ID_HEADER, receipt)
    if (stream && this.pingMs > 0) this.keepAlive()
  }

  head({ status, headers }: Head): void {
    if (this.response.headersSent) return
    this.addHeaders(headers)
    this.response.writeHead(status, this.headers)
  }

  write(pieces: OutputPiece[]): Promise<void> | undefined {
    return this.response.write(this.framing.write(pieces)) ? undefined : waitForDrain(this.response)
  }

  whole({ status, headers }: Head, pieces: OutputPiece[]): void {
    const { response } = this
    this.addHeaders(headers)
    const bytes = this.framed ? toWholeStream(this.framing, pieces) : getOnlyPiece(pieces)
    // A ping may have started the response.
    if (response.headersSent) return void response.end(bytes)
    this.headers.push('content-length', String(bytes.length))
    response.writeHead(status, this.headers)
    if (bytes.length > SHORT_BYTES) response.end(bytes)
    else response.end(latin1(bytes), 'latin1')
  }

  private addHeaders(headers: Record<string, string>): void {
    this.framed = headers['content-type'] === EVENTS
    for (const name in headers) {
      this.headers.push(name, this.framed && name === 'content-type' ? this.framing.type : (headers[name] ?? ''))
    }
  }

  /** Sends the frames of a failure. An answer that is not a stream of events can only be cut off. */
  async fail(frames: SseFrame[]): Promise<void> {
    if (this.framed) await this.write(frames)?.catch(() => {})
    else this.response.destroy()
  }

  end(): void {
    clearInterval(this.pings)
    if (!this.response.writableEnded) this.response.end(this.framing.end())
  }

  /** Sends a comment line at an interval, and starts the stream if necessary. */
  private keepAlive(): void {
    const { response, framing } = this
    response.on('close', () => clearInterval(this.pings))
    this.pings = setInterval(() => {
      if (response.writableEnded || response.writableNeedDrain) return
      if (!response.headersSent) {
        response.writeHead(200, [...this.headers, 'content-type', framing.type, 'cache-control', 'no-cache'])
      }
      response.write(framing.ping())
    }, this.pingMs)
  }
}

/** Returns the bytes of a whole stream of events, with its end. */
function toWholeStream(framing: StreamFraming, pieces: OutputPiece[]): Uint8Array {
  const bytes = framing.write(pieces)
  const end = framing.end()
  return end === '' ? bytes : Buffer.concat([bytes, Buffer.from(end)])
}

const getOnlyPiece = ([piece]: OutputPiece[]): Uint8Array => (piece instanceof Uint8Array ? piece : new Uint8Array())

/** Converts bytes to a text with one character per byte. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      response.off('close', gone)
      resolve()
    }
    const gone = () => {
      response.off('drain', done)
      reject(CLIENT_DISCONNECTED)
    }
    if (response.destroyed) return gone()
    response.once('drain', done)
    response.once('close', gone)
  })
}

// Encodes the pieces of a streamed answer: as server-sent events, or as one JSON array.

export interface StreamFraming {
  /** Content type of the stream. */
  type: string
  write(pieces: OutputPiece[]): Uint8Array
  /** Returns the text after the last piece. */
  end(): string
  /** Returns text without meaning that keeps the connection alive. */
  ping(): string
}

export const eventStreamFraming: StreamFraming = {
  type: 'text/event-stream',
  write(pieces) {
    const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : encodeFrame(piece)))
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  },
  end: () => '',
  ping: () => ': PING\n\n',
}

/** Server-sent events for Google's clients, which do not support comments but skip empty lines. */
export const plainEventStream: StreamFraming = { ...eventStreamFraming, ping: () => '\n' }

/**
 * Creates the framing of one stream as a JSON array, Google's default: the data of each event is an element. Nothing follows the
 * closing bracket, because Google's generated clients would parse it as another element.
 */
export function createArrayFraming(): StreamFraming {
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

// Streams events as they happen, at the speed of the client, until the events end, the client disconnects, the server stops, or the
// caller loses access.

/** Interval of pings in a stream, in ms. Proxies close connections that are silent for longer. */
const PING_MS = 15_000
/** Interval at which the caller's access is checked, in ms. Changes of the user also trigger a check. */
const ACCESS_CHECK_MS = 5_000
/** Delay before a browser reconnects, in ms. */
const RETRY_MS = 1_000

/** Sends the events of a reply. `requireAccess` rejects with the refusal once the caller has lost access. */
type SendEvents = (context: Context, reply: EventReply, userId: number, requireAccess: () => Promise<void>) => void

export function createEventSender({ ports: { storage, logger, clock } }: Gateway): SendEvents {
  const open = new Set<{ userId: number; checkAccess(): void }>()
  storage.onChange(({ topic, id }) => {
    if (topic !== 'users') return
    for (const stream of open) if (id === 0 || stream.userId === id) stream.checkAccess()
  })

  return (context, reply, userId, requireAccess) => {
    const { req, res: response } = context
    context.set({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    if (context.method === 'HEAD') {
      reply.end()
      context.status = 200
      return
    }
    const checkAccess = () =>
      void requireAccess().catch((error: unknown) => {
        // While the database is unavailable, no stream is ended.
        if (error instanceof GatewayError && ['unauthenticated', 'forbidden'].includes(error.kind)) reply.end()
      })
    const stream = { userId, checkAccess }
    open.add(stream)
    const stops = [
      clock.every(ACCESS_CHECK_MS, checkAccess),
      clock.every(PING_MS, () => void (response.writableNeedDrain || response.write(': PING\n\n'))),
    ]
    const end = () => reply.end()
    req.socket.once(STOPPING_EVENT, end)
    response.once('close', end)
    context.respond = false
    response.writeHead(200)
    response.write(`retry: ${RETRY_MS}\n\n`)
    void writeEvents(reply)
      .catch((error: unknown) => logger.error('a stream of events broke', { error: String(error) }))
      .finally(() => {
        open.delete(stream)
        for (const stop of stops) stop()
        req.socket.off(STOPPING_EVENT, end)
        response.end()
      })

    async function writeEvents({ events }: EventReply): Promise<void> {
      for await (const event of events) {
        if (response.destroyed) return
        if (!response.write(formatServerSentEvent(event))) await waitForDrain(response).catch(end)
      }
    }
  }
}
