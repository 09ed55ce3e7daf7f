// Pieces of an answer to the caller's socket: one write per turn, back-pressure, pings, hang-up.
import type { ServerResponse } from 'node:http'
import type { Head, Reply } from '../core/index.ts'
import type { Frame, Piece } from '../core/dialects/frame.ts'
import type { Framing } from './framing.ts'
import { HUNG_UP, RECEIPT_HEADER, type HeaderList } from './refuse.ts'

const EVENTS = 'text/event-stream'
/** A short answer leaves as one text with its head, in one write: joining costs less than a second piece. */
const SHORT_BYTES = 4096

/** Writes an answer. What is there whole leaves in one write with its length. */
export class ReplyStream implements Reply {
  private framed = true
  private pings: NodeJS.Timeout | undefined
  private readonly response: ServerResponse
  private readonly framing: Framing
  /** What its head says, whatever comes of the call. */
  private readonly headers: HeaderList

  private readonly pingMs: number

  /** @param pingMs how often a stream that is silent says so; 0 for never */
  constructor(response: ServerResponse, framing: Framing, headers: HeaderList, pingMs: number) {
    this.response = response
    this.framing = framing
    this.headers = headers
    this.pingMs = pingMs
  }

  /** True once the status line has left. */
  begun(): boolean {
    return this.response.headersSent
  }

  admitted(stream: boolean, receipt: string): void {
    // Before the first byte, also where that is a ping.
    this.headers.push(RECEIPT_HEADER, receipt)
    if (stream && this.pingMs > 0) this.keepAlive()
  }

  head({ status, headers }: Head): void {
    if (this.response.headersSent) return
    this.say(headers)
    this.response.writeHead(status, this.headers)
  }

  write(pieces: Piece[]): Promise<void> | undefined {
    return this.response.write(this.framing.write(pieces)) ? undefined : waitForDrain(this.response)
  }

  whole({ status, headers }: Head, pieces: Piece[]): void {
    const { response } = this
    this.say(headers)
    const bytes = this.framed ? closed(this.framing, pieces) : onlyOf(pieces)
    // A ping has begun it.
    if (response.headersSent) return void response.end(bytes)
    this.headers.push('content-length', String(bytes.length))
    response.writeHead(status, this.headers)
    if (bytes.length > SHORT_BYTES) response.end(bytes)
    else response.end(latin1(bytes), 'latin1')
  }

  private say(headers: Record<string, string>): void {
    this.framed = headers['content-type'] === EVENTS
    for (const name in headers) {
      this.headers.push(name, this.framed && name === 'content-type' ? this.framing.type : (headers[name] ?? ''))
    }
  }

  /** Says that it broke; an answer that is no stream of events can only be cut off. */
  async fail(frames: Frame[]): Promise<void> {
    if (this.framed) await this.write(frames)?.catch(() => {})
    else this.response.destroy()
  }

  end(): void {
    clearInterval(this.pings)
    if (!this.response.writableEnded) this.response.end(this.framing.end())
  }

  /** Sends a comment line now and then; begins the stream if need be. */
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

/** A stream of events with its end. */
function closed(framing: Framing, pieces: Piece[]): Uint8Array {
  const bytes = framing.write(pieces)
  const end = framing.end()
  return end === '' ? bytes : Buffer.concat([bytes, Buffer.from(end)])
}

const onlyOf = ([piece]: Piece[]): Uint8Array => (piece instanceof Uint8Array ? piece : new Uint8Array())

/** Bytes as a text of the same bytes. */
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
