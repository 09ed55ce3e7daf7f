// How a server ends: nobody is cut off in the middle of an answer, and nobody is waited for who asks nothing.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Said to each connection of a server that ends: answers without an end have to end now. */
export const STOPPING = 'weir-stopping'

/**
 * Ends a server; resolves when its last connection is closed. Answers under way have `grace_ms` to end, then `late` tells
 * them, and a moment later they are cut.
 */
export type Stop = (grace_ms: number, late?: () => void) => Promise<void>

/** So long answers have to say why they end, in ms. */
const LAST_WORDS_MS = 5_000

/**
 * Made before the server listens, for it has to see every connection. Node itself lets go of idle connections when a server
 * closes, but not of those that were opened ahead and never used, as browsers do: they would hold it for a minute.
 */
export function createStop(server: Server): Stop {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // While stopping, a connection ends with its answer: nobody waits for those who only keep one open.
  server.on('request', (_request, response) => {
    response.once('close', () => server.listening || setImmediate(() => server.closeIdleConnections()))
  })
  return async (grace_ms, late) => {
    let force: NodeJS.Timeout
    const cut = () => server.closeAllConnections()
    const tell = (told: () => void) => {
      told()
      force = setTimeout(cut, LAST_WORDS_MS)
    }
    force = setTimeout(() => (late ? tell(late) : cut()), grace_ms)
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.emit(STOPPING)
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    })
    clearTimeout(force)
  }
}
