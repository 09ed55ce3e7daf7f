// The turns of a realtime session: a hold and a settlement for each, and one exact running total over all of them.
import type { CallSinks } from '../../calls/sinks.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import type { Usage } from '../../dialects/usage.ts'
import { askedModel } from '../../dialects/head.ts'
import { GatewayError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { nothingYet } from '../../pricing/session.ts'
import type { CallLedger } from '../../quota/ledger.ts'
import type { Settings } from '../../settings/index.ts'
import { findFurtherModel, type ChannelLookup } from '../admission.ts'
import type { Call } from '../call.ts'
import { notifySinks } from '../hear.ts'
import { recordCall, type CallOutcome, type RecordInput, type SessionTotals } from '../record.ts'
import { CallHolds, holdForCall, type AdmittedHolds } from '../holds.ts'
import { toTurn, type ModelCandidate as ModelTurn } from '../models.ts'
import type { RealtimeMeter } from './meter.ts'
import { createZeroHold } from '../reserve.ts'
import { settle } from '../settle.ts'
import type { ActiveCallCounter } from '../underway.ts'
import { StreamBudget, costSoFar } from '../allowance.ts'

export interface RealtimeTurns {
  /** The same behind a turn; a limit on how often is left to the beginning of the next. @throws GatewayError */
  ready(): Promise<void>
  /** A response has begun. @throws GatewayError where it cannot be paid */
  begin(id: string): Promise<void>
  /** More of it was said. @throws GatewayError where the balance is used up */
  said(id: string): Promise<void>
  /** A response is over: charged by its report, or by our own count. */
  finish(id: string, reported: Usage | undefined, failure?: CallFailure): Promise<void>
  /** What the caller said was written down, at the price of the model that did it. */
  transcribed(usage: Usage): Promise<void>
  /** The session is over: what was answered and not reported is counted, every other hold let go. */
  end(failure?: CallFailure): Promise<void>
}

/** A turn that is paid for. */
interface Turn {
  call: Call
  holds: CallHolds
  /** Of one that could not be held for in full. */
  allowance?: StreamBudget
}

interface Ports {
  ledger: CallLedger
  channels: ChannelLookup
  clock: Clock
  sinks: Pick<CallSinks, 'hear'>
  underway: Pick<ActiveCallCounter, 'begin'>
  settings(): Settings
}

interface Opened {
  call: Call
  /** The session's model, and what it was admitted with. */
  turn: ModelTurn
  /** What the first turn holds. */
  held: AdmittedHolds
  /** Which way the session went: every turn is logged with it. */
  routed: RecordInput['routed']
  meter: RealtimeMeter
}

export function createRealtimeTurns(ports: Ports, { call, turn: model, held, routed, meter }: Opened): RealtimeTurns {
  const { ledger, clock } = ports
  const { head, admission } = model
  const begun = new Map<string, Turn>()
  const over = ports.underway.begin('session')
  let total = nothingYet
  let next: Turn | undefined = turnOf(call, held)

  const session: SessionTotals = {
    bytes: meter.bytes,
    total: () => total,
    keep: (after) => void (total = after),
  }

  function turnOf(started: Call, { holds, bounded }: AdmittedHolds): Turn {
    const settings = ports.settings()
    if (!bounded) return { call: started, holds }
    const costOf = (said: Parameters<typeof costSoFar>[3]) => costSoFar(started, model, undefined, said, settings)
    return { call: started, holds, allowance: new StreamBudget(holds, costOf) }
  }

  const now = (): Call => ({ ...call, started_at: clock.now() })

  async function reserved(): Promise<Turn> {
    const started = now()
    return turnOf(started, await holdForCall(ledger, started, model, ports.settings()))
  }

  /** The turn that is held for, else one for what is done already. */
  async function taken(): Promise<Turn> {
    const turn = next ?? {
      call: now(),
      holds: new CallHolds(ledger, call.caller, await createZeroHold(ledger, call.caller)),
    }
    next = undefined
    return turn
  }

  async function close(
    { call: started, holds }: Turn,
    came: CallOutcome,
    { asked, way }: { asked: RecordInput['asked']; way: RecordInput['routed'] } = {
      asked: { ...head, model: askedModel(head) },
      way: routed,
    },
  ): Promise<void> {
    if (!came.usage && !came.failure) return holds.letGo()
    const settings = ports.settings()
    const over = { call: started, asked, id: holds.first.id, routed: way, settings, session }
    const record = await recordCall(ports, over, came)
    await settle(ledger, holds, record, settings)
    notifySinks(ports, call, record)
  }

  return {
    async ready() {
      try {
        next ??= await reserved()
      } catch (error) {
        if (!(error instanceof GatewayError && error.kind === 'limited')) throw error
      }
    },
    async begin(id) {
      const turn = next ?? (await reserved())
      next = undefined
      begun.set(id, turn)
    },
    async said(id) {
      const allowance = begun.get(id)?.allowance
      if (allowance && !(await allowance.covers(meter.answer()))) throw allowance.refusal
    },
    async finish(id, reported, failure) {
      const turn = begun.get(id) ?? (await taken())
      begun.delete(id)
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
      const turn = await taken()
      if (transcriber === undefined || !further?.price) return close(turn, { usage, status: 'complete' })
      const { model: name, price } = further
      const asked = { ...head, model: transcriber, asked: undefined }
      const way = { ...routed, turn: toTurn(asked, { ...admission, model: name, price }) }
      await close(turn, { usage, status: 'complete' }, { asked, way })
    },
    async end(failure) {
      over()
      const open = [...begun.values(), ...(next ? [next] : [])]
      begun.clear()
      next = undefined
      const [first, ...others] = open
      if (first) await close(first, { usage: meter.take() ?? undefined, status: 'failed', failure })
      await Promise.all(others.map(({ holds }) => holds.letGo()))
    },
  }
}
