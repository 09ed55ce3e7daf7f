// Asks a provider: which of its doors, in which words, with whose proof; what it refuses is told as a failure.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { isPassThrough, upstreamModel } from '../channels/mapping.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { Look } from '../dialects/later-answer.ts'
import type { SpokenDialect } from '../dialects/dialect.ts'
import type { ToolNames } from '../dialects/sizes.ts'
import { translateFailureCode } from '../dialects/too-long.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream, UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import { joinAddress } from '../providers/address.ts'
import { findProvider } from '../providers/index.ts'
import { doorFor, type UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { Answer } from './answers/answer.ts'
import { MAX_ERROR_BYTES, readWholeBody } from './answers/reply-bytes.ts'
import { readRefusal } from './answers/told-by-beginning.ts'
import { pollForAnswer } from './awaited.ts'
import { askOverWebsocket } from './ask-over-websocket.ts'
import { authorizeRequest } from './authorize.ts'
import { AttemptError } from './failure.ts'
import { inlineAt, type CallFiles } from './files.ts'
import { getOperatorHeaders, prepareUpstreamRequest } from './outgoing.ts'
import type { CallerRequest } from './written-anew.ts'
import { retryAfterMs } from './retry-after.ts'

export interface ProviderCall extends CallerRequest {
  /** The name under which the channels list the model. */
  listed: string
  signal: Signal
  /** Its caller asks for the answer later. */
  deferred?: boolean
  /** Gives the files that the call points at. Without it, addresses are sent as they came. */
  files?: () => CallFiles
}

export interface AskPorts {
  upstream: Upstream
  signer: Signer
  clock: Clock
  settings: Settings
}

/** Who answers, and how it was asked. */
interface Answered {
  reply: UpstreamReply
  theirs: SpokenDialect
  tool_names?: ToolNames
  begun: Pick<Answer, 'upstream_model' | 'dropped' | 'same' | 'cached'>
}

const NONE: readonly never[] = []
/** Longer is not waited for an answer whose caller waits. */
const LATER_MS = 600_000

/** A server that does not have a path says so with one of these. */
const NO_SUCH_PATH = new Set([404, 405, 501])

/**
 * @param missing a door that the channel's server turned out not to have
 * @throws AttemptError what it refuses; GatewayError what cannot be asked there
 */
export async function sendToProvider(
  request: ProviderCall,
  signal: Signal,
  channel: RoutedChannel,
  ports: AskPorts,
  missing?: UpstreamEndpoint,
): Promise<Answered> {
  const { dialect, head } = request
  const { settings } = ports
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  const model = upstreamModel(request.listed, channel.mapping)
  const plain = isPassThrough(channel, settings)
  const door =
    doorFor(provider, dialect, model, channel, plain ? undefined : head, missing) ?? fail('channel.wrong_operation')
  const theirs = door.dialect
  const kinds = dialect.operation === 'chat' ? inlineAt(door, dialect) : NONE
  const files = kinds.length > 0 ? request.files?.() : undefined
  const body = files ? await files.markedBody(kinds) : request.body
  const asked = body === request.body ? request : { ...request, body }
  const same = theirs === dialect
  const later = door.later ?? (request.deferred && same ? door.deferred?.(channel) : undefined)
  const sent = prepareUpstreamRequest(asked, channel, { provider, door, model, plain, later }, settings)
  if (files && sent.request.body && body !== request.body) sent.request.body = await files.fill(sent.request.body)
  const proven = authorizeRequest(sent.request, channel, provider, door, ports.signer)
  const question = proven instanceof Promise ? await proven : proven
  const answered = provider.answer
    ? await provider.answer(question, channel, ports.clock, signal, theirs)
    : await (door.socket ? askOverWebsocket(question, ports, signal) : ports.upstream.send(question, signal))
  const reply = door.unwrap?.(answered) ?? answered
  if (reply.status < 200 || reply.status > 299) {
    const failure = await readRefusedReply(reply, theirs, ports.clock)
    if (door.optional && NO_SUCH_PATH.has(reply.status)) return sendToProvider(request, signal, channel, ports, door)
    throw new AttemptError(same ? failure : translateFailureCode(failure))
  }
  const longest_ms = request.deferred ? settings['tasks.forget_minutes'] * 60_000 : LATER_MS
  const there = later
    ? await pollForAnswer(reply, later, signal, { clock: ports.clock, ask: askFurther, longest_ms })
    : reply
  const cached = theirs.operation === 'chat' ? theirs.buckets.cache_read : undefined
  const { tool_names } = sent
  return {
    reply: there,
    theirs,
    tool_names,
    begun: { upstream_model: sent.upstream_model, dropped: sent.dropped, same, cached },
  }

  /** As the first question was asked. */
  async function askFurther(at: Look, method: 'GET' | 'POST', until: Signal): Promise<UpstreamReply> {
    const { url: first, proxy, guarded, headers_timeout_ms, idle_timeout_ms } = sent.request
    const url = new URL('look' in at ? joinAddress(provider, channel, at.look) : first)
    if ('behind' in at) url.pathname += at.behind
    const headers = { accept: 'application/json', ...(channel.settings.headers ? getOperatorHeaders(channel) : {}) }
    const limits = { headers_timeout_ms, idle_timeout_ms }
    const further: UpstreamRequest = { method, url: url.href, headers, proxy, guarded, ...limits }
    return ports.upstream.send(await authorizeRequest(further, channel, provider, door, ports.signer), until)
  }
}

/** What a provider says that refuses. By its status it says that nothing is to be paid, whatever it reports beside. */
export async function readRefusedReply(
  reply: UpstreamReply,
  dialect: SpokenDialect,
  clock: Clock,
): Promise<CallFailure> {
  const body = await readWholeBody(reply.body, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  const failure = dialect.readError(reply.status, readRefusal(body))
  const retry_after_ms = retryAfterMs(reply.headers['retry-after'], clock.now())
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}
