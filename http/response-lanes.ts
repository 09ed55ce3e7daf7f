// One open WebSocket of Responses: each `response.create` becomes an ordinary call. Requests of one lane are answered in order;
// several lanes are answered at the same time.
import type { IncomingMessage } from 'node:http'
import type { CallCaller, Conversation, Gateway } from '../core/index.ts'
import { admitToken, createAbortSource, toCallFailure, GatewayError, openaiResponses, seconds } from '../core/index.ts'
import { type BodyShare, callByteBudget, relayCallBudget } from './budgets.ts'
import { type RequestPeer, createRequestId } from './peer.ts'
import { CLIENT_CLOSED_REQUEST, createRequestObserver } from './request-observer.ts'
import { buildRelayCall } from './build-call.ts'
import { identifyCaller } from './key.ts'
import { CLIENT_DISCONNECTED, logRequestFailure } from './refuse.ts'
import { waitForTurn } from './middleware/body.ts'
import { RESPONSES_PATH } from './relay-route.ts'
import type { LaneAnswers } from './socket-memory.ts'
import { buildSocketError, SocketReply } from './socket-reply.ts'
import { changeTopMembers, toJsonBytes } from '../core/dialects/json/json-bytes.ts'
import { asList, asObject, asText, type JsonObject } from '../core/dialects/json/json-value.ts'
import { parseRequestBody } from '../core/dialects/requests/request-body.ts'

const MIB = 1024 * 1024
/** The limits of OpenAI. */
const MOST_LANES = 32
const MOST_RUNNING = 16
/** Maximum number of waiting requests in all lanes together. */
const MOST_WAITING = 32

const GOING_AWAY = 1001
const REFUSED = 1008
const OK = 200

/** A request that waits in its lane, or is being answered. */
interface QueuedRequest extends CreateMessage {
  lane: Lane
  /** The bytes of the request in the caller's budget. */
  share: BodyShare
}

interface Lane {
  /** Name of the lane; undefined for the one without a name. */
  name: string | undefined
  waiting: QueuedRequest[]
  isBusy: boolean
}

/** An upgraded request with its caller. */
export interface OpenSocket {
  request: IncomingMessage
  peer: RequestPeer
  caller: CallCaller
  conversation: Conversation
  answers: LaneAnswers
}

export class ResponseLanes {
  /** Times of opening and of the last request or answer, in epoch ms. */
  readonly opened_at: number
  active_at: number
  private readonly gateway: Gateway
  private readonly socket: OpenSocket
  private readonly lanes = new Map<string, Lane>()
  private readonly stops = new Set<ReturnType<typeof createAbortSource>>()
  private waiting = 0
  private running = 0
  /** Set once no further response may start: the reason, and the code with which the socket is closed after the running ones. */
  private ending: { code: number; why: GatewayError } | undefined
  private whenQuiet: (() => void) | undefined

  constructor(gateway: Gateway, socket: OpenSocket) {
    this.gateway = gateway
    this.socket = socket
    this.opened_at = this.active_at = gateway.ports.clock.now()
  }

  get isIdle(): boolean {
    return this.running === 0
  }

  /** Accepts requests until either side closes the socket. Resolves once every response has ended and is charged. */
  async run(): Promise<void> {
    const { conversation, answers } = this.socket
    const access = this.gateway.watchSessionAccess(this.socket.caller, (caller) => this.refuseLostKey(caller))
    access.lost.catch((error: unknown) => this.end(REFUSED, error as GatewayError))
    try {
      await Promise.race([conversation.offence, this.read()])
    } catch (error) {
      this.sendError(error)
      conversation.close(REFUSED, toCallFailure(error).message)
    }
    access.unwatch()
    for (const stop of this.stops) stop.now(CLIENT_DISCONNECTED)
    for (const { waiting } of this.lanes.values()) for (const { share } of waiting.splice(0)) share.end()
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenQuiet = resolve))
    answers.close()
  }

  /** Lets no further response start. Closes the socket after the running ones, or at once if none is running. */
  end(code: number, why: GatewayError): void {
    this.ending ??= { code, why }
    this.closeIfDone()
  }

  /** Ends the socket because the server stops. */
  stop(): void {
    this.end(GOING_AWAY, new GatewayError('server.stopping'))
  }

  /** Ends the socket because it was idle for the maximum time. */
  closeIdle(minutes: number): void {
    this.end(GOING_AWAY, new GatewayError('socket.old', { minutes }))
  }

  /** Ends the socket because it has reached the maximum age of a connection. */
  expire(minutes: number): void {
    if (this.ending) return
    const why = new GatewayError('socket.old', { minutes })
    this.sendError(why)
    this.end(GOING_AWAY, why)
  }

  /** Refuses a key that is no longer valid. Balance, limits, models and the address may change again: each request checks them. */
  private refuseLostKey(caller: CallCaller): void {
    try {
      admitToken(caller, seconds(this.gateway.ports.clock))
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'key.address') throw error
    }
  }

  private async read(): Promise<void> {
    for await (const message of this.socket.conversation.messages) {
      this.active_at = this.gateway.ports.clock.now()
      await this.take(typeof message === 'string' ? Buffer.from(message) : message)
    }
  }

  /** Puts a request into its lane, or sends the error for which it cannot. */
  private async take(message: Uint8Array): Promise<void> {
    const { gateway, socket } = this
    const { caller } = socket
    const share = callByteBudget.share(caller.user.id, gateway.settings()['relay.max_body_megabytes'] * MIB)
    let lane: string | undefined
    try {
      share.take(message.length)
      if (this.ending) throw this.ending.why
      // The sender is checked before the message is parsed.
      const { caller: now } = await identifyCaller(gateway, socket.request, socket.peer)
      await gateway.admitBody(now, { bytes: message.length, packed: false, form: false })
      await waitForTurn(gateway, message)
      // The client may have closed the socket during the checks: then the request does not start.
      if (socket.conversation.ended()) return share.end()
      const read = readCreateMessage(message, (name) => (lane = name))
      this.enqueue({ ...read, lane: this.getLane(lane), share })
    } catch (error) {
      share.end()
      this.sendError(error, lane)
    }
  }

  /** @throws GatewayError socket.lanes */
  private getLane(name: string | undefined): Lane {
    const known = this.lanes.get(name ?? '')
    if (known) return known
    if (this.lanes.size === MOST_LANES) throw tooMany()
    const lane = { name, waiting: [], isBusy: false }
    this.lanes.set(name ?? '', lane)
    return lane
  }

  /** @throws GatewayError socket.lanes */
  private enqueue(request: QueuedRequest): void {
    const { lane } = request
    if (lane.isBusy ? this.waiting === MOST_WAITING : this.running === MOST_RUNNING) throw tooMany()
    lane.waiting.push(request)
    this.waiting += 1
    if (!lane.isBusy) void this.answerLane(lane)
  }

  /** Answers the waiting requests of a lane, one after another. Never rejects. */
  private async answerLane(lane: Lane): Promise<void> {
    lane.isBusy = true
    this.running += 1
    for (let next = lane.waiting.shift(); next; next = lane.waiting.shift()) {
      this.waiting -= 1
      await this.answer(next)
      next.share.end()
      this.active_at = this.gateway.ports.clock.now()
    }
    lane.isBusy = false
    this.running -= 1
    if (this.running === 0) this.whenQuiet?.()
    this.closeIfDone()
  }

  private closeIfDone(): void {
    if (this.ending && this.running === 0) this.socket.conversation.close(this.ending.code, this.ending.why.message)
  }

  /** Answers a request with one response, as one call. Never rejects. */
  private async answer({ lane, body, continues, generates }: QueuedRequest): Promise<void> {
    const { gateway, socket } = this
    const { request, conversation, answers } = socket
    const peer = { ...socket.peer, request_id: createRequestId() }
    const observer = createRequestObserver(gateway, request, peer, () => RESPONSES_PATH)?.traced(request)
    const reply = new SocketReply(conversation, lane.name)
    const hangUp = createAbortSource()
    const bytes = callByteBudget.share(socket.caller.user.id, gateway.settings()['relay.max_body_megabytes'] * MIB)
    let done: (() => void) | undefined
    let status = OK
    this.stops.add(hangUp)
    try {
      if (this.ending) throw this.ending.why
      const identified = await identifyCaller(gateway, request, peer)
      const { user, token } = identified.caller
      observer?.by(user.id, token?.id)
      done = relayCallBudget.take(user.id, gateway.settings()['relay.max_calls'])
      const own = {
        inbound: openaiResponses,
        body,
        signal: hangUp.signal,
        started_at: gateway.ports.clock.now(),
        bytes,
        memory: answers.lane(lane.name ?? ''),
        generates,
      }
      const call = buildRelayCall(request, own, identified, observer)
      await gateway.relay(call, reply)
      reply.close(peer)
    } catch (error) {
      const failure = toCallFailure(error)
      if (error instanceof GatewayError) gateway.metrics.refused(error.code)
      if (failure.status === 500 && failure.source === 'gateway') logRequestFailure(gateway, error, peer)
      status = failure.status
      observer?.refused(failure)
      reply.close(peer, failure)
    }
    if (reply.isFailed && continues !== undefined) answers.forget(continues)
    bytes.end()
    done?.()
    this.stops.delete(hangUp)
    const disconnected = hangUp.signal.aborted
    observer?.ended(disconnected ? CLIENT_CLOSED_REQUEST : status, disconnected)
  }

  private sendError(error: unknown, stream?: string): void {
    const { peer, conversation } = this.socket
    const failure = toCallFailure(error)
    if (error instanceof GatewayError) this.gateway.metrics.refused(error.code)
    void conversation.send(
      JSON.stringify(buildSocketError(failure, { ...peer, request_id: createRequestId() }, stream)),
    )
  }
}

const tooMany = () =>
  new GatewayError('socket.lanes', { lanes: MOST_LANES, running: MOST_RUNNING, waiting: MOST_WAITING })

// A `response.create` message of a WebSocket: the request that a `POST` would have, and the fields that only a socket has.

const MAX_LANE_NAME = 128

interface CreateMessage {
  /** The body that a `POST` would have. */
  body: Uint8Array
  /** Id of the response that it continues; undefined if none. */
  continues: string | undefined
  /** False if only an id is requested, without an answer. */
  generates: boolean
}

/** @throws GatewayError request.invalid */
function laneName({ stream_id }: JsonObject): string | undefined {
  if (stream_id === undefined || stream_id === null) return undefined
  const name = asText(stream_id)
  if (name === undefined || name === '' || name.length > MAX_LANE_NAME)
    throw invalid('stream_id', `stream_id must be a text of 1 to ${MAX_LANE_NAME} characters`)
  return name
}

/**
 * Parses a message of a client.
 * @param toLane receives the name of the lane as soon as it is known
 * @throws GatewayError request.unreadable, request.invalid
 */
function readCreateMessage(message: Uint8Array, toLane: (name: string | undefined) => void): CreateMessage {
  const request = parseRequestBody(message)
  toLane(laneName(request))
  if (request.type !== 'response.create') throw invalid('type', 'the type of a message must be response.create')
  if (request.background === true)
    throw invalid('background', 'a response over a WebSocket cannot be in the background')
  const changes = new Map([
    ...['type', 'stream_id', 'stream_options', 'background', 'generate'].flatMap((name) =>
      request[name] === undefined ? [] : [[name, null] as const],
    ),
    ['stream', toJsonBytes(true)] as const,
    ...(needsEncryptedReasoning(request)
      ? [['include', toJsonBytes([...(asList(request.include) ?? []), ENCRYPTED_REASONING])] as const]
      : []),
  ])
  return {
    body: changeTopMembers(message, changes),
    continues: asText(request.previous_response_id),
    generates: request.generate !== false,
  }
}

const ENCRYPTED_REASONING = 'reasoning.encrypted_content'

/** True if encrypted reasoning has to be requested: a response that is not stored can be continued only with it. */
const needsEncryptedReasoning = ({ store, reasoning, include }: JsonObject): boolean =>
  store === false && asObject(reasoning) !== undefined && asList(include)?.includes(ENCRYPTED_REASONING) !== true

const invalid = (param: string, reason: string) => new GatewayError('request.invalid', { param, reason })
