// Detects from its first bytes whether an answer is JSON or a stream. Servers and proxies label streams as JSON, JSON as a stream, and errors as either.
import type { CallerDialect } from '../../dialects/dialect.ts'
import { createFrameParser } from '../../dialects/answers/frames.ts'
import { parseJsonBytes } from '../../dialects/json/json-value.ts'
import { decodeLatin1 } from '../../dialects/json/json-text.ts'
import type { ReplyBody, RemainingRuns, UpstreamReply } from '../../ports/upstream.ts'
import { MAX_WHOLE_BYTES, readWholeBody } from './read-body.ts'
import { cancelProviderBody } from './answer.ts'

const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'

/** Length of the inspected beginning. Unit: bytes. */
const BEGINNING = 64
const encoder = new TextEncoder()

const beginsAsJson = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b

/** Returns the content type that the first bytes show; undefined if they show none. */
function detectType(bytes: Uint8Array): typeof EVENTS | typeof JSON_TYPE | undefined {
  if (beginsAsJson(bytes)) return JSON_TYPE
  const text = decodeLatin1(bytes.subarray(0, BEGINNING)).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '')
  if (text.startsWith('{') || text.startsWith('[')) return JSON_TYPE
  return /^(?:data|event|id|retry)?:/.test(text) ? EVENTS : undefined
}

/** Returns the reply with the content type that its first bytes show. Waits for these bytes. */
export async function detectReplyType(reply: UpstreamReply, dialect: CallerDialect): Promise<UpstreamReply> {
  const type = reply.headers['content-type'] ?? ''
  const isEvents = type.startsWith(EVENTS)
  const plain = dialect.operation === 'chat' ? undefined : dialect.plain
  // A transcript may begin with any letters.
  if (plain === 'text' && !isEvents) return reply
  const arrived = reply.body.getArrivedBody?.()
  const { body, first, rest } = arrived ? wrapArrivedBody(arrived, reply.body) : await peekBody(reply.body)
  const found = first && detectType(first)
  if (found === JSON_TYPE && isEvents) {
    // An object may also be the only text before an end mark.
    const bytes = await readWholeBody(body, MAX_WHOLE_BYTES)
    return withContentType(
      reply,
      new WholeBody(bytes, rest, reply.body),
      parseJsonBytes(bytes) === undefined ? EVENTS : JSON_TYPE,
    )
  }
  const isWrong = found === JSON_TYPE ? !type.includes('json') : found === EVENTS && !isEvents && plain === undefined
  return isWrong && found ? withContentType(reply, body, found) : { ...reply, body }
}

const withContentType = (reply: UpstreamReply, body: ReplyBody, type: string): UpstreamReply => ({
  ...reply,
  headers: { ...reply.headers, 'content-type': type },
  body,
})

/** A body whose first bytes were read, and are handed out again. */
interface PeekedBody {
  body: ReplyBody
  first: Uint8Array | undefined
  rest: RemainingRuns
}

async function peekBody(body: ReplyBody): Promise<PeekedBody> {
  const rest = body[Symbol.asyncIterator]()
  try {
    const first = await rest.next()
    const again: ReplyBody = { [Symbol.asyncIterator]: () => withFirst(first, rest), trailed: () => body.trailed?.() }
    return { body: again, first: first.done ? undefined : first.value, rest }
  } catch (error) {
    cancelProviderBody(rest)
    throw error
  }
}

/** Wraps a body that has arrived completely. */
function wrapArrivedBody(bytes: Uint8Array, source: ReplyBody): PeekedBody {
  const rest = source[Symbol.asyncIterator]()
  return { body: new WholeBody(bytes, rest, source), first: bytes, rest }
}

/**
 * Bytes that have arrived completely, with the trailers after them. Nearly every answer that is not streamed is one.
 */
class WholeBody implements ReplyBody {
  private readonly bytes: Uint8Array
  private readonly rest: RemainingRuns
  private readonly source: ReplyBody

  constructor(bytes: Uint8Array, rest: RemainingRuns, source: ReplyBody) {
    this.bytes = bytes
    this.rest = rest
    this.source = source
  }

  [Symbol.asyncIterator](): RemainingRuns {
    return withFirst({ done: false, value: this.bytes }, this.rest)
  }

  getArrivedBody(): Uint8Array {
    return this.bytes
  }

  trailed(): Readonly<Record<string, string>> | undefined {
    return this.source.trailed?.()
  }
}

function withFirst(first: IteratorResult<Uint8Array>, runs: RemainingRuns): RemainingRuns {
  let waiting: IteratorResult<Uint8Array> | undefined = first
  const take = (): IteratorResult<Uint8Array> | undefined => {
    const taken = waiting
    waiting = undefined
    return taken
  }
  const { drainTo: drain, isExhausted: isOver, hasEndArrived: atEnd, trailed } = runs
  return {
    next() {
      const taken = take()
      return taken ? Promise.resolve(taken) : runs.next()
    },
    return: async () => (await runs.return?.()) ?? { done: true, value: undefined },
    ...(drain
      ? {
          async drainTo(give) {
            const taken = take()
            if (taken && (taken.done || !(await give(taken.value)))) return
            await drain.call(runs, give)
          },
        }
      : {}),
    ...(isOver ? { isExhausted: () => (waiting ? waiting.done === true : isOver.call(runs)) } : {}),
    ...(atEnd ? { hasEndArrived: () => atEnd.call(runs) } : {}),
    ...(trailed ? { trailed: () => trailed.call(runs) } : {}),
  }
}

/** Returns the error in a refusal. Some servers send it as the event of a stream, or with an end mark after it. */
export function readRefusal(body: Uint8Array): Uint8Array {
  if (parseJsonBytes(body) !== undefined) return body
  const frames = createFrameParser()
  const [first] = [...frames.push(body), ...frames.end()]
  return first ? encoder.encode(first.data) : body
}
