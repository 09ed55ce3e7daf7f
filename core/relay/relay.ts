// Runs one call: admit, hold, route, forward, conclude, settle. Read this file first.
import type { CallSinkGroup } from '../calls/sinks.ts'
import type { SignatureOwnerMemory } from '../channels/affinity.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import type { WebClient } from '../ports/web.ts'
import type { CallLedger } from '../quota/ledger.ts'
import { openaiCompactionTrigger } from '../dialects/compaction/openai-compaction-trigger.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { fail } from '../errors.ts'
import type { RefusedCallLog } from '../logs/refusals.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Settings } from '../settings/index.ts'
import type { ChannelLookup } from './admission.ts'
import { createAttemptRunner } from './attempt.ts'
import type { BackgroundResponses } from './answers/background-responses.ts'
import type { ResponseChain, ResumedCall } from './answers/stored-responses.ts'
import { concludeCall, notifySinks } from './conclude.ts'
import { type ActiveCallCounter, type ActiveReplies, DetachableReply } from './detachable-reply.ts'
import { forwardAnswer, getDrainTimeMs } from './forward-answer.ts'
import { FallbackChain } from './model-candidates.ts'
import { RetryPlan, type RetryPlanPorts } from './retry-plan.ts'
import type { WordCheck } from './word-check.ts'
import type { Call, Reply } from './call.ts'
import { compactBeforeCall } from './compaction/compact-first.ts'
import type { OwnedCompactions } from './compaction/owned-compactions.ts'
import { createFetchFile } from './fetch-file.ts'
import type { FilePorts } from './files.ts'
import { answerEmptyRequest } from './count-hold.ts'
import { reportRefusedCall } from './failure.ts'
import { type AdmittedHolds, holdForCall, settleCall } from './holds.ts'
import { buildObjectRows, type CallWithObjects, placeObjectCall } from './objects/call-objects.ts'
import type { ObjectOwners } from './objects/object-owners.ts'
import { routeCall, type RoutePorts } from './route.ts'

export interface RelayPorts extends RetryPlanPorts, RoutePorts, Omit<FilePorts, 'fetchFile'> {
  web: WebClient
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
  random: Random
  makers?: SignatureOwnerMemory
  ledger: CallLedger
  channels: ChannelLookup
  checkWords: WordCheck
  responseChain: ResponseChain
  compactions: OwnedCompactions
  owners: Pick<ObjectOwners, 'admit'>
  logger: Logger
  /** Without it, usage that no provider reports is estimated. */
  tokenizer?: Tokenizer
  /** Answers that are read on after a client disconnect. */
  background: ActiveReplies
  activeCalls: Pick<ActiveCallCounter, 'begin'>
  /** Sinks that receive finished calls. */
  sinks: Pick<CallSinkGroup, 'enqueue'>
  /** Receives calls that are refused before a provider is called. */
  refusals: Pick<RefusedCallLog, 'note'>
  settings(): Settings
}

/** A call whose quota is held. */
interface TakenCall extends AdmittedHolds, Pick<CallWithObjects, 'turn' | 'at' | 'foreign'> {
  call: Call
  /** The caller's own request. */
  requested: RequestHead
  models: FallbackChain
}

/**
 * Answers one call into `reply`. A failure before the head is thrown (AttemptError or GatewayError), a later one is
 * written as an error frame of the caller's dialect. Every path settles or releases the holds.
 */
export type RelayCall = (call: Call, reply: Reply) => Promise<void>

/** Sets the format of the answer: a conversation that ends in a compaction trigger is answered by one item. */
const toCallInFormat = ({ call, head }: ResumedCall): Call =>
  head.compacts && call.inbound === openaiResponses ? { ...call, inbound: openaiCompactionTrigger } : call

/** @param deferred creates background answers; without it they are refused */
export function createRelay(ports: RelayPorts, deferred?: BackgroundResponses): RelayCall {
  const attemptPorts = { ...ports, fetchFile: createFetchFile(ports.web) }
  return async function relay(given, clientReply) {
    const settings = ports.settings()
    const taken = await takeCall(given, clientReply, settings, relay)
    if (!taken) return
    const { call, requested, models, turn, at, foreign, holds, bounded } = taken
    const plan = new RetryPlan(ports, call, turn, holds, settings, at || turn.head.compaction ? undefined : models)
    const reply = new DetachableReply(call.signal, clientReply, ports.clock, ports.background, () =>
      getDrainTimeMs(call, plan.turn, plan.channel, settings),
    )
    const endCall = ports.activeCalls.begin(requested.stream ? 'stream' : 'whole')
    try {
      reply.admitted(requested.stream, holds.first.id)
      await call.deferred?.onStarted(holds.first.id, turn.head.model)

      // Route and forward.
      const work = { call, requested, holds, bounded, provider: reply.provider, settings }
      const routed = await routeCall(ports, plan, call, createAttemptRunner(attemptPorts, work))
      const forwarded = routed.answering && (await forwardAnswer(ports, work, routed.answering, reply))

      // Conclude and settle.
      const { record, error, streamedFailure } = await concludeCall(ports, work, routed, forwarded)
      const objects = buildObjectRows(call, routed, forwarded, foreign, record.ended_at)
      if (call.deferred) {
        // The answer is stored first, so that it can be found as soon as it is charged.
        await forwarded?.keep?.()
        const isKept = forwarded?.keep !== undefined
        await settleCall(ports.ledger, holds, record, settings, {
          objects,
          inTransaction: call.deferred.ended(record, isKept),
        })
      } else {
        const settled = settleCall(ports.ledger, holds, record, settings, { objects })
        await (forwarded?.keep ? Promise.all([settled, forwarded.keep()]) : settled)
      }
      notifySinks(ports, call, record)

      // Send the held-back end.
      if (error !== undefined && !streamedFailure) throw error
      await forwarded?.leave(record, streamedFailure)
    } catch (error) {
      // Any error: releases the holds that are not charged by now.
      await holds.releaseAll()
      throw error
    } finally {
      reply.over()
      endCall()
      call.bytes?.end()
    }
  }

  /** Reads, admits and holds; a refusal is reported. Resolves to undefined if the call is answered in another way. */
  async function takeCall(
    given: Call,
    clientReply: Reply,
    settings: Settings,
    relay: RelayCall,
  ): Promise<TakenCall | undefined> {
    let read: RequestHead | undefined
    let isReported = false
    const reported = () => (isReported = true)
    try {
      ports.background.mayBegin()

      // Read and admit.
      read = given.inbound.readRequestHead(given.body, given.place)
      if (given.generates === false) return void (await answerEmptyRequest(ports, given, clientReply))
      if (read.deferred) {
        if (!deferred) fail('response.not_deferred')
        return void (await deferred.begin(observeReports(given, reported), clientReply, relay))
      }
      const resuming = ports.responseChain.resume(given, read)
      const resumed = resuming instanceof Promise ? await resuming : resuming
      const { head } = resumed
      const call = toCallInFormat(resumed)
      const requested = head.storesAnswer || head.compacts || call.summed ? completeHead(call, head, settings) : head
      const models = new FallbackChain(call, requested, ports.channels, settings)
      const first = models.first()
      const placing = placeObjectCall(
        ports.owners,
        { call, head: first.head },
        ports.responseChain.place(resumed, first, settings),
        settings,
      )
      const { turn, at, foreign } = placing instanceof Promise ? await placing : placing
      ports.checkWords(call, settings)
      if (head.compacts_above !== undefined) {
        const compacted = await compactBeforeCall(ports, observeReports(call, reported), turn, relay)
        if (compacted) return void (await relay(compacted, clientReply))
      }

      // Hold.
      const { holds, bounded } = await holdForCall(ports.ledger, call, turn, settings)
      return { call, requested, models, turn, at, foreign, holds, bounded }
    } catch (error) {
      if (!isReported) reportRefusedCall(ports.refusals, given, read, error)
      throw error
    }
  }

  /** Adds to the head what Weir itself adds to the answer. */
  function completeHead(call: Call, head: RequestHead, settings: Settings): RequestHead {
    return {
      ...head,
      ...(head.storesAnswer ? { kept_as: call.deferred?.id ?? ports.responseChain.nameFor(call, settings) } : {}),
      ...(head.compacts ? { encrypt: (text) => ports.compactions.encrypt(text, call.caller) } : {}),
      ...(call.summed ? { repeated: call.summed.repeated } : {}),
    }
  }
}

/** Calls `reported` once another run of the relay has recorded or refused the call. */
const observeReports = (call: Call, reported: () => void): Call => ({
  ...call,
  onFinished(record) {
    reported()
    call.onFinished?.(record)
  },
  refused(refused) {
    reported()
    call.refused?.(refused)
  },
})
