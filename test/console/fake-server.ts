// A server for the console's tests: the built console, and an API that answers from memory. What it answers is checked
// against the contract, so it cannot promise what the real one does not.
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { endpointsByName } from '../../core/contracts.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { formatServerSentEvent } from '../../core/contract/replies.ts'
import { findBuiltConsole } from './built-console.ts'
import { complete } from './complete.ts'

/** What an endpoint answers: data, or data with fields beside it, or a refusal with its HTTP status. */
export type Answer =
  | { data: unknown; beside?: Record<string, unknown> }
  | {
      refuse: string
      status?: number
      code?: string
      field?: string
      fields?: { field: string; message: string }[]
      beside?: Record<string, unknown>
    }
  /** A stream that stays open: these events, and what is told later. Where models are called it `ends`. */
  | { events: unknown[]; ends?: boolean }

/** `input` holds path parameters, query and body together. */
export type Handler = (input: Record<string, unknown>) => Answer
export type Handlers = Record<string, Handler>

export interface Asked {
  name: string
  input: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export interface FakeServer {
  url: string
  /** Every API request so far, oldest first. */
  readonly asked: Asked[]
  /** How many are open. */
  streams(): number
  /** Says something on every stream that is open. */
  tell(data: unknown): void
  /** Replaces handlers until the next reset. */
  use(handlers: Handlers): void
  reset(): void
  close(): Promise<void>
}

/** `mount`: the path the console lives under, '' for the root. */
export async function startFakeServer(handlers: () => Handlers, mount = ''): Promise<FakeServer> {
  const folder = await findBuiltConsole()
  let asked: Asked[] = []
  const streams = new Set<ServerResponse>()
  let current = handlers()
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(599).end(String(error))
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.slice(mount.length)
    // A question belongs to the test in which it arrived, also if its body is read in the next one.
    const list = asked
    if (path === RELAY) return sendRelay(response, current['relay']?.(await readBody(request)))
    if (path === PLAYGROUND) {
      const input = await readBody(request)
      list.push({ name: 'playground', input, headers: request.headers })
      return sendChat(response, current['playground']?.(input), list.length)
    }
    if (!path.startsWith('/api/'))
      return serveFile(response, folder, path, { mount, status: current['site.status']?.({}) })
    const found = findEndpoint(request.method ?? 'GET', path)
    if (!found) return void response.writeHead(404).end('{}')
    const body = await readBody(request)
    const input = { ...found.parameters, ...Object.fromEntries(url.searchParams), ...body }
    list.push({ name: found.name, input, headers: request.headers })
    const reply = current[found.name]?.(input) ?? { refuse: `no answer for ${found.name}`, status: 501 }
    if (!('events' in reply)) return sendReply(response, found.endpoint, reply)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    reply.events.forEach((data) => response.write(formatServerSentEvent({ data })))
    streams.add(response)
    response.once('close', () => streams.delete(response))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount}`,
    get asked() {
      return asked
    },
    streams: () => streams.size,
    tell: (data) => streams.forEach((stream) => stream.write(formatServerSentEvent({ data }))),
    use: (more) => void (current = { ...current, ...more }),
    reset: () => {
      current = handlers()
      asked = []
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Where models are called; its handler is called `relay`, and a refusal is the relay's own. */
const RELAY = '/v1/chat/completions'

function sendRelay(response: ServerResponse, answer: Answer = { refuse: 'no answer for the relay', status: 501 }) {
  const refused = 'refuse' in answer
  response.writeHead(refused ? (answer.status ?? 500) : 200, { 'content-type': 'application/json' })
  const body = refused ? { error: { message: answer.refuse, code: answer.code } } : 'data' in answer ? answer.data : {}
  response.end(JSON.stringify(body))
}

/** Where the playground asks; its handler is called `playground`, and its events are chunks of an answer. */
const PLAYGROUND = '/pg/chat/completions'

function sendChat(response: ServerResponse, answer: Answer | undefined, id: number) {
  response.setHeader('x-oneapi-request-id', `request-${id}`)
  if (!answer || !('events' in answer)) {
    const wait = answer && 'refuse' in answer ? answer.beside?.['retry_after'] : undefined
    if (wait !== undefined) response.setHeader('retry-after', String(wait))
    return sendRelay(response, answer)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  answer.events.forEach((data) => response.write(formatServerSentEvent({ data })))
  if (answer.ends) response.end('data: [DONE]\n\n')
}

function sendReply(response: ServerResponse, endpoint: Endpoint, reply: Exclude<Answer, { events: unknown[] }>) {
  const refusal = 'refuse' in reply
  const data = refusal ? undefined : checked(endpoint.reply, reply.data)
  const beside =
    refusal || !endpoint.replyFields ? {} : (checked(endpoint.replyFields, { message: '', ...reply.beside }) as object)
  const envelope = refusal
    ? {
        ...reply.beside,
        ...{ success: false, message: reply.refuse, code: reply.code, field: reply.field, fields: fieldsOf(reply) },
      }
    : { message: '', ...beside, success: true, data }
  response.writeHead(refusal ? (reply.status ?? 200) : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(envelope))
}

const fieldsOf = ({ refuse, field, fields }: { refuse: string; field?: string; fields?: object[] }) =>
  fields ?? (field === undefined ? undefined : [{ field, message: refuse }])

const checked = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(complete(schema, value))
  if (!result.success) throw new Error(`The fake answer breaks the contract: ${z.prettifyError(result.error)}`)
  return result.data
}

/** Each endpoint with the pattern of its path; a literal path comes before one with parameters. */
const patterns = [...endpointsByName]
  .sort(([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  .map(([name, endpoint]) => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)').replace(/\/$/, '')
    return { name, endpoint, pattern: new RegExp(`^${path}/?$`) }
  })

function findEndpoint(method: string, path: string) {
  for (const { name, endpoint, pattern } of patterns) {
    // A GET that changes something has a POST twin, which our own client uses.
    if (endpoint.method !== method && !(endpoint.changes && method === 'POST')) continue
    const match = pattern.exec(path)
    if (match) return { name, endpoint, parameters: { ...match.groups } }
  }
  return null
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  return text ? (JSON.parse(text) as Record<string, unknown>) : {}
}

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

interface PageFacts {
  mount: string
  /** The answer about the site, which the page carries. */
  status: Answer | undefined
}

async function serveFile(response: ServerResponse, folder: string, path: string, { mount, status }: PageFacts) {
  const file = join(folder, path)
  if (extname(path) && existsSync(file)) {
    response.writeHead(200, {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      ...(path.startsWith('/assets/') ? { 'cache-control': 'max-age=31536000, immutable' } : {}),
    })
    createReadStream(file).pipe(response)
    return
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const known = status && 'data' in status ? JSON.stringify(status.data).replaceAll('<', String.raw`\u003c`) : ''
  response.end(
    page
      .replace('<base href="/" />', `<base href="${mount}/" />`)
      .replace('<script id="status" type="application/json">', (start) => start + known),
  )
}
