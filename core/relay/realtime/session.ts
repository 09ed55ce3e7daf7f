// A realtime session: admitted and held for like any call, and connected to the first channel that accepts it. Messages
// are forwarded both ways, and each turn is charged before the client gets its end.
import type { CallerCache } from '../../auth/caller-cache.ts'
import { getRequestedModel, type RequestHead } from '../../dialects/requests/head.ts'
import { asObject, asText } from '../../dialects/json/json-value.ts'
import { findProviderObjects } from '../../dialects/requests/object-places.ts'
import type { ModelNamePlace, RealtimeEvent } from '../../dialects/openai-realtime.ts'
import {
  writeErrorEvent,
  findTurnFailure,
  findModelNames,
  parseCallerEvent,
  parseProviderEvent,
  parseRealtimeUsage,
  getEventTexts,
} from '../../dialects/openai-realtime.ts'
import { redactSecrets } from '../../dialects/answers/redact.ts'
import { fail, GatewayError } from '../../errors.ts'
import { type Clock, seconds } from '../../ports/clock.ts'
import type { Conversation } from '../../ports/upstream.ts'
import type { CachedDataChange, Storage } from '../../ports/storage.ts'
import type { Settings } from '../../settings/index.ts'
import { isExpired, formatPresentedKey } from '../../tokens/token.ts'
import { type Admission, admitCall, admitFurtherModel, type ChannelLookup } from '../admission.ts'
import type { Call, CallCaller } from '../call.ts'
import { reportRefusedCall, toCallFailure, withRequestId } from '../failure.ts'
import { placeObjectCall } from '../objects/call-objects.ts'
import { holdForCall } from '../holds.ts'
import { toCanonicalCandidate } from '../model-candidates.ts'
import type { RelayPorts } from '../relay.ts'
import { type PlannedAttempt, RetryPlan } from '../retry-plan.ts'
import { routeCall } from '../route.ts'
import { connectRealtime, type RealtimeConnection } from './connection.ts'
import { createRealtimeMeter, createRealtimeTurns, type RealtimeMeter, type RealtimeTurns } from './turns.ts'

export interface RealtimeSession {
  /**
   * Forwards messages until one side ends the session; resolves once everything is charged and both sides are closed.
   */
  run(caller: Conversation): Promise<void>
  /** Closes a session whose client did not connect. */
  abandon(): Promise<void>
}

/**
 * Opens a session with a provider. The call's body is `{model}`, from its address.
 * @throws GatewayError, AttemptError as for any call, while the client can still get an HTTP status
 */
export type OpenRealtimeSession = (call: Call) => Promise<RealtimeSession>

/** Close code of a refusal: quota is used up, access was revoked, or the next turn is refused. */
const REFUSED = 1008
const BROKEN = 1011

const encoder = new TextEncoder()

interface RealtimePorts extends RelayPorts {
  watchSessionAccess: WatchSessionAccess
}

export function createRealtime(ports: RealtimePorts): OpenRealtimeSession {
  return async function open(call) {
    const settings = ports.settings()
    const { admission, turn, held } = await admitSession(ports, call, settings)
    const { head } = turn
    const plan = new RetryPlan(ports, call, turn, held.holds, settings)
    const connected = ({ taken }: PlannedAttempt, attempt: number) =>
      connectRealtime(call, turn, taken, { ...ports, settings, attempt })
    const routed = await routeCall(ports, plan, call, connected)
    const meter = createRealtimeMeter()
    const turns = createRealtimeTurns(ports, { call, turn, held, routed, meter })
    if (routed.answering)
      return createSession(ports, { call, head, admission, line: routed.answering.answer, meter, turns })
    await turns.end(call.signal.aborted ? undefined : toCallFailure(routed.error))
    throw routed.error
  }
}

/** Admits and holds for a session. A refusal is reported. */
async function admitSession(ports: RealtimePorts, call: Call, settings: Settings) {
  let read: RequestHead | undefined
  try {
    read = call.inbound.readRequestHead(call.body)
    const admission = admitCall(call.caller, read, call.pin, {
      settings,
      channels: ports.channels,
      nowSeconds: Math.floor(call.started_at / 1000),
      callerDialect: call.inbound,
    })
    const admitted = toCanonicalCandidate(read, admission)
    const { turn } = await placeObjectCall(ports.owners, { call, head: admitted.head }, admitted, settings)
    return { admission, turn, held: await holdForCall(ports.ledger, call, turn, settings) }
  } catch (error) {
    reportRefusedCall(ports.refusals, call, read, error)
    throw error
  }
}

interface OpenedSession {
  call: Call
  head: RequestHead
  admission: Admission
  line: RealtimeConnection
  meter: RealtimeMeter
  turns: RealtimeTurns
}

function createSession(
  ports: RealtimePorts,
  { call, head, admission, line, meter, turns }: OpenedSession,
): RealtimeSession {
  const provider = line.conversation
  const { request_id } = call.caller
  const toErrorEvent = (error: unknown, about?: string) =>
    writeErrorEvent(withRequestId(toCallFailure(error), call.caller), request_id, about)

  async function toProvider(caller: Conversation): Promise<void> {
    for await (const message of caller.messages) {
      let event: RealtimeEvent | undefined
      try {
        event = parseCallerEvent(message)
        await admitNamed(event)
        const passed = prepareEvent(event)
        meter.countBytes(message.length)
        await provider.send(passed)
      } catch (refusal) {
        await caller.send(toErrorEvent(refusal, asText(event?.event_id)))
      }
    }
  }

  /** @throws GatewayError for an object that the caller's account did not get, or that is on another channel */
  async function admitNamed(event: RealtimeEvent): Promise<void> {
    const objects = findProviderObjects(event, call.inbound.objects.request)
    if (!objects) return
    const { at } = await ports.owners.admit(call, objects, admission.group, ports.settings())
    if (at && (at.channel_id !== line.at.channel_id || at.key !== line.at.key)) {
      fail('object.away', { param: objects[0]?.param ?? '' })
    }
  }

  /** Checks an event and returns its text for the provider. @throws GatewayError any refusal of the event */
  function prepareEvent(event: RealtimeEvent): string {
    const settings = ports.settings()
    for (const named of findModelNames(event))
      fixModel(named, { call, head, admission, line }, { settings, channels: ports.channels })
    const json = JSON.stringify(event)
    if (getEventTexts(event).length > 0)
      ports.checkWords({ body: encoder.encode(json), inbound: call.inbound }, settings)
    meter.countClientEvent(event)
    return json
  }

  async function toCaller(caller: Conversation): Promise<void> {
    for await (const message of provider.messages) {
      const event = parseProviderEvent(message)
      // An unreadable message cannot be counted.
      if (!event) continue
      meter.countBytes(message.length)
      const charged = await handleProviderEvent(event)
      await caller.send(message)
      if (charged) await turns.ready()
    }
  }

  /** Returns true if the event led to a charge. */
  async function handleProviderEvent(event: RealtimeEvent): Promise<boolean> {
    meter.countProviderEvent(event)
    if (event.type.endsWith('.delta')) await turns.onOutput(asText(event.response_id) ?? '')
    const response = asObject(event.response)
    const id = asText(response?.id) ?? ''
    if (event.type === 'response.created') await turns.begin(id)
    else if (event.type === 'response.done')
      await turns.finish(id, parseRealtimeUsage(response?.usage), findTurnFailure(response))
    else if (event.type === 'conversation.item.input_audio_transcription.completed') {
      const usage = parseRealtimeUsage(event.usage)
      if (usage) await turns.transcribed(usage)
      return usage !== undefined
    }
    return event.type === 'response.done'
  }

  return {
    async run(caller) {
      let broken: unknown
      const passing = [toProvider(caller), toCaller(caller)]
      const access = ports.watchSessionAccess(call.caller, (now) => {
        const surroundings = { settings: ports.settings(), channels: ports.channels, nowSeconds: seconds(ports.clock) }
        admitCall(now, head, call.pin, { ...surroundings, callerDialect: call.inbound })
      })
      try {
        await Promise.race([caller.offence, provider.offence, ...passing, access.lost])
        if (!caller.ended() && provider.ended()?.code === 1006) throw new GatewayError('upstream.broken')
      } catch (error) {
        broken = error
        // Not awaited: a client that does not read would delay the end.
        void caller.send(toErrorEvent(error))
      }
      access.unwatch()
      const { code, reason } = broken === undefined ? (provider.ended() ?? ENDED) : toCloseReason(broken)
      caller.close(code === 1005 ? ENDED.code : code, redactSecrets(reason))
      provider.close(ENDED.code, '')
      const rest = await Promise.allSettled(passing)
      for (const each of rest) if (each.status === 'rejected' && each.reason !== broken) logFailure(each.reason)
      await turns.end(broken === undefined ? undefined : toCallFailure(broken))
    },
    async abandon() {
      provider.close(ENDED.code, '')
      await turns.end()
    },
  }

  function logFailure(error: unknown): void {
    ports.logger.error('realtime: a turn could not be closed', { request_id, error: String(error) })
  }
}

const ENDED = { code: 1000, reason: '' }

function toCloseReason(error: unknown): { code: number; reason: string } {
  const { message, status } = toCallFailure(error)
  const refused = status < 500 || (error instanceof GatewayError && error.code === 'model.no_channel')
  return { code: refused ? REFUSED : BROKEN, reason: message }
}

/**
 * Writes the provider's name of the session's model into an event, and admits the model of a transcription.
 * @throws GatewayError model.fixed, model.not_allowed, model.no_price
 */
function fixModel(
  { path, holder, transcribes }: ModelNamePlace,
  { call, head, admission, line }: Omit<OpenedSession, 'meter' | 'turns'>,
  surroundings: { settings: Settings; channels: ChannelLookup },
): void {
  const { model } = holder
  if (transcribes && typeof model === 'string') return admitFurtherModel(model, call.caller, admission, surroundings)
  const requested = getRequestedModel(head)
  if (model !== requested && model !== head.model && model !== line.upstream_model)
    fail('model.fixed', { model: requested, param: path })
  holder.model = line.upstream_model
}

// Access checks of open connections: repeated whenever the user or token changes, in any process, and once the token
// expires. A storage failure revokes nothing.

export interface SessionAccess {
  /** Rejects with the refusal that a new call would get. */
  lost: Promise<never>
  unwatch(): void
}

/** Runs `check` at once, and again at every change until `unwatch`; an error that it throws is the refusal. */
export type WatchSessionAccess = (caller: CallCaller, check: (caller: CallCaller) => void) => SessionAccess

interface SessionPorts {
  storage: Pick<Storage, 'onChange'>
  callers: CallerCache
  clock: Clock
}

interface Watched {
  /** The caller as last loaded. */
  caller: CallCaller
  check(caller: CallCaller): void
  refuse(why: unknown): void
  /** True if storage failed at the last change, so the check is repeated. */
  isUncertain: boolean
}

const CHECK_MS = 1000

/** `callers` must be created earlier: at a change it forgets first, and then this check loads again. */
export function createSessionAccess({ storage, callers, clock }: SessionPorts): WatchSessionAccess {
  const watched = new Set<Watched>()
  let stopTimer: (() => void) | undefined

  /** Never rejects. A storage failure refuses no caller, since it shows nothing about the key. */
  async function checkCaller(one: Watched): Promise<void> {
    one.isUncertain = false
    const found = await Promise.resolve(one.caller.token?.key ?? '')
      .then((key) => callers.find(formatPresentedKey(key)))
      .catch(() => 'unanswered' as const)
    if (found === 'unanswered') {
      one.isUncertain = true
      return
    }
    try {
      one.caller = { ...one.caller, ...(found ?? fail('key.unknown')) }
      one.check(one.caller)
    } catch (error) {
      one.refuse(error)
      stopWatching(one)
    }
  }

  async function checkMatching(concerned: (one: Watched) => boolean): Promise<void> {
    await Promise.all([...watched].filter(concerned).map(checkCaller))
  }

  const recheck = () =>
    void checkMatching(
      ({ caller: { token }, isUncertain }) => isUncertain || (token !== null && isExpired(token, seconds(clock))),
    )

  function stopWatching(one: Watched): void {
    watched.delete(one)
    if (watched.size > 0) return
    stopTimer?.()
    stopTimer = undefined
  }

  storage.onChange(({ topic, id }: CachedDataChange) => {
    if (topic !== 'users' && topic !== 'tokens') return
    return checkMatching(({ caller: { user, token } }) => id === 0 || id === (topic === 'users' ? user : token)?.id)
  })

  return (caller, check) => {
    let refuse!: Watched['refuse']
    const lost = new Promise<never>((_, reject) => (refuse = reject))
    const one = { caller, check, refuse, isUncertain: false }
    watched.add(one)
    stopTimer ??= clock.every(CHECK_MS, recheck)
    void checkCaller(one)
    return { lost, unwatch: () => stopWatching(one) }
  }
}
