// The turns of a realtime session: each has its own hold and settlement, and all share one exact running total.
import type { CallSinkGroup } from '../../calls/sinks.ts'
import type { CallFailure } from '../../dialects/answers/call-failure.ts'
import { getRequestedModel } from '../../dialects/requests/head.ts'
import { asList, asText, getMember, type JsonObject } from '../../dialects/json/json-value.ts'
import { parseSessionSettings, getEventTexts } from '../../dialects/openai-realtime.ts'
import { buildKnownUsage } from '../../dialects/passing.ts'
import { countBase64Bytes } from '../../dialects/media/sound.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { GatewayError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { countSoundTokens } from '../../pricing/media-tokens.ts'
import { createEmptyTotal } from '../../pricing/session.ts'
import type { CallLedger } from '../../quota/ledger.ts'
import type { Settings } from '../../settings/index.ts'
import { type ChannelLookup, findFurtherModel } from '../admission.ts'
import type { Call } from '../call.ts'
import { type CallOutcome, notifySinks, recordCall, type RecordInput, type SessionTotals } from '../conclude.ts'
import type { ActiveCallCounter } from '../detachable-reply.ts'
import { computeCostSoFar, StreamBudget } from '../answer-cost.ts'
import { type AdmittedHolds, CallHolds, createZeroHold, holdForCall, settleCall } from '../holds.ts'
import type { OutputEstimate } from '../measure.ts'
import { type ModelCandidate as ModelTurn, toCanonicalCandidate } from '../model-candidates.ts'

export interface RealtimeTurns {
  /** Holds quota for the next turn. A rate limit is checked only when that turn begins. @throws GatewayError */
  ready(): Promise<void>
  /** Begins the turn of a response. @throws GatewayError if the balance is too low */
  begin(id: string): Promise<void>
  /** Checks the balance against the output so far. @throws GatewayError if the balance is used up */
  onOutput(id: string): Promise<void>
  /** Charges a finished response by its report, or by Weir's own count. */
  finish(id: string, reported: Usage | undefined, failure?: CallFailure): Promise<void>
  /** Charges the transcription of the caller's audio at the price of its model. */
  transcribed(usage: Usage): Promise<void>
  /** Ends the session: counts output without a report, and releases all other holds. */
  end(failure?: CallFailure): Promise<void>
}

/** A turn with its holds. */
interface RealtimeTurn {
  call: Call
  holds: CallHolds
  /** Set if the balance did not cover the whole turn. */
  allowance?: StreamBudget
}

interface TurnsPorts {
  ledger: CallLedger
  channels: ChannelLookup
  clock: Clock
  sinks: Pick<CallSinkGroup, 'enqueue'>
  activeCalls: Pick<ActiveCallCounter, 'begin'>
  settings(): Settings
}

interface SessionFacts {
  call: Call
  /** The session's model, and its admission. */
  turn: ModelTurn
  /** The holds of the first turn. */
  held: AdmittedHolds
  /** The route of the session, which is logged with every turn. */
  routed: RecordInput['routed']
  meter: RealtimeMeter
}

export function createRealtimeTurns(
  ports: TurnsPorts,
  { call, turn: model, held, routed, meter }: SessionFacts,
): RealtimeTurns {
  const { ledger, clock } = ports
  const { head, admission } = model
  const openTurns = new Map<string, RealtimeTurn>()
  const endCall = ports.activeCalls.begin('session')
  let total = createEmptyTotal
  let next: RealtimeTurn | undefined = buildTurn(call, held)

  const session: SessionTotals = {
    bytes: meter.bytes,
    total: () => total,
    keep: (after) => void (total = after),
  }

  function buildTurn(started: Call, { holds, bounded }: AdmittedHolds): RealtimeTurn {
    const settings = ports.settings()
    if (!bounded) return { call: started, holds }
    const estimateCost = (output: Parameters<typeof computeCostSoFar>[3]) =>
      computeCostSoFar(started, model, undefined, output, settings)
    return { call: started, holds, allowance: new StreamBudget(holds, estimateCost) }
  }

  const now = (): Call => ({ ...call, started_at: clock.now() })

  async function reserveTurn(): Promise<RealtimeTurn> {
    const started = now()
    return buildTurn(started, await holdForCall(ledger, started, model, ports.settings()))
  }

  /** Returns the held turn, or one for work that is already done. */
  async function takeTurn(): Promise<RealtimeTurn> {
    const turn = next ?? {
      call: now(),
      holds: new CallHolds(
        ledger,
        call.caller,
        await createZeroHold(ledger, call.caller),
        ports.settings().ReportTimeZone,
      ),
    }
    next = undefined
    return turn
  }

  async function close(
    { call: started, holds }: RealtimeTurn,
    outcome: CallOutcome,
    { requested, way }: { requested: RecordInput['requested']; way: RecordInput['routed'] } = {
      requested: { ...head, model: getRequestedModel(head) },
      way: routed,
    },
  ): Promise<void> {
    if (!outcome.usage && !outcome.failure) return holds.releaseAll()
    const settings = ports.settings()
    const recordInput = { call: started, requested, id: holds.first.id, routed: way, settings, session }
    const record = await recordCall(ports, recordInput, outcome)
    await settleCall(ledger, holds, record, settings)
    notifySinks(ports, call, record)
  }

  return {
    async ready() {
      try {
        next ??= await reserveTurn()
      } catch (error) {
        if (!(error instanceof GatewayError && error.kind === 'limited')) throw error
      }
    },
    async begin(id) {
      const turn = next ?? (await reserveTurn())
      next = undefined
      openTurns.set(id, turn)
    },
    async onOutput(id) {
      const allowance = openTurns.get(id)?.allowance
      if (allowance && !(await allowance.covers(meter.answer()))) throw allowance.refusal
    },
    async finish(id, reported, failure) {
      const turn = openTurns.get(id) ?? (await takeTurn())
      openTurns.delete(id)
      const usage = meter.take() ?? undefined
      const charged = reported ?? usage
      await close(turn, { usage: charged, status: charged && !failure ? 'complete' : 'failed', failure })
    },
    async transcribed(usage) {
      const transcriber = meter.transcriber()
      const settings = ports.settings()
      const further =
        transcriber === undefined
          ? undefined
          : findFurtherModel(transcriber, call.caller, admission, { settings, channels: ports.channels })
      const turn = await takeTurn()
      if (transcriber === undefined || !further?.price) return close(turn, { usage, status: 'complete' })
      const { model: name, price } = further
      const requested = { ...head, model: transcriber, requestedModel: undefined }
      const way = { ...routed, turn: toCanonicalCandidate(requested, { ...admission, model: name, price }) }
      await close(turn, { usage, status: 'complete' }, { requested, way })
    },
    async end(failure) {
      endCall()
      const open = [...openTurns.values(), ...(next ? [next] : [])]
      openTurns.clear()
      next = undefined
      const [first, ...others] = open
      if (first) await close(first, { usage: meter.take() ?? undefined, status: 'failed', failure })
      await Promise.all(others.map(({ holds }) => holds.releaseAll()))
    },
  }
}

// Counts the traffic of a realtime session. The count bounds the provider's reports, and replaces missing ones.

type Event = JsonObject & { type: string }

export interface RealtimeMeter {
  /** Counts a message of either side. */
  countBytes(bytes: number): void
  /** Counts an event of the caller. */
  countClientEvent(event: Event): void
  countProviderEvent(event: Event): void
  /** Total bytes since the start. */
  bytes(): number
  /** The model that transcribes the caller's audio, as the session is configured. */
  transcriber(): string | undefined
  /** Output since the last `take`. Unit: tokens. */
  answer(): OutputEstimate
  /** Returns the usage since the last `take`, and resets the count. null if there was no output. */
  take(): Usage | null
}

/** Approximate bytes of text per token. */
const BYTES_PER_TOKEN = 4
/** Audio format until the session sets one. */
const FORMAT = 'pcm16'

const toTokens = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)

/** All four in bytes. */
const createCounts = () => ({ text_in: 0, audio_in: 0, text_out: 0, audio_out: 0 })

export function createRealtimeMeter(): RealtimeMeter {
  let count = createCounts()
  let all = 0
  let session: ReturnType<typeof parseSessionSettings> = {}
  const answer = () => {
    const audio_out = countSoundTokens(session.output ?? FORMAT, count.audio_out, 'output')
    return { output: toTokens(count.text_out) + audio_out, audio_out }
  }

  return {
    countBytes: (bytes) => void (all += bytes),
    bytes: () => all,
    transcriber: () => session.transcriber,
    countClientEvent(event) {
      if (event.type === 'input_audio_buffer.append') count.audio_in += countBase64Bytes(event.audio)
      for (const part of asList(getMember(event.item, 'content')) ?? []) {
        count.audio_in += countBase64Bytes(getMember(part, 'audio'))
      }
      for (const text of getEventTexts(event)) count.text_in += text.length
    },
    countProviderEvent(event) {
      if (event.type.startsWith('session.')) session = { ...session, ...parseSessionSettings(event) }
      const delta =
        event.type.startsWith('response.') && event.type.endsWith('.delta') ? asText(event.delta) : undefined
      if (delta === undefined) return
      if (event.type.endsWith('audio.delta')) count.audio_out += countBase64Bytes(delta)
      else count.text_out += delta.length
    },
    answer,
    take() {
      const { text_in, audio_in, text_out, audio_out } = count
      const answered = answer()
      count = createCounts()
      if (text_out + audio_out === 0) return null
      const inputAudio = countSoundTokens(session.input ?? FORMAT, audio_in, 'input')
      return buildKnownUsage({
        input: toTokens(text_in) + inputAudio,
        audio_in: inputAudio,
        ...answered,
        source: 'estimated',
      })
    },
  }
}
