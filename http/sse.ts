// Pieces of an answer to the caller's socket: one write per turn, back-pressure, pings, hang-up.
import type { ServerResponse } from 'node:http'
import type { Head } from '../core/index.ts'
import type { Frame, Piece } from '../core/dialects/dialect.ts'
import type { Framing } from './framing.ts'

const EVENTS = 'text/event-stream'

export interface ReplyStream {
  /** True once the status line has left. */
  begun(): boolean
  /** `whole`: all of the answer comes with it. */
  head(head: Head, whole: boolean): void
  /** Writes; what it gives resolves once the caller has read enough, and rejects when the caller hangs up. */
  write(pieces: Piece[]): Promise<void> | undefined
  /** Says that it broke; an answer that is no stream of events can only be cut off. */
  fail(frame: Frame): Promise<void>
  end(): void
  /** Sends a comment line now and then; begins the stream if need be. */
  keepAlive(everyMs: number): void
}

/** Writes an answer whose head comes first. An answer that is not a stream leaves in one write with its length. */
export function createReplyStream(response: ServerResponse, framing: Framing): ReplyStream {
  let waiting: Head | undefined
  let framed = true
  let pings: NodeJS.Timeout | undefined
  const stopPings = () => clearInterval(pings)

  return {
    begun: () => response.headersSent,
    head(head, whole) {
      if (response.headersSent) return
      if (whole) waiting = head
      else {
        framed = head.headers['content-type'] === EVENTS
        response.writeHead(head.status, framed ? { ...head.headers, 'content-type': framing.type } : head.headers)
      }
    },
    write(pieces) {
      const bytes = framing.write(pieces)
      if (waiting) {
        response.writeHead(waiting.status, { ...waiting.headers, 'content-length': bytes.length })
        waiting = undefined
        response.end(bytes)
        return undefined
      }
      return response.write(bytes) ? undefined : drained(response)
    },
    async fail(frame) {
      if (framed) await this.write([frame])?.catch(() => {})
      else response.destroy()
    },
    end() {
      stopPings()
      if (!response.writableEnded) response.end(framing.end())
    },
    keepAlive(everyMs) {
      response.on('close', stopPings)
      pings = setInterval(() => {
        if (response.writableEnded || response.writableNeedDrain) return
        if (!response.headersSent) {
          response.writeHead(200, { 'content-type': framing.type, 'cache-control': 'no-cache' })
        }
        response.write(framing.ping)
      }, everyMs)
    },
  }
}

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
