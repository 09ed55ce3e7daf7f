// A realtime provider on 127.0.0.1 for tests: it says what it is told to, and remembers what it heard.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Json } from './json.ts'

export interface RealtimeUpstream {
  /** `http://127.0.0.1:PORT`, for a channel's base_url. */
  url: string
  /** What each handshake asked for. */
  asked: { url: string; headers: IncomingHttpHeaders }[]
  /** Messages heard, parsed, of all sessions. */
  heard: Json[]
  /** Close codes of sessions that are over. */
  closed: number[]
  /** How each session goes on from its opening; at first it says nothing. */
  session(script: (socket: WebSocket) => void): void
  /** Refuses the handshakes to come with this status and JSON; undefined accepts them. */
  refuse(answer: { status: number; body: object } | undefined): void
  /** Sends an event in every open session. */
  say(event: object | string | Uint8Array): void
  sockets(): WebSocket[]
  close(): Promise<void>
}

export async function startRealtimeUpstream(): Promise<RealtimeUpstream> {
  const asked: RealtimeUpstream['asked'] = []
  const heard: Json[] = []
  const closed: number[] = []
  const sockets = new Set<WebSocket>()
  let script: (socket: WebSocket) => void = () => undefined
  let refusal: { status: number; body: object } | undefined
  const sessions = new WebSocketServer({ noServer: true })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    if (refusal) {
      const body = JSON.stringify(refusal.body)
      socket.end(
        `HTTP/1.1 ${refusal.status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      return
    }
    sessions.handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened)
      opened.on('message', (data, isBinary) => heard.push(isBinary ? data : JSON.parse(String(data))))
      opened.on('close', (code) => {
        sockets.delete(opened)
        closed.push(code)
      })
      script(opened)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    heard,
    closed,
    session: (next) => void (script = next),
    refuse: (answer) => void (refusal = answer),
    say(event) {
      const data = typeof event === 'string' || event instanceof Uint8Array ? event : JSON.stringify(event)
      for (const socket of sockets) socket.send(data)
    },
    sockets: () => [...sockets],
    async close() {
      for (const socket of sockets) socket.terminate()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
