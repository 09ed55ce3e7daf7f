// Answers that go on: events as they happen, to as slow a reader as there is, until they end, their reader leaves, the
// server stops, or whoever asked may do so no more.
import type { Context } from 'koa'
import { sentEvent, type EventReply } from '../core/contract/event-stream.ts'
import { GatewayError, type Gateway } from '../core/index.ts'
import { waitForDrain } from './sse.ts'
import { STOPPING } from './stop.ts'

/** So often a silent stream shows that it is there, in ms: proxies close what says nothing for longer. */
const PING_MS = 15_000
/** So often it is looked whether the asker may still hear it, beside the moments when something changes of the user, in ms. */
const ASK_MS = 5_000
/** How long a browser waits before it comes back, in ms. */
const RETRY_MS = 1_000

/** `still` throws the refusal where the asker may hear it no more. */
type SendEvents = (context: Context, reply: EventReply, userId: number, still: () => Promise<void>) => void

export function createEventSender({ ports: { storage, logger, clock } }: Gateway): SendEvents {
  const open = new Set<{ userId: number; look(): void }>()
  storage.onChange(({ topic, id }) => {
    if (topic !== 'users') return
    for (const stream of open) if (id === 0 || stream.userId === id) stream.look()
  })

  return (context, reply, userId, still) => {
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
    const look = () =>
      void still().catch((error: unknown) => {
        // Where the database is away nobody is sent off.
        if (error instanceof GatewayError && ['unauthenticated', 'forbidden'].includes(error.kind)) reply.end()
      })
    const stream = { userId, look }
    open.add(stream)
    const stops = [
      clock.every(ASK_MS, look),
      clock.every(PING_MS, () => void (response.writableNeedDrain || response.write(': PING\n\n'))),
    ]
    const end = () => reply.end()
    req.socket.once(STOPPING, end)
    response.once('close', end)
    context.respond = false
    response.writeHead(200)
    response.write(`retry: ${RETRY_MS}\n\n`)
    void tell(reply)
      .catch((error: unknown) => logger.error('a stream of events broke', { error: String(error) }))
      .finally(() => {
        open.delete(stream)
        for (const stop of stops) stop()
        req.socket.off(STOPPING, end)
        response.end()
      })

    async function tell({ events }: EventReply): Promise<void> {
      for await (const event of events) {
        if (response.destroyed) return
        if (!response.write(sentEvent(event))) await waitForDrain(response).catch(end)
      }
    }
  }
}
