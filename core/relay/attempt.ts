// One try of a call on one channel: request out, answer back up to its first content, failure named.
import type { Answer, WholeAnswer, StreamAnswer } from './answers/answer.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { ProofMakers } from '../channels/proof-makers.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { Glance, Watcher } from '../dialects/glance.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { Dialect, PassingDialect, SpokenDialect } from '../dialects/dialect.ts'
import type { Format } from '../dialects/format.ts'
import { withheldIn } from '../dialects/blocked.ts'
import { namingWatcher, withModel } from '../dialects/named-answer.ts'
import { recoded } from '../dialects/too-long.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { Signer } from '../ports/signer.ts'
import type { Upstream, UpstreamReply } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import { providerOf } from '../providers/index.ts'
import { doorFor } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { createDeadline, firstContentMs } from './deadline.ts'
import { AttemptError, failureOf, settling, withoutKey } from './failure.ts'
import { upstreamModel } from '../channels/mapping.ts'
import type { FileKind } from '../dialects/addresses.ts'
import { inlineAt, withFiles } from './files.ts'
import { readingDialect, type ProofMaker } from './answers/reading-dialect.ts'
import { usageBehind } from './answers/trailers.ts'
import { authorized, outgoing, passesPlain, type Asked } from './outgoing.ts'
import { eventsOf, gathered, spread } from './answers/reshape.ts'
import { askOverWebsocket } from './ask-over-websocket.ts'
import { passingAnswer } from './answers/passing-answer.ts'
import type { Step } from './plan.ts'
import { firstContent, MAX_WHOLE_BYTES, whole } from './answers/reply-bytes.ts'
import { retryAfterMs } from './retry-after.ts'
import { createTranslator } from './answers/translate.ts'
import type { Work } from './work.ts'

export interface AttemptRequest extends Asked {
  /** Of the call: names what its provider leaves without a name. */
  id: string
  /** The name under which the channels list the model. */
  listed: string
  signal: Signal
  /** A stream is to be one that can be ended: written anew. */
  bounded?: boolean
}

export interface AttemptPorts {
  upstream: Upstream
  signer: Signer
  clock: Clock
  web: Web
  settings: Settings
  makers?: Pick<ProofMakers, 'tagOf' | 'note'>
}

const NONE: readonly never[] = []
const MAX_ERROR_BYTES = 256 * 1024

/** How the steps of a call's plan are tried. */
export function attemptsOf(
  ports: Omit<AttemptPorts, 'settings'>,
  { call, bounded, provider, settings }: Work,
): (step: Step) => Promise<Answer> {
  const { upstream, signer, clock, web, makers } = ports
  return ({ head, admission, taken }) => {
    const request = {
      id: call.caller.request_id,
      dialect: call.inbound,
      head,
      listed: admission.listed,
      body: call.body,
      signal: provider,
      bounded,
      place: call.place,
      headers: call.headers,
    }
    return attempt(request, taken.channel, { upstream, signer, clock, web, settings, makers })
  }
}

/** @throws AttemptError */
export async function attempt(request: AttemptRequest, channel: RoutedChannel, ports: AttemptPorts): Promise<Answer> {
  // What is not streamed has its first content with its last.
  const limit = request.head.stream ? firstContentMs(channel, request.head.model, ports.settings) : 0
  const deadline = limit > 0 ? createDeadline(ports.clock, limit, request.signal) : undefined
  try {
    return await tryOn(request, deadline?.signal ?? request.signal, channel, ports)
  } catch (cause) {
    throw attemptError(deadline?.passed() ?? cause, channel)
  } finally {
    deadline?.met()
  }
}

/** What went wrong on a channel, with its status as the channel maps it and without its key. */
export function attemptError(error: unknown, channel: RoutedChannel): AttemptError {
  if (!(error instanceof AttemptError)) return new AttemptError(failureOf(error), error)
  return new AttemptError(withoutKey(mapped(error.failure, channel), channel.key), error, error.usage)
}

async function tryOn(
  request: AttemptRequest,
  signal: Signal,
  channel: RoutedChannel,
  ports: AttemptPorts,
): Promise<Answer> {
  const { dialect, head } = request
  const provider = providerOf(channel.type) ?? fail('channel.wrong_operation')
  const model = upstreamModel(request.listed, channel.mapping)
  const plain = passesPlain(channel, ports.settings)
  const door = doorFor(provider, dialect, model, channel, plain ? undefined : head) ?? fail('channel.wrong_operation')
  const kinds = dialect.operation === 'chat' ? inlineAt(door, dialect) : NONE
  const asked = kinds.length > 0 ? await inlined(request, kinds, ports) : request
  const sent = outgoing(asked, channel, provider, door, model, ports.settings)
  const begun = {
    upstream_model: sent.upstream_model,
    dropped: sent.dropped,
    same: door.dialect === dialect,
    cached: door.dialect.operation === 'chat' ? door.dialect.buckets.cache_read : undefined,
  }
  const proven = authorized(sent.request, channel, provider, door, ports.signer)
  const question = proven instanceof Promise ? await proven : proven
  const answered = provider.answer
    ? await provider.answer(question, channel, ports.clock, signal, door.dialect)
    : await (door.socket ? askOverWebsocket(question, ports, signal) : ports.upstream.send(question, signal))
  const reply = door.unwrap?.(answered) ?? answered
  if (reply.status < 200 || reply.status > 299) {
    const failure = await refusedBy(reply, door.dialect, ports.clock)
    throw new AttemptError(begun.same ? failure : recoded(failure))
  }
  try {
    return Object.assign(await read(reply, door.dialect, request, channel, ports), begun)
  } catch (error) {
    if (begun.same || !(error instanceof AttemptError)) throw error
    throw new AttemptError(recoded(error.failure), error, error.usage)
  }
}

const inlined = async (request: AttemptRequest, kinds: readonly FileKind[], ports: AttemptPorts): Promise<Asked> => ({
  ...request,
  body: await withFiles(request.body, kinds, ports.web, ports.settings),
})

/** What a provider says that does not refuse, in the caller's format. */
async function read(
  reply: UpstreamReply,
  theirs: SpokenDialect,
  { dialect, head, id, bounded }: AttemptRequest,
  channel: RoutedChannel,
  { clock, makers }: AttemptPorts,
): Promise<WholeAnswer | StreamAnswer> {
  const shown = channel.settings.requested_model_in_answers ? head.model : undefined
  if (dialect.operation !== 'chat') {
    const answer = await passingAnswer(reply, theirs.operation === 'chat' ? dialect : theirs, head, clock)
    return theirs === dialect ? named(answer, dialect, shown) : readBack(answer, dialect)
  }
  if (theirs.operation !== 'chat') return fail('channel.wrong_operation')
  const maker = makers && { tag: () => makers.tagOf(channel), note: (proof: string) => makers.note(proof, channel) }
  const shape = bounded && head.stream ? { ...channel.settings, force_format: true } : channel.settings
  const spoken = readingDialect(theirs, dialect, shape, head, { id, now: () => seconds(clock) }, maker)
  const streamed = (reply.headers['content-type'] ?? '').startsWith('text/event-stream')
  if (!streamed) {
    const body = await whole(reply.body, MAX_WHOLE_BYTES)
    const { failure, usage: within, blocked, proof } = spoken.readWhole(body)
    const usage = usageBehind(reply.body, theirs) ?? within
    if (failure) throw new AttemptError(failure, undefined, usage)
    if (proof !== undefined && spoken === dialect) maker?.note(proof)
    if (spoken === dialect && !head.stream) return named({ kind: 'whole', body, usage, blocked }, dialect, shown)
    return settling(usage, () => {
      if (head.stream) return spread(body, spoken, dialect, head, usage)
      const events = eventsOf(body, spoken)
      return { kind: 'whole', body: dialect.writeReply(events, head), usage, blocked: withheldIn(events) }
    })
  }
  if (!head.stream) return { kind: 'whole', ...(await gathered(reply.body, spoken, dialect, head, clock)) }
  return firstContent(
    reply.body,
    spoken === dialect ? watching(dialect, head, shown, maker) : createTranslator(spoken, dialect, head),
    clock,
    (trailed) => usageBehind(trailed, theirs),
  )
}

type Passed = Awaited<ReturnType<typeof passingAnswer>>

/** An answer of the other format in which it was asked for. */
const readBack = (answer: Passed, { as }: PassingDialect): Passed =>
  answer.kind === 'whole' && as
    ? { ...answer, body: settling(answer.usage, () => as.read(answer.body)) }
    : fail('channel.wrong_operation')

/** An answer whose bytes pass, with the name that the caller is to read, if it is another. */
const named = <A extends { kind: 'whole'; body: Uint8Array } | { kind: 'stream' }>(
  answer: A,
  { modelKeys }: Pick<Format, 'modelKeys'>,
  model?: string,
): A =>
  model !== undefined && answer.kind === 'whole'
    ? { ...answer, body: withModel(answer.body, model, modelKeys) }
    : answer

function watching(dialect: Dialect, head: RequestHead, model: string | undefined, maker?: ProofMaker): Watcher {
  const watcher = dialect.watcher(head)
  const proving = maker && dialect.proves ? provingWatcher(watcher, maker) : watcher
  return model === undefined ? proving : namingWatcher(proving, model, dialect.modelKeys)
}

/** Proofs in what passes are remembered with their maker. */
function provingWatcher(watcher: Watcher, maker: ProofMaker): Watcher {
  const noted = (glance: Glance): Glance => {
    if (glance.proof !== undefined) maker.note(glance.proof)
    return glance
  }
  return {
    look: (run) => noted(watcher.look(run)),
    close: () => noted(watcher.close()),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    finished: () => watcher.finished(),
  }
}

/** What a provider says that refuses. By its status it says that nothing is to be paid, whatever it reports beside. */
export async function refusedBy(reply: UpstreamReply, dialect: SpokenDialect, clock: Clock): Promise<CallFailure> {
  const body = await whole(reply.body, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  const failure = dialect.readError(reply.status, body)
  const retry_after_ms = retryAfterMs(reply.headers['retry-after'], clock.now())
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}

/** An upstream's failure with its status as the channel maps it. */
function mapped(failure: CallFailure, channel: RoutedChannel): CallFailure {
  const status = failure.source === 'upstream' ? channel.status_mapping[String(failure.status)] : undefined
  return status === undefined ? failure : { ...failure, status }
}
