// One try of a call on one channel: request out, answer back up to its first content, failure named.
import type { RoutedChannel } from '../channels/channel-index.ts'
import type { CallFailure, Dialect, Piece, Usage, Watcher } from '../dialects/dialect.ts'
import { fail, GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream, UpstreamReply } from '../ports/upstream.ts'
import { providerOf } from '../providers/index.ts'
import type { Door, Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { createDeadline, firstContentMs } from './deadline.ts'
import { AttemptError, failureOf, withoutKey } from './failure.ts'
import { upstreamModel } from './mapping.ts'
import { authorized, outgoing, type Asked } from './outgoing.ts'
import { eventsOf, gathered, spread } from './reshape.ts'
import { retryAfterMs } from './retry-after.ts'
import { createTranslator, dated } from './translate.ts'

export interface AttemptRequest extends Asked {
  signal: Signal
}

export interface AttemptPorts {
  upstream: Upstream
  signer: Signer
  clock: Clock
  settings: Settings
}

/** An answer that has begun. `rest` goes on where `pieces` stop. */
/** `dropped` names what the provider's format has no word for. */
export type Answer = { upstream_model: string; dropped: string[] } & (
  { kind: 'whole'; body: Uint8Array; usage: Usage | undefined } | StreamAnswer
)

export interface StreamAnswer {
  kind: 'stream'
  /** What was kept back until the first content, and the content. */
  pieces: Piece[]
  /** The end mark has come already. */
  ended: boolean
  watcher: Watcher
  /** What ends it, once it has ended. */
  end?: Uint8Array
  usage: Usage | undefined
  rest: AsyncIterator<Uint8Array>
  /** It broke right behind its first content. */
  failure?: CallFailure
}

/** An answer that is not streamed may be this large. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024
const MAX_ERROR_BYTES = 256 * 1024

/** @throws AttemptError */
export async function attempt(request: AttemptRequest, channel: RoutedChannel, ports: AttemptPorts): Promise<Answer> {
  // What is not streamed has its first content with its last.
  const limit = request.head.stream ? firstContentMs(channel, request.head.model, ports.settings) : 0
  const deadline = limit > 0 ? createDeadline(ports.clock, limit, request.signal) : undefined
  try {
    return await tryOn(deadline ? { ...request, signal: deadline.signal } : request, channel, ports)
  } catch (cause) {
    const error = deadline?.passed() ?? cause
    if (error instanceof AttemptError)
      throw new AttemptError(withoutKey(mapped(error.failure, channel), channel.key), error)
    throw new AttemptError(failureOf(error), error)
  } finally {
    deadline?.met()
  }
}

async function tryOn(request: AttemptRequest, channel: RoutedChannel, ports: AttemptPorts): Promise<Answer> {
  const { dialect, head } = request
  const provider = providerOf(channel.type) ?? fail('channel.wrong_operation')
  const model = upstreamModel(head.model, channel.mapping)
  const door = doorOf(provider, dialect, model)
  const sent = outgoing(request, channel, provider, door, model, ports.settings)
  const begun = { upstream_model: sent.upstream_model, dropped: sent.dropped }
  const proven = authorized(sent.request, channel, provider, door, ports.signer)
  const asked = proven instanceof Promise ? await proven : proven
  const answered = provider.answer
    ? await provider.answer(asked, channel, ports.clock, request.signal)
    : await ports.upstream.send(asked, request.signal)
  const reply = door.unwrap?.(answered) ?? answered
  if (reply.status < 200 || reply.status > 299)
    throw new AttemptError(await refusedBy(reply, door.dialect, ports.clock))
  const spoken = door.dialect === dialect ? dialect : dated(door.dialect, seconds(ports.clock))
  const streamed = (reply.headers['content-type'] ?? '').startsWith('text/event-stream')
  if (!streamed) {
    const body = await whole(reply.body, MAX_WHOLE_BYTES)
    const disguised = door.dialect.readDisguisedError(body)
    if (disguised) throw new AttemptError(disguised)
    if (head.stream) return { ...begun, ...spread(body, spoken, dialect, head) }
    const shown = door.dialect === dialect ? body : dialect.writeReply(eventsOf(body, spoken), head)
    return { ...begun, kind: 'whole', body: shown, usage: door.dialect.readUsage(body) }
  }
  if (!head.stream) return { ...begun, kind: 'whole', ...(await gathered(reply.body, spoken, dialect, head)) }
  const watcher = door.dialect === dialect ? dialect.watcher(head) : createTranslator(spoken, dialect, head)
  return { ...begun, ...(await firstContent(reply.body, watcher)) }
}

/** The caller's own format where the provider speaks it, so that its bytes can pass; else the provider's first. */
function doorOf({ chat = [] }: Provider, dialect: Dialect, model: string): Door {
  const serves = (door: Door) => door.serves?.(model) ?? true
  const own = chat.find((door) => door.dialect === dialect && serves(door))
  return own ?? chat.find(serves) ?? fail('channel.wrong_operation')
}

/** Reads a stream up to its first content, its end, or its failure; what merely opens it is kept back until then. */
async function firstContent(body: AsyncIterable<Uint8Array>, watcher: Watcher): Promise<StreamAnswer> {
  const rest = body[Symbol.asyncIterator]()
  const pieces: Piece[] = []
  let usage: Usage | undefined
  try {
    for (;;) {
      const { done, value } = await rest.next()
      const seen = done ? watcher.close() : watcher.look(value)
      if (seen.failure && !seen.content) throw new AttemptError(seen.failure)
      pieces.push(...seen.pass)
      usage = seen.usage ?? usage
      if (seen.content || seen.ended) {
        return { kind: 'stream', pieces, ended: seen.ended, end: seen.end, watcher, usage, rest, failure: seen.failure }
      }
      if (done) fail('upstream.broken')
    }
  } catch (error) {
    // Whatever is wrong with it, also a frame without end: nobody reads on, so its connection is let go.
    await rest.return?.()
    throw error
  }
}

async function refusedBy(reply: UpstreamReply, dialect: Dialect, clock: Clock): Promise<CallFailure> {
  const body = await whole(reply.body, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  const failure = dialect.readError(reply.status, body)
  const retry_after_ms = retryAfterMs(reply.headers['retry-after'], clock.now())
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}

/** @throws GatewayError upstream.unreadable when it is larger than `limit` bytes */
export async function whole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit)
      throw new GatewayError('upstream.unreadable', {}, { detail: `an answer of more than ${limit} bytes` })
    parts.push(part)
  }
  const only = parts[0]
  if (parts.length === 1 && only) return only
  const joined = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** An upstream's failure with its status as the channel maps it. */
function mapped(failure: CallFailure, channel: RoutedChannel): CallFailure {
  const status = failure.source === 'upstream' ? channel.status_mapping[String(failure.status)] : undefined
  return status === undefined ? failure : { ...failure, status }
}
