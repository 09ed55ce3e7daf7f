// Pieces of an answer to the caller's socket: one write per turn, back-pressure, pings, hang-up.
import type { ServerResponse } from 'node:http'
import { encodeFrame, type Head } from '../core/index.ts'
import type { Piece } from '../core/dialects/dialect.ts'

const PING = Buffer.from(': PING\n\n')

export interface ReplyStream {
  /** True once the status line has left. */
  begun(): boolean
  head(head: Head): void
  /** Writes; what it gives resolves once the caller has read enough, and rejects when the caller hangs up. */
  write(pieces: Piece[]): Promise<void> | undefined
  end(): void
  /** Sends a comment line now and then; begins the stream if need be. */
  keepAlive(everyMs: number): void
}

/** Writes an answer whose head comes first. An answer that is not a stream leaves in one write with its length. */
export function createReplyStream(response: ServerResponse, streamHeaders: Head): ReplyStream {
  let waiting: Head | undefined
  let pings: NodeJS.Timeout | undefined
  const stopPings = () => clearInterval(pings)

  return {
    begun: () => response.headersSent,
    head(head) {
      if (response.headersSent) return
      if (head.headers['content-type'] === 'text/event-stream') response.writeHead(head.status, head.headers)
      else waiting = head
    },
    write(pieces) {
      const bytes = joined(pieces)
      if (waiting) {
        response.writeHead(waiting.status, { ...waiting.headers, 'content-length': bytes.length })
        waiting = undefined
        response.end(bytes)
        return undefined
      }
      return response.write(bytes) ? undefined : drained(response)
    },
    end() {
      stopPings()
      if (!response.writableEnded) response.end()
    },
    keepAlive(everyMs) {
      response.on('close', stopPings)
      pings = setInterval(() => {
        if (response.writableEnded || response.writableNeedDrain) return
        if (!response.headersSent) response.writeHead(streamHeaders.status, streamHeaders.headers)
        response.write(PING)
      }, everyMs)
    },
  }
}

function joined(pieces: Piece[]): Uint8Array {
  const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : encodeFrame(piece)))
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
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
