// Upgrade requests: WebSockets go to their handler, all other protocols are ignored, as RFC 9110, 7.8 allows. JDK's client and
// `curl --http2` request HTTP/2 in this way from every unencrypted server.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { RealtimeDoor } from './realtime.ts'

/**
 * Passes a server's WebSockets to their handler. Requests for other protocols are served as if they did not ask for them. Requests
 * that are not below the handler's path are left to the host's own listeners, if it has any.
 */
export function listenForUpgrades(server: Server, realtime: RealtimeDoor): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const isServed = realtime.serves(request)
    if (!isServed && server.listenerCount('upgrade') > 1) return
    if (isServed && isWebSocket(request)) return realtime.upgrade(request, socket, head)
    // Node has detached the connection and read no body. Emit it again, with the same request without its upgrade header.
    socket.unshift(Buffer.concat([rebuildHead(request), head]))
    server.emit('connection', socket)
  })
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^\s*websocket\s*$/i.test(headers.upgrade ?? '')

function rebuildHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
