// Responses to clients that are still sending. If a connection is closed with unread bytes, the system resets it, and the client
// may lose the response. Hence a lingering close, as in nginx.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Maximum wait for the rest of a refused request, in ms. */
const LINGER_MS = 2000
/** Bytes of the rest that are read and dropped. Beyond that, reading stops and the client has to wait. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024

/**
 * Ends a response. If its request is not complete, sends the whole response at once, and closes the connection once the request has
 * ended, the client has disconnected, or the wait is over. The head must contain the length.
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  if (request.complete || request.destroyed) return void response.end(body)
  response.write(body)
  let remaining = MAX_DROPPED_BYTES
  request.unpipe()
  request.on('data', (part: Buffer) => {
    remaining -= part.length
    if (remaining < 0) request.pause()
  })
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, LINGER_MS)
  request.once('end', close).once('close', close)
}
