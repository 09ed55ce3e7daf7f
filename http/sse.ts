// Pieces of an answer to the caller's socket: one write per turn, back-pressure, pings, hang-up.
import type { ServerResponse } from 'node:http'
import type { Head } from '../core/index.ts'
import type { Frame, Piece } from '../core/dialects/dialect.ts'
import type { Framing } from './framing.ts'
import type { HeaderList } from './refuse.ts'

const EVENTS = 'text/event-stream'
/** A short answer leaves as one text with its head, in one write: joining costs less than a second piece. */
const SHORT_BYTES = 64 * 1024

/** Writes an answer whose head comes first. An answer that is not a stream leaves in one write with its length. */
export class ReplyStream {
  private waiting: Head | undefined
  private framed = true
  private pings: NodeJS.Timeout | undefined
  private readonly response: ServerResponse
  private readonly framing: Framing
  /** What its head says, whatever comes of the call. */
  private readonly headers: HeaderList

  constructor(response: ServerResponse, framing: Framing, headers: HeaderList) {
    this.response = response
    this.framing = framing
    this.headers = headers
  }

  /** True once the status line has left. */
  begun(): boolean {
    return this.response.headersSent
  }

  /** Says more in the head, which has not left yet. */
  tell(name: string, value: string): void {
    this.headers.push(name, value)
  }

  /** `whole`: all of the answer comes with it. */
  head(head: Head, whole: boolean): void {
    if (this.response.headersSent) return
    if (whole) {
      this.waiting = head
      return
    }
    this.framed = head.headers['content-type'] === EVENTS
    for (const name in head.headers) {
      this.tell(name, this.framed && name === 'content-type' ? this.framing.type : (head.headers[name] ?? ''))
    }
    this.response.writeHead(head.status, this.headers)
  }

  /** Writes; what it gives resolves once the caller has read enough, and rejects when the caller hangs up. */
  write(pieces: Piece[]): Promise<void> | undefined {
    const bytes = this.framing.write(pieces)
    if (!this.waiting) return this.response.write(bytes) ? undefined : drained(this.response)
    const { status, headers } = this.waiting
    this.waiting = undefined
    for (const name in headers) this.tell(name, headers[name] ?? '')
    this.tell('content-length', String(bytes.length))
    this.response.writeHead(status, this.headers)
    if (bytes.length > SHORT_BYTES) this.response.end(bytes)
    else this.response.end(latin1(bytes), 'latin1')
    return undefined
  }

  /** Says that it broke; an answer that is no stream of events can only be cut off. */
  async fail(frame: Frame): Promise<void> {
    if (this.framed) await this.write([frame])?.catch(() => {})
    else this.response.destroy()
  }

  end(): void {
    clearInterval(this.pings)
    if (!this.response.writableEnded) this.response.end(this.framing.end())
  }

  /** Sends a comment line now and then; begins the stream if need be. */
  keepAlive(everyMs: number): void {
    const { response, framing } = this
    response.on('close', () => clearInterval(this.pings))
    this.pings = setInterval(() => {
      if (response.writableEnded || response.writableNeedDrain) return
      if (!response.headersSent) {
        this.tell('content-type', framing.type)
        this.tell('cache-control', 'no-cache')
        response.writeHead(200, this.headers)
      }
      response.write(framing.ping)
    }, everyMs)
  }
}

/** Bytes as a text of the same bytes. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      response.off('close', gone)
      resolve()
    }
    const gone = () => {
      response.off('drain', done)
      reject(new Error('the caller hung up'))
    }
    if (response.destroyed) return gone()
    response.once('drain', done)
    response.once('close', gone)
  })
}
