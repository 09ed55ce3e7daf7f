// A client of Responses over a WebSocket, as small as one can be.
import { once } from 'node:events'
import WebSocket from 'ws'
import type { Json } from './json.ts'

export interface SocketClient {
  socket: WebSocket
  /** All that came, oldest first. */
  events: Json[]
  closed: Promise<{ code: number; reason: string }>
  send(message: object | string): void
  /** Sends a `response.create`; resolves with its events, the end among them. Of one lane, one at a time. */
  ask(body: object): Promise<Json[]>
  /** The event that a lane's next message brings. */
  next(lane?: string): Promise<Json>
}

const ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'error']

/** @throws where the upgrade is refused */
export async function openSocket(url: string, key: string, path = '/v1/responses'): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const events: Json[] = []
  /** What nobody has taken yet, and what wakes those who wait. */
  const untaken: Json[] = []
  const wakes: (() => void)[] = []
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  const wake = () => wakes.splice(0).forEach((each) => each())
  void closed.then(wake)
  socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as Json
    events.push(event)
    untaken.push(event)
    wake()
  })
  await once(socket, 'open')
  async function next(lane?: string): Promise<Json> {
    for (;;) {
      const at = untaken.findIndex(({ stream_id }) => stream_id === lane)
      if (at >= 0) return untaken.splice(at, 1)[0]!
      if (socket.readyState === WebSocket.CLOSED) throw new Error('the socket is closed')
      await new Promise<void>((resolve) => wakes.push(resolve))
    }
  }
  const client: SocketClient = {
    socket,
    events,
    closed,
    next,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async ask(body) {
      const { stream_id } = body as { stream_id?: string }
      const heard: Json[] = []
      client.send({ type: 'response.create', ...body })
      do heard.push(await next(stream_id))
      while (!ENDS.includes(heard.at(-1)!.type))
      return heard
    },
  }
  return client
}

/** Status and error code with which an upgrade is refused. */
export async function refusedUpgrade(url: string, path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  const [, response] = await once(socket, 'unexpected-response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { error } = JSON.parse(Buffer.concat(chunks).toString()) as Json
  return { status: response.statusCode as number, code: error.code as string }
}
