// Streams events as they happen, at the speed of the client, until the events end, the client disconnects, the server stops, or the
// caller loses access.
import type { Context } from 'koa'
import { sentEvent, type EventReply } from '../core/contract/event-stream.ts'
import { GatewayError, type Gateway } from '../core/index.ts'
import { waitForDrain } from './sse.ts'
import { STOPPING } from './stop.ts'

/** Interval of pings in a stream, in ms. Proxies close connections that are silent for longer. */
const PING_MS = 15_000
/** Interval at which the caller's access is checked, in ms. Changes of the user also trigger a check. */
const ACCESS_CHECK_MS = 5_000
/** Delay before a browser reconnects, in ms. */
const RETRY_MS = 1_000

/** Sends the events of a reply. `requireAccess` rejects with the refusal once the caller has lost access. */
type SendEvents = (context: Context, reply: EventReply, userId: number, requireAccess: () => Promise<void>) => void

export function createEventSender({ ports: { storage, logger, clock } }: Gateway): SendEvents {
  const open = new Set<{ userId: number; checkAccess(): void }>()
  storage.onChange(({ topic, id }) => {
    if (topic !== 'users') return
    for (const stream of open) if (id === 0 || stream.userId === id) stream.checkAccess()
  })

  return (context, reply, userId, requireAccess) => {
    const { req, res: response } = context
    context.set({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    if (context.method === 'HEAD') {
      reply.end()
      context.status = 200
      return
    }
    const checkAccess = () =>
      void requireAccess().catch((error: unknown) => {
        // While the database is unavailable, no stream is ended.
        if (error instanceof GatewayError && ['unauthenticated', 'forbidden'].includes(error.kind)) reply.end()
      })
    const stream = { userId, checkAccess }
    open.add(stream)
    const stops = [
      clock.every(ACCESS_CHECK_MS, checkAccess),
      clock.every(PING_MS, () => void (response.writableNeedDrain || response.write(': PING\n\n'))),
    ]
    const end = () => reply.end()
    req.socket.once(STOPPING, end)
    response.once('close', end)
    context.respond = false
    response.writeHead(200)
    response.write(`retry: ${RETRY_MS}\n\n`)
    void writeEvents(reply)
      .catch((error: unknown) => logger.error('a stream of events broke', { error: String(error) }))
      .finally(() => {
        open.delete(stream)
        for (const stop of stops) stop()
        req.socket.off(STOPPING, end)
        response.end()
      })

    async function writeEvents({ events }: EventReply): Promise<void> {
      for await (const event of events) {
        if (response.destroyed) return
        if (!response.write(sentEvent(event))) await waitForDrain(response).catch(end)
      }
    }
  }
}
