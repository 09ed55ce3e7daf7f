// Plays calls to this process before it reports ready, so that the first real ones find compiled code: a cold process
// answers a crowd a hundred times later than a warm one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWarmUpRelay, openaiChat, REHEARSED_MODEL, type Gateway } from '../core/index.ts'
import { toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { createRelayHandler } from './relay.ts'

/** Kinds of calls: a whole answer, a stream, or a stream that the client leaves. */
const KINDS = ['whole', 'stream', 'left'] as const
type WarmUpKind = (typeof KINDS)[number]

const ROUNDS = 24
const AT_ONCE = 18
const EVENTS = 20
const PROVIDER = '/provider'
const TIMEOUT_MS = 5_000

/** Warms up the relay. Nothing is charged, logged or stored, and no network is needed. A failure is only logged. */
export async function warmUpRelay(gateway: Gateway): Promise<void> {
  const { storage, logger } = gateway.ports
  const user = await storage.users.findRoot()
  // Before the setup there are no keys.
  if (!user) return
  try {
    await playCalls(gateway, user)
  } catch (error) {
    logger.warn('the relay could not be warmed up', { error: String(error) })
  }
}

async function playCalls(gateway: Gateway, user: NonNullable<Parameters<typeof createWarmUpRelay>[1]>): Promise<void> {
  let serve: ReturnType<typeof createRelayHandler> | undefined
  const server = createServer((request, response) => {
    if (request.url?.startsWith(PROVIDER)) answer(request, response)
    else void serve?.(request, response, { dialect: openaiChat, operation: 'call' })
  })
  // Exclusive, so that other workers do not share the server.
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve),
  )
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    serve = createRelayHandler({ ...gateway, ...createWarmUpRelay(gateway.ports, user, url + PROVIDER) })
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, number) => call(gateway, url, KINDS[number % KINDS.length])),
      )
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function call({ ports }: Gateway, url: string, kind: WarmUpKind = 'whole'): Promise<void> {
  const request = {
    method: 'POST' as const,
    url: `${url}/v1/chat/completions`,
    headers: { authorization: 'Bearer sk-rehearsal', 'content-type': 'application/json' },
    body: toJsonBytes({
      model: REHEARSED_MODEL,
      stream: kind !== 'whole',
      messages: [{ role: 'user', content: `${kind === 'left' ? HOLD : ''}${'Hello '.repeat(100)}` }],
    }),
    guarded: false,
    headers_timeout_ms: TIMEOUT_MS,
    idle_timeout_ms: TIMEOUT_MS,
  }
  const never = { aborted: false, reason: undefined, addEventListener() {}, removeEventListener() {} }
  const { status, body } = await ports.upstream.send(request, never)
  if (status !== 200) throw new Error(`it answered ${status}`)
  for await (const _ of body) if (kind === 'left') break
}

const about = { id: 'chatcmpl-rehearsal', created: 0, model: REHEARSED_MODEL }
const usage = { prompt_tokens: 100, completion_tokens: EVENTS, total_tokens: 100 + EVENTS }
const WHOLE = JSON.stringify({
  ...about,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage,
})
const chunk = (choices: object[], more?: object) =>
  `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices, ...more })}\n\n`
const deltaChunk = (delta: object, finish_reason: string | null) => chunk([{ index: 0, delta, finish_reason }])
const CHUNKS = [
  ...Array.from({ length: EVENTS }, () => deltaChunk({ content: 'Hello ' }, null)),
  deltaChunk({}, 'stop'),
  chunk([], { usage }),
  'data: [DONE]\n\n',
]

/** A prompt whose answer does not end until its client disconnects. */
const HOLD = 'Hold on. '

/** Responds as the provider. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  let prompt = ''
  request.setEncoding('utf8').on('data', (text: string) => (prompt += text))
  request.on('end', () => {
    if (!prompt.includes('"stream":true')) {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (prompt.includes(HOLD)) return void response.write(CHUNKS[0])
    for (const text of CHUNKS) response.write(text)
    response.end()
  })
}
