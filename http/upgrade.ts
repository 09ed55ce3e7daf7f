// Requests that ask for another protocol: WebSockets have their door, every other wish is ignored, as servers may
// (RFC 9110, 7.8). JDK's client and `curl --http2` ask every plain server for HTTP/2 so.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { RealtimeDoor } from './realtime.ts'

/**
 * Gives a server's WebSockets to their door; what wishes for anything else is served as if it did not. What is not below the
 * door's path is left to the host's own listeners where it has any.
 */
export function listenForUpgrades(server: Server, realtime: RealtimeDoor): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const ours = realtime.serves(request)
    if (!ours && server.listenerCount('upgrade') > 1) return
    if (ours && isWebSocket(request)) return realtime.upgrade(request, socket, head)
    // Node has let go of the connection and read no body: it is taken in anew, with the request as it came but for the wish.
    socket.unshift(Buffer.concat([headOf(request), head]))
    server.emit('connection', socket)
  })
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^\s*websocket\s*$/i.test(headers.upgrade ?? '')

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
