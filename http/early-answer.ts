// Answers given while the caller is still sending. Closing a connection on which unread bytes wait makes the system reset it,
// and a reset takes the answer from a caller who has not read it yet (what nginx calls a lingering close).
import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long the rest of a refused request is waited for. Unit: ms. */
const PATIENCE_MS = 2000
/** How much of it is read and dropped; what comes behind it waits, and with it the caller. Unit: bytes. */
const DROPPED = 32 * 1024 * 1024

/**
 * Ends an answer. Where its request is still on the way the whole answer is sent at once, and the connection closes when the
 * request has ended, its caller has left, or patience has. The answer's head must say its length.
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  if (request.complete || request.destroyed) return void response.end(body)
  response.write(body)
  let left = DROPPED
  request.unpipe()
  request.on('data', (part: Buffer) => {
    left -= part.length
    if (left < 0) request.pause()
  })
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, PATIENCE_MS)
  request.once('end', close).once('close', close)
}
