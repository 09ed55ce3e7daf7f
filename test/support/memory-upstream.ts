// Providers without a network: each request is answered as the test says, part by part.
import { joinParts } from '../../core/dialects/json/json-bytes.ts'
import { fail } from '../../core/errors.ts'
import type { UpstreamClient, UpstreamReply, UpstreamRequest } from '../../core/ports/upstream.ts'

/** One step of a body: a text to send, a promise to wait for, or an error that breaks it off. */
export type Part = string | Promise<unknown> | Error

export interface MemoryReply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  parts?: Part[]
}

/** What was asked, with the body read. */
export interface AskedRequest extends Omit<UpstreamRequest, 'body'> {
  body: Uint8Array | undefined
  host: string
  json: Record<string, unknown>
}

/** `turn` counts the requests from 0. */
export type Answerer = (request: AskedRequest, turn: number) => MemoryReply | Promise<MemoryReply>

export interface MemoryUpstream extends UpstreamClient {
  requests: AskedRequest[]
  /** Bodies that were begun and neither read to their end nor given up. */
  readonly open: number
  /** Says how to answer from now on. */
  reply(answer: MemoryReply | Answerer): void
}

export function createMemoryUpstream(): MemoryUpstream {
  const requests: AskedRequest[] = []
  let answer: Answerer = () => ({ status: 500 })
  let open = 0

  async function* bodyOf(parts: Part[], gone: Promise<never>): AsyncGenerator<Uint8Array> {
    try {
      for (const part of parts) {
        if (part instanceof Error) throw part
        const text = typeof part === 'string' ? part : await Promise.race([part, gone])
        if (typeof text === 'string') yield new TextEncoder().encode(text)
      }
    } finally {
      open -= 1
    }
  }

  return {
    requests,
    get open() {
      return open
    },
    reply: (next) => void (answer = typeof next === 'function' ? next : () => next),
    connect: () => fail('upstream.unreachable'),
    async send(request, signal): Promise<UpstreamReply> {
      if (signal.aborted) fail('upstream.broken')
      const gone = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(broken()))
      })
      gone.catch(() => undefined)
      const body = request.body && joinParts(request.body)
      const asked = { ...request, body, host: new URL(request.url).host, json: jsonOf(body) }
      requests.push(asked)
      const { status = 200, headers = {}, parts = [] } = await Promise.race([answer(asked, requests.length - 1), gone])
      open += 1
      const generator = bodyOf(parts, gone)
      return { status, headers, body: started(generator, () => (open -= 1)) }
    },
    close: async () => undefined,
  }
}

/** A generator that was never pulled runs no `finally`: giving it up before the first pull counts as well. */
function started(generator: AsyncGenerator<Uint8Array>, givenUp: () => void): AsyncIterable<Uint8Array> {
  let begun = false
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        begun = true
        return generator.next()
      },
      async return() {
        if (!begun) givenUp()
        begun = true
        return generator.return(undefined)
      },
    }),
  }
}

function broken(): unknown {
  try {
    return fail('upstream.broken')
  } catch (error) {
    return error
  }
}

/** Empty where the body is no object. */
const jsonOf = (body: Uint8Array | undefined): Record<string, unknown> =>
  body?.[0] === 0x7b ? (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>) : {}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (choices: unknown[], more: object = {}) =>
  event({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'upstream-model', choices, ...more })

/** The frames of a chat stream, one function each. */
export const frames = {
  role: () => chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  text: (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }]),
  finish: (reason = 'stop') => chunk([{ index: 0, delta: {}, finish_reason: reason }]),
  usage: (usage: unknown) => chunk([], { usage }),
  error: (message: string) => event({ error: { message, type: 'server_error', code: null } }),
  done: () => 'data: [DONE]\n\n',
}

/** A streamed answer of these parts. */
export const streamed = (...parts: Part[]): MemoryReply => ({
  headers: { 'content-type': 'text/event-stream' },
  parts,
})

/** A whole answer that says `content`. */
export const whole = (content: string, usage?: unknown, more: object = {}): MemoryReply => ({
  headers: { 'content-type': 'application/json' },
  parts: [
    JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'upstream-model',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...(usage === undefined ? {} : { usage }),
      ...more,
    }),
  ],
})

/** A refusal in OpenAI's shape. */
export const refusal = (status: number, message = 'no', code: string | null = null, type = 'error'): MemoryReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  parts: [JSON.stringify({ error: { message, type, code, param: null } })],
})
