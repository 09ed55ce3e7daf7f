// Forwards an answer to its client except for its end, which is sent once the call is settled: a client that has seen
// the end sees the new balance.
import type { CallRecord } from '../calls/call-record.ts'
import { getUpstreamModel, type RoutedChannel } from '../channels/routed-channel.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { SseFrame, OutputPiece } from '../dialects/answers/frames.ts'
import { encodeFrame, readEventFrame, closeFrame } from '../dialects/answers/frames.ts'
import { getRequestedModel, type RequestHead } from '../dialects/requests/head.ts'
import type { JsonObject } from '../dialects/json/json-value.ts'
import { findModelFamily, reasonsByDefault } from '../dialects/reasoning/model-fit.ts'
import { changeWholeFrames, createChangingWatcher } from '../dialects/answers/named-answer.ts'
import { MAX_REQUEST_OBJECTS, type ProviderObject } from '../dialects/requests/object-places.ts'
import { createItemInsertion, insertOutputItem } from '../dialects/openai-responses/insert-item.ts'
import { toReasoningBudget } from '../dialects/reasoning/reasoning.ts'
import type { StreamFinding, PassthroughWatcher } from '../dialects/answers/stream-watcher.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { CallCharge } from './answer-cost.ts'
import {
  addChargeToHead,
  addCostToBody,
  addCostToChunks,
  computeCostSoFar,
  isCostRequested,
  splitIntoLines,
  StreamBudget,
  UsageKeeper,
} from './answer-cost.ts'
import type { ProviderAnswer, StreamedAnswer, WholeAnswer } from './answers/answer.ts'
import { cancelProviderBody, readTrailingUsage } from './answers/answer.ts'
import { forEachRun, WholeWatcher } from './answers/read-body.ts'
import type { StoreAnswerEnd, ResponseChain } from './answers/stored-responses.ts'
import type { Call, Head } from './call.ts'
import type { DetachableReply } from './detachable-reply.ts'
import { AttemptError, buildErrorFrames } from './failure.ts'
import type { PaidCall } from './holds.ts'
import { estimateOutput, type OutputEstimate } from './measure.ts'
import type { ModelCandidate } from './model-candidates.ts'
import type { PlannedAttempt } from './retry-plan.ts'
import type { AnsweringChannel } from './route.ts'

// Adds the charged usage to answers whose provider reports none and whose format requires it.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes the charged usage into the end of an answer that was translated to another format.
 * @param end a whole answer, or the event that ends a stream; the same bytes are returned if nothing is missing
 */
export function addCountedUsage(
  end: Uint8Array,
  { inbound }: Pick<Call, 'inbound'>,
  { kind, same }: Pick<ProviderAnswer, 'kind' | 'same'>,
  { usage }: Pick<CallRecord, 'usage'>,
): Uint8Array {
  if (same || !inbound.withUsage || usage?.source !== 'estimated' || end.length === 0) return end
  if (kind === 'whole') return inbound.withUsage(end, usage)
  const frame = readEventFrame(end)
  if (!frame) return end
  return encodeFrame({ ...frame, data: decoder.decode(inbound.withUsage(encoder.encode(frame.data), usage)) })
}

// Answers to a summarized conversation: inserts the item of the summary as the first of the output.

export function withItemFirst(answer: ProviderAnswer, item: JsonObject): ProviderAnswer {
  if (answer.kind === 'whole') return { ...answer, body: insertOutputItem(answer.body, item) }
  const insert = createItemInsertion(item)
  const change = (piece: OutputPiece): OutputPiece[] =>
    piece instanceof Uint8Array ? [changeWholeFrames(piece, insert)] : insert(piece satisfies SseFrame)
  const pieces = answer.pieces.flatMap(change)
  const end = answer.end && answer.end.length > 0 ? { end: changeWholeFrames(answer.end, insert) } : {}
  return { ...answer, pieces, ...end, watcher: createChangingWatcher(answer.watcher, insert) }
}

export interface ForwardResult {
  /** The last usage report. */
  usage: Usage | undefined
  /** Set if the provider refused to answer or to continue. */
  blocked: CallFailure | undefined
  /** Objects in the answer that the provider stores. */
  objects: readonly ProviderObject[] | undefined
  /** True if the answer was cut because the balance was used up. */
  spent: boolean
  watcher: PassthroughWatcher
  /** Body of an answer that is not streamed. */
  body: Uint8Array | undefined
  /** The error that the answer broke off with. */
  error: unknown
  /** True if an event stream has started: a failure is sent inside it. */
  hasStarted: boolean
  /** Stores the answer, if Weir stores it. */
  keep: (() => Promise<void>) | undefined
  /** Sends the held-back end, or the failure. A whole answer is sent with its cost. */
  leave(record: CallCharge, failure?: CallFailure): void | Promise<void> | undefined
}

interface ForwardAnswerPorts {
  clock: Clock
  responseChain: Pick<ResponseChain, 'keep'>
}

/** The destination and the head of an answer. */
interface AnswerDestination {
  call: Call
  top: Head
  reply: DetachableReply
  keepEnd: StoreAnswerEnd | undefined
  /** True if the last usage contains the cost of the call. */
  addsCost: boolean
}

/** Never rejects for an error of provider or client: the result contains it. */
export async function forwardAnswer(
  { clock, responseChain }: ForwardAnswerPorts,
  work: PaidCall,
  { answer: given, step }: AnsweringChannel<ProviderAnswer>,
  reply: DetachableReply,
): Promise<ForwardResult> {
  const { call, requested } = work
  const answer = call.summed ? withItemFirst(given, call.summed.item) : given
  const { head, taken } = step
  const from = { channel_id: taken.channel.id, key: taken.key.fingerprint }
  const keepEnd = head.storesAnswer || call.memory ? responseChain.keep(call, head, answer, from) : undefined
  const addsCost = isCostRequested(call, work.settings)
  const to = { call, top: buildHead(answer, requested.model, head), reply, keepEnd, addsCost }
  return answer.kind === 'whole' ? forwardWhole(answer, to) : forwardStream(answer, to, clock, work, step)
}

/** Prepares a whole answer. It is charged before its first byte is sent. */
function forwardWhole(
  answer: WholeAnswer & ProviderAnswer,
  { call, top, reply, keepEnd, addsCost }: AnswerDestination,
): ForwardResult {
  const { body, usage, blocked, objects } = answer
  return {
    usage,
    blocked,
    objects,
    spent: false,
    watcher: new WholeWatcher(call.inbound, body),
    body,
    error: undefined,
    hasStarted: false,
    keep: keepEnd && (() => keepEnd(body)),
    leave(record) {
      const counted = addCountedUsage(body, call, answer, record)
      return reply.whole(addChargeToHead(top, record), [addsCost ? addCostToBody(counted, record) : counted])
    },
  }
}

/** Forwards a stream. One that has already ended is sent as a whole. */
async function forwardStream(
  answer: StreamedAnswer & ProviderAnswer,
  { call, top, reply, keepEnd, addsCost }: AnswerDestination,
  clock: Clock,
  { holds, bounded, settings }: PaidCall,
  step: PlannedAttempt,
): Promise<ForwardResult> {
  const { watcher, rest, behind, pieces } = answer
  let { usage, blocked, ended, end, failure, objects } = answer
  const atOnce = ended && !failure
  const estimateCost = (output: OutputEstimate) => computeCostSoFar(call, step, usage, output, settings)
  const allowance = bounded ? new StreamBudget(holds, estimateCost) : undefined
  const keeper = addsCost ? new UsageKeeper() : undefined
  let spent = false
  let error: unknown
  /** Forwards the pieces of one finding. Returns false at the end. */
  const forwardFinding = (seen: StreamFinding): boolean | Promise<boolean> => {
    if (seen.usage) usage = seen.usage
    if (seen.blocked) blocked = seen.blocked
    if (seen.objects) objects = addObjects(objects, seen.objects)
    ;({ ended, end, failure } = seen)
    if (watcher.finished()) reply.finish()
    const passing = keeper ? [...keeper.take(seen.pass)] : seen.pass
    const full = passing.length > 0 ? reply.write(passing) : undefined
    const go = () => !ended && !failure
    return full ? full.then(go) : go()
  }
  /** Forwards a run line by line as far as the balance allows, and then ends the answer like one that is too long. */
  const forwardPaid = async (run: Uint8Array, paid: StreamBudget): Promise<boolean> => {
    for (const line of splitIntoLines(run)) {
      if (!(await forwardFinding(watcher.look(line)))) return false
      if (!watcher.cut || (await paid.covers(estimateOutput(watcher)))) continue
      spent = true
      return forwardFinding(watcher.cut())
    }
    return true
  }
  if (watcher.finished()) reply.finish()
  try {
    // Inside the try block: a client that disconnects at the head must also release the provider.
    if (!atOnce) {
      reply.head(top)
      if (pieces.length > 0) await reply.write(pieces)
    }
    if (!ended && !failure)
      await forEachRun(rest, (run) => (allowance ? forwardPaid(run, allowance) : forwardFinding(watcher.look(run))))
    if (!ended && !failure) await forwardFinding(watcher.close())
    if (!failure && !watcher.answered()) fail('upstream.empty')
    if (!ended && !failure) fail('upstream.broken')
    if (!spent) usage = await readTrailingUsage(rest, usage, { in: (run) => watcher.look(run).usage, behind }, clock)
    if (failure) throw new AttemptError(failure)
    const last = watcher.close()
    usage = last.usage ?? usage
    end = last.end ?? end
    if (atOnce) pieces.push(...last.pass)
    else if (keeper) await reply.write([...keeper.take(last.pass)])
    else if (last.pass.length > 0) await reply.write(last.pass)
  } catch (thrown) {
    error = thrown
  } finally {
    cancelProviderBody(rest)
  }
  const hasBegun = answer.content_type === undefined
  const keep = keepEnd && error === undefined ? () => keepEnd(end) : undefined
  return {
    usage,
    blocked,
    objects,
    spent,
    watcher,
    body: undefined,
    error,
    hasStarted: hasBegun,
    keep,
    leave(record, failed) {
      const heldPieces = keeper ? keeper.rest() : []
      if (failed) return reply.write([...heldPieces, ...buildErrorFrames(call, failed, watcher)])
      const last = [
        ...(atOnce ? pieces : heldPieces),
        ...toFinalPieces(end && addCountedUsage(end, call, answer, record)),
      ]
      const leaving = addsCost ? addCostToChunks(last, record) : last
      if (atOnce) return reply.whole(addChargeToHead(top, record), leaving)
      return leaving.length > 0 ? reply.write(leaving) : undefined
    },
  }
}

/** Stores a bounded number of objects, so that memory does not grow with the stream. */
const addObjects = (
  before: readonly ProviderObject[] = [],
  more: readonly ProviderObject[],
): readonly ProviderObject[] => (before.length > MAX_REQUEST_OBJECTS ? before : [...before, ...more])

/** Completes the final event, even if its provider omitted the blank line. */
const toFinalPieces = (end: Uint8Array | undefined): OutputPiece[] => (end && end.length > 0 ? [closeFrame(end)] : [])

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/**
 * Builds the head of an answer: content type, the model if it is another one, and the fields that a translation
 * dropped.
 */
function buildHead(answer: ProviderAnswer, requested: string, head: RequestHead): Head {
  const { content_type = answer.kind === 'whole' ? 'application/json' : undefined, dropped } = answer
  const headers = content_type === undefined ? { ...streamHeaders } : { 'content-type': content_type }
  if (getRequestedModel(head) !== requested) {
    Object.assign(headers, { 'x-weir-model': toHeaderValue(head.model), 'x-weir-fallback': toHeaderValue(requested) })
  }
  if (dropped.length > 0) Object.assign(headers, { 'x-weir-dropped': dropped.join(', ').replace(/[^ -~]/g, '?') })
  return { status: 200, headers }
}

/** Percent-encodes a model name for a header value, which must be plain ASCII. */
const toHeaderValue = (text: string) => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent)

// Client disconnects: the upstream request is cancelled if all charged tokens have been seen, else the answer is read
// on until its usage report.

/** How long to keep reading after the client has disconnected, in ms. 0 cancels the upstream request at once. */
export function getDrainTimeMs(
  call: Call,
  { head, admission }: ModelCandidate,
  channel: RoutedChannel | undefined,
  settings: Settings,
): number {
  // No channel has been called yet.
  if (!channel) return 0
  const upstream_model = getUpstreamModel(channel, admission.listedName, head, settings)
  const rule = channel.settings.hang_up ?? settings['relay.hang_up']
  const drains = rule === 'auto' ? mayHaveUnseenCost(call, head, channel, upstream_model) : rule === 'finish'
  return drains ? settings['relay.hang_up_seconds'] * 1000 : 0
}

/** Returns true if the answer may cost more than its client has seen. */
function mayHaveUnseenCost({ inbound, body }: Call, head: RequestHead, channel: RoutedChannel, model: string): boolean {
  if (!head.stream || inbound.operation !== 'chat') return true
  if (channel.settings.bills_cut_streams === false) return false
  if (reasonsByDefault(model, head.model)) return true
  const text = new TextDecoder().decode(body)
  const { words } = inbound
  return words.mentionsReasoning(text) || words.requestsMediaOutput(text) || words.mentionsHostedTools(text)
}

/** Reasoning of an effort with an unknown budget. Unit: tokens. */
const DEFAULT_REASONING_TOKENS = 8192

/** Estimates the hidden reasoning of a model whose stream was cut and is billed. Unit: tokens. */
export function estimateHiddenReasoning(
  { inbound, body, place }: Call,
  { model }: RequestHead,
  channel: RoutedChannel | undefined,
  upstream_model: string = model,
): number {
  if (inbound.operation !== 'chat' || channel?.settings.bills_cut_streams === false) return 0
  const thinks = reasonsByDefault(upstream_model, model)
  if (!thinks && !inbound.words.mentionsReasoning(new TextDecoder().decode(body))) return 0
  const { reasoning_effort, reasoning_budget = -1 } = inbound.readModelRequest(body, place)
  if (reasoning_budget >= 0) return reasoning_budget
  const { effort } = findModelFamily(upstream_model, 'openai-responses', model)
  const effortName = reasoning_effort ?? (thinks ? (effort ?? 'medium') : 'none')
  return toReasoningBudget(effortName) ?? DEFAULT_REASONING_TOKENS
}
