// How a server ends: nobody is cut off in the middle of an answer, and nobody is waited for who asks nothing.
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Said to each connection of a server that ends: answers without an end have to end now. */
export const STOPPING = 'weir-stopping'

/**
 * Ends a server; resolves when its last connection is closed. Answers under way have `grace_ms` to end, then `late` tells
 * them, and a moment later they are cut. A proxy that keeps connections for others may send its next call on one before it can
 * hear of its end: for `linger_ms` behind an answer, such a call is taken, and ends its connection.
 */
export type Stop = (grace_ms: number, late?: () => void, linger_ms?: number) => Promise<void>

/** So long answers have to say why they end, in ms. */
const LAST_WORDS_MS = 5_000

/**
 * Made before the server listens, for it has to see every connection. Node itself lets go of idle connections when a server
 * closes, but not of those that were opened ahead and never used, as browsers do: they would hold it for a minute.
 */
export function createStop(server: Server): Stop {
  const open = new Set<Socket>()
  let linger_ms = 0
  let quiet: NodeJS.Timeout | undefined
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Before anybody answers it.
  server.prependListener('request', (_request, response) => {
    if (!server.listening) response.setHeader('connection', 'close')
    response.once('close', () => server.listening || whenQuiet())
  })
  /** Lets go of those who ask nothing, once no answer has ended for a while. */
  function whenQuiet(): void {
    clearTimeout(quiet)
    quiet = setTimeout(letGo, linger_ms)
  }
  function letGo(): void {
    for (const socket of open) socket.emit(STOPPING)
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return async (grace_ms, late, lingering_ms = 0) => {
    linger_ms = lingering_ms
    // The system resets connections that were made and not yet accepted when their server closes: a turn of the loop accepts them.
    if (linger_ms > 0) for (let turn = 0; turn < 2; turn += 1) await setImmediate()
    let force: NodeJS.Timeout
    const cut = () => server.closeAllConnections()
    const tell = (told: () => void) => {
      told()
      force = setTimeout(cut, LAST_WORDS_MS)
    }
    force = setTimeout(() => (late ? tell(late) : cut()), grace_ms)
    await new Promise<void>((resolve) => {
      if (linger_ms === 0) {
        server.close(() => resolve())
        return letGo()
      }
      // That of HTTP lets go of idle connections at once.
      NetServer.prototype.close.call(server, () => resolve())
      for (const socket of open) socket.emit(STOPPING)
      whenQuiet()
    })
    clearTimeout(force)
    clearTimeout(quiet)
  }
}
