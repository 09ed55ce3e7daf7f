// A provider on 127.0.0.1 for tests: it answers as told, replays recordings, and misbehaves on demand.
//
//   const upstream = await startUpstream()
//   upstream.reply(chatStream(['Hello', ' you'], { prompt_tokens: 3, completion_tokens: 2 }))
//   upstream.reply((request, turn) => (turn === 0 ? { status: 429, headers: { 'retry-after': '1' } } : recorded(it)))
//   … a channel with base_url: upstream.url …
//   upstream.requests[0].json, upstream.open, upstream.aborted
//   await upstream.close()
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readsOf, type Recording } from './recordings.ts'
import type { Json } from './json.ts'

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
  /** The body parsed; undefined where it is no JSON. */
  json: Json
}

export interface TestReply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  /** A text or bytes as they are; anything else as JSON. */
  body?: unknown
  /** Sent one by one, each flushed, instead of `body`. */
  chunks?: readonly (string | Uint8Array)[]
  /** Sent behind the body, as trailers of HTTP. */
  trailers?: Record<string, string>
  /** Wait before the head, in ms. */
  latency_ms?: number
  /** Wait before each chunk but the first, in ms. */
  gap_ms?: number
  /** Close the connection with a reset: before the head, or after so many chunks. */
  reset?: 'before_head' | number
  /** Send no more after so many chunks (0: the head alone; `before_head`: nothing at all) and keep the connection. */
  stall?: 'before_head' | number
}

/** What to answer; `turn` counts the requests from 0. */
export type Answerer = (request: ReceivedRequest, turn: number) => TestReply | Promise<TestReply>

export interface TestUpstream {
  /** `http://127.0.0.1:PORT`, for a channel's base_url. */
  url: string
  requests: ReceivedRequest[]
  /** Answers that are under way now. */
  readonly open: number
  /** Answers whose caller hung up before they were complete. */
  readonly aborted: number
  /** Says how to answer from now on; at first every request gets a short chat answer. */
  reply(answer: TestReply | Answerer): void
  /** Resolves once `open` is 0, or rejects after `ms`. */
  idle(ms?: number): Promise<void>
  /** Cuts the answers that are under way. */
  hangUp(): void
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

export async function startUpstream(): Promise<TestUpstream> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let answer: Answerer = (request) => (request.json?.stream ? chatStream(['Hello']) : chatReply('Hello'))
  let open = 0
  let aborted = 0

  const server = createServer((incoming, response) => {
    open++
    let sentAll = false
    const gone = new AbortController()
    response.on('close', () => {
      open--
      if (!sentAll && !response.writableFinished) aborted++
      gone.abort()
    })
    void receive(incoming)
      .then(async (request) => {
        const turn = requests.push(request) - 1
        sentAll = await send(response, await answer(request, turn), gone.signal)
      })
      // Hanging up ends the waits above; everything else is a mistake in a test and shows as a cut connection.
      .catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get open() {
      return open
    },
    get aborted() {
      return aborted
    },
    reply(next) {
      answer = typeof next === 'function' ? next : () => next
    },
    async idle(ms = 2000) {
      for (const until = Date.now() + ms; open > 0; await sleep(5)) {
        if (Date.now() > until) throw new Error(`${open} answers are still under way after ${ms} ms`)
      }
    },
    hangUp() {
      if (open > 0) for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const runs: Buffer[] = []
  for await (const run of incoming) runs.push(run as Buffer)
  const body = new Uint8Array(Buffer.concat(runs))
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    body,
    json: parse(body),
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Sends a reply; true when all of it was handed over. A misbehaving reply never is. */
async function send(response: ServerResponse, reply: TestReply, gone: AbortSignal): Promise<boolean> {
  const forever = () => sleep(2 ** 30, undefined, { signal: gone, ref: false })
  if (reply.latency_ms) await sleep(reply.latency_ms, undefined, { signal: gone })
  if (reply.stall === 'before_head') await forever()
  if (reply.reset === 'before_head') return reset(response)

  const chunks = reply.chunks ?? [content(reply.body)]
  const type = reply.chunks ? 'text/event-stream' : typeof reply.body === 'string' ? 'text/plain' : 'application/json'
  response.writeHead(reply.status ?? 200, {
    'content-type': type,
    ...(reply.trailers ? { trailer: Object.keys(reply.trailers).join(', ') } : {}),
    ...reply.headers,
  })
  response.flushHeaders()
  for (const [index, chunk] of chunks.entries()) {
    if (index === reply.stall) await forever()
    if (index === reply.reset) return reset(response)
    if (index > 0 && reply.gap_ms) await sleep(reply.gap_ms, undefined, { signal: gone })
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()))
    // Let the write leave as a packet of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (reply.trailers) response.addTrailers(reply.trailers)
  if (reply.stall === chunks.length) await forever()
  if (reply.reset === chunks.length) return reset(response)
  await new Promise<void>((resolve) => response.end(resolve))
  return true
}

function reset(response: ServerResponse): boolean {
  response.socket?.resetAndDestroy()
  return true
}

const content = (body: unknown): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body ?? null)

/** Of binary answers what the recording says; sources kept few other headers. */
const typeOf = ({ response: { sse, base64, headers } }: Recording): string =>
  (base64 === undefined ? undefined : headers['content-type']) ?? (sse ? 'text/event-stream' : 'application/json')

/** The reply that a recording holds, in its recorded reads. */
export const recorded = (recording: Recording): TestReply => ({
  status: recording.response.status,
  headers: { 'content-type': typeOf(recording) },
  chunks: readsOf(recording),
})

type UsageFields = Record<string, unknown>

const chunkOf = (choices: unknown[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 1, model: 'test', choices, ...more })}\n\n`

/** A chat stream as OpenAI sends it: role, a chunk for each text, finish, usage (if given), end mark. */
export function chatStream(texts: readonly string[], usage?: UsageFields, more: TestReply = {}): TestReply {
  const delta = (said: object, reason: string | null = null) =>
    chunkOf([{ index: 0, delta: said, finish_reason: reason }])
  return {
    chunks: [
      delta({ role: 'assistant', content: '' }),
      ...texts.map((content) => delta({ content })),
      delta({}, 'stop'),
      ...(usage ? [chunkOf([], { usage })] : []),
      'data: [DONE]\n\n',
    ],
    ...more,
  }
}

/** A chat answer in one piece. */
export const chatReply = (text: string, usage?: UsageFields, more: TestReply = {}): TestReply => ({
  body: {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    ...(usage ? { usage } : {}),
  },
  ...more,
})

/** Too many requests, with the seconds to wait. */
export const tooMany = (retryAfter = '1'): TestReply => ({
  status: 429,
  headers: { 'retry-after': retryAfter },
  body: { error: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
})

/** A proxy's error page. */
export const errorPage = (status = 500): TestReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Internal Server Error</h1>nginx at 10.0.0.7</body></html>',
})
