// One open WebSocket of Responses: each `response.create` becomes an ordinary call. Requests of one lane are answered in order;
// several lanes are answered at the same time.
import type { IncomingMessage } from 'node:http'
import {
  admitToken,
  createAbortSource,
  toCallFailure,
  GatewayError,
  openaiResponses,
  seconds,
  type CallCaller,
  type Conversation,
  type Gateway,
} from '../core/index.ts'
import { callBytes, type BodyShare } from './body-budget.ts'
import { buildCall } from './build-call.ts'
import { relayCalls } from './call-budget.ts'
import { identify } from './key.ts'
import type { Peer } from './peer.ts'
import { HUNG_UP } from './refuse.ts'
import { RESPONSES } from './relay-paths.ts'
import { requestId } from './request-id.ts'
import { readCreateMessage, type CreateMessage } from './response-message.ts'
import type { LaneAnswers } from './socket-memory.ts'
import { socketError, SocketReply } from './socket-reply.ts'
import { CLIENT_CLOSED_REQUEST, createRequestObserver } from './witness.ts'

const MIB = 1024 * 1024
/** OpenAI's own bounds. */
const MOST_LANES = 32
const MOST_RUNNING = 16
/** Requests of all lanes that wait for their turn. */
const MOST_WAITING = 32

const GOING_AWAY = 1001
const REFUSED = 1008
const OK = 200

/** A request that waits for its turn, or is being answered. */
interface QueuedRequest extends CreateMessage {
  lane: Lane
  /** Its bytes in the budget of the caller. */
  share: BodyShare
}

interface Lane {
  /** Undefined for the one without a name. */
  name: string | undefined
  waiting: QueuedRequest[]
  isBusy: boolean
}

/** An upgraded request, and who has sent it. */
export interface OpenSocket {
  request: IncomingMessage
  peer: Peer
  caller: CallCaller
  conversation: Conversation
  answers: LaneAnswers
}

export class ResponseLanes {
  /** When it opened, and when something was last asked or answered. Unit: epoch ms. */
  readonly opened_at: number
  active_at: number
  private readonly gateway: Gateway
  private readonly socket: OpenSocket
  private readonly lanes = new Map<string, Lane>()
  private readonly stops = new Set<ReturnType<typeof createAbortSource>>()
  private waiting = 0
  private running = 0
  /** Why no further response begins, and how the socket is closed once those under way are over. */
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

  /** Takes requests until either side closes the socket; resolves when every response is over and charged. */
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
    for (const stop of this.stops) stop.now(HUNG_UP)
    for (const { waiting } of this.lanes.values()) for (const { share } of waiting.splice(0)) share.end()
    if (this.running > 0) await new Promise<void>((resolve) => (this.whenQuiet = resolve))
    answers.close()
  }

  /** No further response begins; the socket is closed once those under way are over, at once where there are none. */
  end(code: number, why: GatewayError): void {
    this.ending ??= { code, why }
    this.closeIfOver()
  }

  /** The server stops. */
  stop(): void {
    this.end(GOING_AWAY, new GatewayError('server.stopping'))
  }

  /** Nothing was asked for the longest idle time. */
  closeIdle(minutes: number): void {
    this.end(GOING_AWAY, new GatewayError('socket.old', { minutes }))
  }

  /** The longest time of a connection is over. */
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

  /** Puts a request into its lane, or sends the reason for which it cannot. */
  private async take(message: Uint8Array): Promise<void> {
    const { gateway, socket } = this
    const { caller } = socket
    const share = callBytes.share(caller.user.id, gateway.settings()['relay.max_body_megabytes'] * MIB)
    let lane: string | undefined
    try {
      share.take(message.length)
      if (this.ending) throw this.ending.why
      // Before it is parsed.
      const { caller: now } = await identify(gateway, socket.request, socket.peer)
      await gateway.admitBody(now, { bytes: message.length, packed: false, form: false })
      // Closed meanwhile: the request is answered to nobody, so it does not begin.
      if (socket.conversation.ended()) return share.end()
      const read = readCreateMessage(message, (name) => (lane = name))
      this.enqueue({ ...read, lane: this.laneOf(lane), share })
    } catch (error) {
      share.end()
      this.sendError(error, lane)
    }
  }

  /** @throws GatewayError socket.lanes */
  private laneOf(name: string | undefined): Lane {
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

  /** Answers what waits in a lane, one after another. Never rejects. */
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
    this.closeIfOver()
  }

  private closeIfOver(): void {
    if (this.ending && this.running === 0) this.socket.conversation.close(this.ending.code, this.ending.why.message)
  }

  /** One response, as one call. Never rejects. */
  private async answer({ lane, body, continues, generates }: QueuedRequest): Promise<void> {
    const { gateway, socket } = this
    const { request, conversation, answers } = socket
    const peer = { ...socket.peer, request_id: requestId() }
    const witness = createRequestObserver(gateway, request, peer, () => RESPONSES)?.traced(request)
    const reply = new SocketReply(conversation, lane.name)
    const hangUp = createAbortSource()
    const bytes = callBytes.share(socket.caller.user.id, gateway.settings()['relay.max_body_megabytes'] * MIB)
    let done: (() => void) | undefined
    let status = OK
    this.stops.add(hangUp)
    try {
      if (this.ending) throw this.ending.why
      const identified = await identify(gateway, request, peer)
      const { user, token } = identified.caller
      witness?.by(user.id, token?.id)
      done = relayCalls.take(user.id, gateway.settings()['relay.max_calls'])
      const own = {
        inbound: openaiResponses,
        body,
        signal: hangUp.signal,
        started_at: gateway.ports.clock.now(),
        bytes,
        memory: answers.lane(lane.name ?? ''),
        generates,
      }
      const call = buildCall(request, own, identified, witness)
      await gateway.relay(call, reply)
      reply.close(peer)
    } catch (error) {
      const failure = toCallFailure(error)
      if (error instanceof GatewayError) gateway.metrics.refused(error.code)
      if (failure.status === 500 && failure.source === 'gateway')
        gateway.ports.logger.error('relay failed', { request_id: peer.request_id, cause: error })
      status = failure.status
      witness?.refused(failure)
      reply.close(peer, failure)
    }
    if (reply.isFailed && continues !== undefined) answers.forget(continues)
    bytes.end()
    done?.()
    this.stops.delete(hangUp)
    const left = hangUp.signal.aborted
    witness?.ended(left ? CLIENT_CLOSED_REQUEST : status, left)
  }

  private sendError(error: unknown, stream?: string): void {
    const { peer, conversation } = this.socket
    const failure = toCallFailure(error)
    if (error instanceof GatewayError) this.gateway.metrics.refused(error.code)
    void conversation.send(JSON.stringify(socketError(failure, { ...peer, request_id: requestId() }, stream)))
  }
}

const tooMany = () =>
  new GatewayError('socket.lanes', { lanes: MOST_LANES, running: MOST_RUNNING, waiting: MOST_WAITING })
