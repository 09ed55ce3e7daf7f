// Attempts a call on one channel: sends the request, reads the answer up to its first content, and classifies the
// failure.
import type { SignatureOwnerMemory } from '../channels/affinity.ts'
import { getUpstreamModel, isPassThrough, type RoutedChannel } from '../channels/routed-channel.ts'
import { translateFailureCode } from '../dialects/answers/failures.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { UpstreamDialect } from '../dialects/dialect.ts'
import { encodeEventFrames } from '../dialects/answers/frames.ts'
import { joinParts } from '../dialects/json/json-bytes.ts'
import { parseJsonBytes } from '../dialects/json/json-value.ts'
import type { DeferredAnswer, PollTarget } from '../dialects/answers/deferred-answer.ts'
import type { ToolNames } from '../dialects/requests/sizes.ts'
import { fail, GatewayError } from '../errors.ts'
import type { Clock, AbortSignalLike } from '../ports/clock.ts'
import type { Conversation, ReplyBody, UpstreamClient, UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import type { RequestSigner } from '../ports/signer.ts'
import { joinProviderPath } from '../providers/address.ts'
import { findProvider } from '../providers/index.ts'
import { findCallEndpoint, type UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { ProviderAnswer, AnswerReader } from './answers/answer.ts'
import { readProviderAnswer } from './answers/read-answer.ts'
import { MAX_ERROR_BYTES, MAX_WHOLE_BYTES, readWholeBody } from './answers/read-body.ts'
import { readRefusal } from './answers/reply-type.ts'
import { createAbortSource } from './call.ts'
import { buildAttemptError, AttemptError } from './failure.ts'
import { CallFiles, type FilePorts, listInlinedKinds } from './files.ts'
import type { PaidCall } from './holds.ts'
import { withPricedWords } from './model-candidates.ts'
import { type PlannedAttempt, retryAfterMs } from './retry-plan.ts'
import type { CallerRequest } from './upstream-request.ts'
import {
  authorizeRequest,
  buildTraceHeaders,
  createDeadline,
  getFirstContentTimeoutMs,
  getOperatorHeaders,
  prepareUpstreamRequest,
} from './upstream-request.ts'

export interface AttemptPorts extends AskPorts {
  makers?: Pick<SignatureOwnerMemory, 'tagOf' | 'note'>
}

export type AttemptRequest = ProviderCall & AnswerReader

/** Creates the function that runs the attempts of a call's plan. */
export function createAttemptRunner(
  ports: Omit<AttemptPorts, 'settings'> & FilePorts,
  { call, bounded, provider, settings }: PaidCall,
): (step: PlannedAttempt, attempt: number) => Promise<ProviderAnswer> {
  const { upstream, signer, clock, makers } = ports
  let made: CallFiles | undefined
  const files = () => (made ??= new CallFiles(ports, call, settings, provider))
  return ({ head, admission, taken }, number) => {
    const request = {
      id: call.caller.request_id,
      dialect: call.inbound,
      head,
      listedName: admission.listedName,
      body: withPricedWords(call.body, head.words, admission.price),
      signal: provider,
      bounded,
      place: call.place,
      headers: call.headers,
      extraHeaders: buildTraceHeaders(call, number, settings),
      deferred: call.deferred !== undefined,
      files,
    }
    return attemptOnChannel(request, taken.channel, { upstream, signer, clock, settings, makers })
  }
}

/** An answer names its model as it was requested. */
const toReader = (
  { id, dialect, head, bounded }: AttemptRequest,
  tool_names: AnswerReader['tool_names'],
): AnswerReader => ({
  id,
  dialect,
  head: head.requestedModel === undefined ? head : { ...head, model: head.requestedModel },
  tool_names,
  bounded,
})

/** @throws AttemptError */
export async function attemptOnChannel(
  request: AttemptRequest,
  channel: RoutedChannel,
  ports: AttemptPorts,
): Promise<ProviderAnswer> {
  // The first content of an answer that is not streamed comes with its end, so no timeout applies.
  const limit = request.head.stream ? getFirstContentTimeoutMs(channel, request.head.model, ports.settings) : 0
  const deadline = limit > 0 ? createDeadline(ports.clock, limit, request.signal) : undefined
  try {
    const { reply, providerDialect, tool_names, origin } = await sendToProvider(
      request,
      deadline?.signal ?? request.signal,
      channel,
      ports,
    )
    const reader = toReader(request, tool_names)
    return Object.assign(await readProviderAnswer(reply, providerDialect, reader, channel, ports), origin)
  } catch (cause) {
    throw buildAttemptError(deadline?.passed() ?? cause, channel)
  } finally {
    deadline?.met()
  }
}

// Provider requests: chooses the endpoint and format, authorizes the request, and turns a refusal into a failure.

export interface ProviderCall extends CallerRequest {
  /** The name under which the channels list the model. */
  listedName: string
  signal: AbortSignalLike
  /** True if the client reads the answer later (background). */
  deferred?: boolean
  /** Returns the files that the call refers to. Without it, addresses are sent unchanged. */
  files?: () => CallFiles
}

export interface AskPorts {
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
  settings: Settings
}

/** A provider's reply, and how the request was sent. */
interface Answered {
  reply: UpstreamReply
  providerDialect: UpstreamDialect
  tool_names?: ToolNames
  origin: Pick<ProviderAnswer, 'upstream_model' | 'dropped' | 'same' | 'cached'>
}

const NONE: readonly never[] = []
/** Maximum wait for a deferred answer whose client waits, in ms. */
const MAX_POLL_MS = 600_000

/** Statuses of a server that does not have the path. */
const NO_SUCH_PATH = new Set([404, 405, 501])
/** Statuses of a server that has the path and does not know the value. */
const UNKNOWN_VALUE = new Set([400, 422])

const isMissingThere = (
  { optional, unknown_word: word }: UpstreamEndpoint,
  status: number,
  { message }: CallFailure,
): boolean =>
  (optional === true && NO_SUCH_PATH.has(status)) ||
  (word !== undefined && UNKNOWN_VALUE.has(status) && message.includes(word))

/**
 * Sends the request to the channel's provider.
 * @param missing an endpoint that the channel's server turned out not to have
 * @throws AttemptError if the provider refuses; GatewayError if the endpoint cannot serve the request
 */
export async function sendToProvider(
  request: ProviderCall,
  signal: AbortSignalLike,
  channel: RoutedChannel,
  ports: AskPorts,
  missing?: UpstreamEndpoint,
): Promise<Answered> {
  const { dialect, head } = request
  const { settings } = ports
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  const model = getUpstreamModel(channel, request.listedName, head, settings)
  const plain = isPassThrough(channel, settings)
  const endpoint =
    findCallEndpoint(provider, dialect, model, channel, plain ? undefined : head, missing) ??
    fail('channel.wrong_operation')
  const providerDialect = endpoint.dialect
  const same = providerDialect === dialect
  const kinds = dialect.operation === 'chat' && !(same && plain) ? listInlinedKinds(endpoint, dialect) : NONE
  const files = kinds.length > 0 ? request.files?.() : undefined
  const body = files ? await files.markedBody(kinds) : request.body
  const markedRequest = body === request.body ? request : { ...request, body }
  const deferredAnswer = endpoint.later ?? (request.deferred && same ? endpoint.deferred?.(channel) : undefined)
  const sent = prepareUpstreamRequest(
    markedRequest,
    channel,
    { provider, endpoint, model, plain, deferred: deferredAnswer },
    settings,
  )
  if (files && sent.request.body && body !== request.body)
    sent.request.body = await files.fill(joinParts(sent.request.body))
  const authorized = authorizeRequest(sent.request, channel, provider, endpoint, ports.signer)
  const question = authorized instanceof Promise ? await authorized : authorized
  const answered = provider.answer
    ? await provider.answer(question, channel, ports.clock, signal, providerDialect)
    : await (endpoint.socket ? askOverWebsocket(question, ports, signal) : ports.upstream.send(question, signal))
  const reply = endpoint.unwrap?.(answered) ?? answered
  if (reply.status < 200 || reply.status > 299) {
    const failure = await readRefusedReply(reply, providerDialect, ports.clock)
    if (isMissingThere(endpoint, reply.status, failure))
      return sendToProvider(request, signal, channel, ports, endpoint)
    throw new AttemptError(same ? failure : translateFailureCode(failure))
  }
  const longest_ms = request.deferred ? settings['tasks.forget_minutes'] * 60_000 : MAX_POLL_MS
  const there = deferredAnswer
    ? await pollForAnswer(reply, deferredAnswer, signal, { clock: ports.clock, ask: askFurther, longest_ms })
    : reply
  const cached = providerDialect.operation === 'chat' ? providerDialect.buckets.cache_read : undefined
  const { tool_names } = sent
  return {
    reply: there,
    providerDialect,
    tool_names,
    origin: { upstream_model: sent.upstream_model, dropped: sent.dropped, same, cached },
  }

  /** Sends a further request with the settings of the first one. */
  async function askFurther(at: PollTarget, method: 'GET' | 'POST', until: AbortSignalLike): Promise<UpstreamReply> {
    const { url: first, proxy, guarded, headers_timeout_ms, idle_timeout_ms } = sent.request
    const url = new URL('look' in at ? joinProviderPath(provider, channel, at.look) : first)
    if ('behind' in at) url.pathname += at.behind
    const headers = { accept: 'application/json', ...(channel.settings.headers ? getOperatorHeaders(channel) : {}) }
    const limits = { headers_timeout_ms, idle_timeout_ms }
    const further: UpstreamRequest = { method, url: url.href, headers, proxy, guarded, ...limits }
    return ports.upstream.send(await authorizeRequest(further, channel, provider, endpoint, ports.signer), until)
  }
}

/** Parses a refusal. Its status means that nothing is charged, even if it reports usage. */
export async function readRefusedReply(
  reply: UpstreamReply,
  dialect: Pick<UpstreamDialect, 'readErrorReply'>,
  clock: Clock,
): Promise<CallFailure> {
  const body = await readWholeBody(reply.body, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  const failure = dialect.readErrorReply(reply.status, readRefusal(body))
  const retry_after_ms = retryAfterMs(reply.headers['retry-after'], clock.now())
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}

// Providers called over a WebSocket: the request is one message, and each message back is an event of the answer.

const NORMAL = 1000

/** @throws GatewayError upstream.unreachable; reading the answer throws like any other stream */
export async function askOverWebsocket(
  { url, headers, body, proxy, guarded, idle_timeout_ms }: UpstreamRequest,
  { upstream, clock, settings }: { upstream: UpstreamClient; clock: Clock; settings: Settings },
  signal: AbortSignalLike,
): Promise<UpstreamReply> {
  const max_frames_per_second = settings['relay.max_frames_per_second']
  const socketRequest = {
    url,
    headers: pickTraceHeaders(headers),
    guarded,
    max_frames_per_second,
    ...(proxy ? { proxy } : {}),
  }
  const reply = await upstream.connect(socketRequest, signal)
  if ('refused' in reply) return reply.refused
  const { conversation } = reply
  await conversation.send(new TextDecoder().decode(joinParts(body ?? [])))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: streamMessages(conversation, idle_timeout_ms, clock, signal),
  }
}

/** Picks the headers that are not part of the HTTP handshake. */
const pickTraceHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(TRACE_HEADER_NAMES.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
const TRACE_HEADER_NAMES = ['traceparent', 'tracestate', 'x-request-id']

async function* streamMessages(
  { messages, close }: Conversation,
  idle_timeout_ms: number,
  clock: Clock,
  signal: AbortSignalLike,
): AsyncGenerator<Uint8Array> {
  const coming = messages[Symbol.asyncIterator]()
  let failure: unknown
  const giveUp = (reason: unknown) => {
    failure ??= reason
    close(NORMAL, '')
  }
  const onAbort = () => giveUp(signal.reason)
  const onSilence = () => giveUp(new GatewayError('upstream.silent', { seconds: idle_timeout_ms / 1000 }))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    for (;;) {
      // The timeout covers waiting for a message, not waiting for a slow client.
      const stop = idle_timeout_ms > 0 ? clock.every(idle_timeout_ms, onSilence) : undefined
      const { done, value } = await coming.next()
      stop?.()
      if (failure !== undefined) throw failure
      if (done) return
      yield encodeEventFrames([{ data: typeof value === 'string' ? value : new TextDecoder().decode(value) }])
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    close(NORMAL, '')
  }
}

// Deferred answers: the provider is polled until the answer is ready, as long as the client waits.

interface RelayAttemptPorts {
  clock: Clock
  /** Sends a poll, or a cancellation. @throws GatewayError upstream.* */
  ask(at: PollTarget, method: 'GET' | 'POST', signal: AbortSignalLike): Promise<UpstreamReply>
  /** Maximum total wait, in ms. */
  longest_ms: number
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5_000
/** Consecutive failed polls after which polling ends. */
const MOST_FAILURES = 10

/**
 * Polls for the answer and returns it. A failed poll is repeated, since the work continues at the provider.
 * @throws AttemptError if the work failed; GatewayError upstream.*
 */
export async function pollForAnswer(
  first: UpstreamReply,
  deferredAnswer: DeferredAnswer,
  signal: AbortSignalLike,
  { clock, ask, longest_ms }: RelayAttemptPorts,
): Promise<UpstreamReply> {
  const until = clock.now() + longest_ms
  let failures = 0
  let body = await readWholeBody(first.body, MAX_WHOLE_BYTES)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const pending = deferredAnswer.getPending(parseJsonBytes(body))
    if (!pending) return { ...first, status: 200, body: toReplyBody(body) }
    if ('failure' in pending) throw new AttemptError(pending.failure)
    try {
      if (clock.now() > until) fail('upstream.slow', { seconds: longest_ms / 1000 })
      await clock.sleep(pause, signal)
    } catch (error) {
      const behind = deferredAnswer.cancel?.(parseJsonBytes(body))
      if (behind) await ask({ behind }, 'POST', createAbortSource().signal).catch(() => undefined)
      throw error
    }
    try {
      const reply = await ask(pending, 'GET', signal)
      const polled = await readWholeBody(reply.body, MAX_WHOLE_BYTES)
      if (reply.status < 200 || reply.status > 299) fail('upstream.broken')
      body = polled
      failures = 0
    } catch (error) {
      failures += 1
      if (signal.aborted || failures === MOST_FAILURES) throw error
    }
  }
}

/** Returns a whole body as a stream of one run. */
export const toReplyBody = (body: Uint8Array): ReplyBody =>
  (async function* () {
    yield body
  })()
