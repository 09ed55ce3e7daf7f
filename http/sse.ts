// Writes the pieces of an answer to the client's socket: one write per turn, backpressure, pings, client disconnects.
import type { ServerResponse } from 'node:http'
import type { Head, Reply } from '../core/index.ts'
import type { Frame, Piece } from '../core/dialects/frame.ts'
import type { Framing } from './framing.ts'
import { HUNG_UP, RECEIPT_HEADER, type HeaderList } from './refuse.ts'

const EVENTS = 'text/event-stream'
/** An answer up to this size is sent as one text with its head, in one write: concatenating costs less than a second write. */
const SHORT_BYTES = 4096

/** Writes an answer. A complete answer is sent in one write, with its length. */
export class ReplyStream implements Reply {
  private framed = true
  private pings: NodeJS.Timeout | undefined
  private readonly response: ServerResponse
  private readonly framing: Framing
  /** The headers of the response that do not depend on the result of the call. */
  private readonly headers: HeaderList

  private readonly pingMs: number

  /** @param pingMs interval of pings in a silent stream, in ms; 0 for none */
  constructor(response: ServerResponse, framing: Framing, headers: HeaderList, pingMs: number) {
    this.response = response
    this.framing = framing
    this.headers = headers
    this.pingMs = pingMs
  }

  /** True once the status line has been sent. */
  begun(): boolean {
    return this.response.headersSent
  }

  admitted(stream: boolean, receipt: string): void {
    // Added before the first byte, which may be a ping.
    this.headers.push(RECEIPT_HEADER, receipt)
    if (stream && this.pingMs > 0) this.keepAlive()
  }

  head({ status, headers }: Head): void {
    if (this.response.headersSent) return
    this.addHeaders(headers)
    this.response.writeHead(status, this.headers)
  }

  write(pieces: Piece[]): Promise<void> | undefined {
    return this.response.write(this.framing.write(pieces)) ? undefined : waitForDrain(this.response)
  }

  whole({ status, headers }: Head, pieces: Piece[]): void {
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
  async fail(frames: Frame[]): Promise<void> {
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
function toWholeStream(framing: Framing, pieces: Piece[]): Uint8Array {
  const bytes = framing.write(pieces)
  const end = framing.end()
  return end === '' ? bytes : Buffer.concat([bytes, Buffer.from(end)])
}

const getOnlyPiece = ([piece]: Piece[]): Uint8Array => (piece instanceof Uint8Array ? piece : new Uint8Array())

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
      reject(HUNG_UP)
    }
    if (response.destroyed) return gone()
    response.once('drain', done)
    response.once('close', gone)
  })
}
