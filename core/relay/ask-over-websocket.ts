// A provider that is asked over a WebSocket: the request is one message, and each message back is an event of the answer.
import { encodeFrames } from '../dialects/frames.ts'
import { GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Conversation } from '../ports/conversation.ts'
import type { Signal } from '../ports/signal.ts'
import type { Upstream, UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import type { Settings } from '../settings/index.ts'

const NORMAL = 1000

/** @throws GatewayError upstream.unreachable; what the reading of the answer throws is that of any other stream */
export async function askOverWebsocket(
  { url, headers, body, proxy, guarded, idle_timeout_ms }: UpstreamRequest,
  { upstream, clock, settings }: { upstream: Upstream; clock: Clock; settings: Settings },
  signal: Signal,
): Promise<UpstreamReply> {
  const max_frames_per_second = settings['relay.max_frames_per_second']
  const asked = { url, headers: along(headers), guarded, max_frames_per_second, ...(proxy ? { proxy } : {}) }
  const reply = await upstream.connect(asked, signal)
  if ('refused' in reply) return reply.refused
  const { conversation } = reply
  await conversation.send(new TextDecoder().decode(body))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: messagesOf(conversation, idle_timeout_ms, clock, signal),
  }
}

/** Of a request's headers what is no part of it as HTTP has it. */
const along = (headers: Record<string, string>) =>
  Object.fromEntries(ALONG.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
const ALONG = ['traceparent', 'tracestate', 'x-request-id']

async function* messagesOf(
  { messages, close }: Conversation,
  idle_timeout_ms: number,
  clock: Clock,
  signal: Signal,
): AsyncGenerator<Uint8Array> {
  const coming = messages[Symbol.asyncIterator]()
  let failure: unknown
  const giveUp = (reason: unknown) => {
    failure ??= reason
    close(NORMAL, '')
  }
  const hangUp = () => giveUp(signal.reason)
  const silent = () => giveUp(new GatewayError('upstream.silent', { seconds: idle_timeout_ms / 1000 }))
  signal.addEventListener('abort', hangUp, { once: true })
  if (signal.aborted) hangUp()
  try {
    for (;;) {
      // Counted while it is waited for, not while a slow caller reads.
      const stop = idle_timeout_ms > 0 ? clock.every(idle_timeout_ms, silent) : undefined
      const { done, value } = await coming.next()
      stop?.()
      if (failure !== undefined) throw failure
      if (done) return
      yield encodeFrames([{ data: typeof value === 'string' ? value : new TextDecoder().decode(value) }])
    }
  } finally {
    signal.removeEventListener('abort', hangUp)
    close(NORMAL, '')
  }
}
