// Graceful shutdown of a server: open answers may finish, and idle connections are closed at once.
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Event emitted on each connection of a server that stops: endless answers must end now. */
export const STOPPING_EVENT = 'weir-stopping'

/**
 * Stops a server; resolves once its last connection is closed. Open answers have `grace_ms` to finish, then `late` ends them, and
 * soon after they are cut off. A proxy with pooled connections may send another call before it notices the shutdown: for
 * `linger_ms` after an answer such a call is accepted, and its connection closed after it.
 */
export type ServerStop = (grace_ms: number, late?: () => void, linger_ms?: number) => Promise<void>

/** Time for open answers to send the reason of their end, in ms. */
const FINAL_EVENT_MS = 5_000

/**
 * Creates the function that stops a server. Call it before the server listens, because it tracks every connection. Node closes idle
 * connections itself, but not those that browsers open ahead and never use: they would delay the shutdown for a minute.
 */
export function createStop(server: Server): ServerStop {
  const open = new Set<Socket>()
  let linger_ms = 0
  let quiet: NodeJS.Timeout | undefined
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Prepended, so that it runs before any listener responds.
  server.prependListener('request', (_request, response) => {
    if (!server.listening) response.setHeader('connection', 'close')
    response.once('close', () => server.listening || whenQuiet())
  })
  /** Closes idle connections once no answer has ended for a while. */
  function whenQuiet(): void {
    clearTimeout(quiet)
    quiet = setTimeout(closeIdle, linger_ms)
  }
  function closeIdle(): void {
    for (const socket of open) socket.emit(STOPPING_EVENT)
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return async (grace_ms, late, lingering_ms = 0) => {
    linger_ms = lingering_ms
    // The system resets connections that are not accepted yet when the server closes. Turns of the event loop accept them.
    if (linger_ms > 0) for (let turn = 0; turn < 2; turn += 1) await setImmediate()
    let force: NodeJS.Timeout
    const cut = () => server.closeAllConnections()
    const endThenCut = (end: () => void) => {
      end()
      force = setTimeout(cut, FINAL_EVENT_MS)
    }
    force = setTimeout(() => (late ? endThenCut(late) : cut()), grace_ms)
    await new Promise<void>((resolve) => {
      if (linger_ms === 0) {
        server.close(() => resolve())
        return closeIdle()
      }
      // The close of the HTTP server would close idle connections at once.
      NetServer.prototype.close.call(server, () => resolve())
      for (const socket of open) socket.emit(STOPPING_EVENT)
      whenQuiet()
    })
    clearTimeout(force)
    clearTimeout(quiet)
  }
}
