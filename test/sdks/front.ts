// A door between a library and what it is pointed at: passes everything on and counts the requests.
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request that went through, and how it was answered. */
export interface Passed {
  method: string
  path: string
  status: number
}

export interface Front {
  url: string
  /** Every answered request since the start, or since `forget`. */
  passed: readonly Passed[]
  forget(): void
  close(): Promise<void>
}

/** Stands in front of the server at `target` (`http://127.0.0.1:PORT`). */
export async function startFront(target: string): Promise<Front> {
  const passed: Passed[] = []
  const sockets = new Set<Socket>()
  const server = createServer((asked, reply) => pass(target, asked, reply, passed))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    forget() {
      passed.length = 0
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(target: string, asked: IncomingMessage, reply: ServerResponse, passed: Passed[]): void {
  const { method = '', url: path = '', headers } = asked
  const onward = forward(target + path, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
    const status = answer.statusCode ?? 0
    passed.push({ method, path, status })
    reply.writeHead(status, answer.headers)
    answer.pipe(reply)
    answer.on('error', () => reply.destroy())
  })
  onward.on('error', () => reply.destroy())
  reply.on('close', () => onward.destroy())
  asked.pipe(onward)
}
