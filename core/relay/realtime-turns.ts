// The turns of a realtime session: a hold and a settlement for each, and one exact running total over all of them.
import type { CallFailure, RequestHead, Usage } from '../dialects/dialect.ts'
import { GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { findPrice } from '../pricing/price.ts'
import { debitOfTurn, nothingYet } from '../pricing/session.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import { Books, type InSession } from './books.ts'
import type { Call, Outcome } from './call.ts'
import type { RealtimeMeter } from './realtime-meter.ts'
import { reserve, reserveDone } from './reserve.ts'
import { Allowance, expectedCost, firstStep } from './strict-hold.ts'

export interface Turns {
  /** What is known of the session so far; every turn is logged with it. */
  course: Outcome
  /** Holds for the turn to come. @throws GatewayError what refuses a call */
  reserve(): Promise<void>
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

interface Turn {
  hold: Hold
  books: Books
  /** Of one that could not be held for in full. */
  allowance?: Allowance
}

interface Ports {
  ledger: CallLedger
  clock: Clock
  settings(): Settings
}

interface Opened {
  call: Call
  head: RequestHead
  admission: Admission
  meter: RealtimeMeter
}

export function createTurns(ports: Ports, { call, head, admission, meter }: Opened): Turns {
  const { ledger, clock } = ports
  const { user, token } = call.caller
  const who = { user, token, group: admission.group }
  const course: Outcome = { status: 'failed', channel_id: 0, tried: [], usage: null, first_content_ms: null, ws: true }
  const begun = new Map<string, Turn>()
  let next: Turn | undefined
  let total = nothingYet

  const session: InSession = {
    debit(charge) {
      const before = total
      const turn = debitOfTurn(before, charge)
      total = turn.total
      return { debit: turn.debit, before }
    },
    bytes: meter.bytes,
  }

  function turnOf(hold: Hold): Turn {
    const started = { ...call, started_at: clock.now() }
    return {
      hold,
      books: new Books(ports, { call: started, head, admission, hold, settings: ports.settings(), session }),
    }
  }

  async function reserved(): Promise<Turn> {
    const settings = ports.settings()
    const now = { ...call, started_at: clock.now() }
    const estimated = expectedCost(now, head, admission, settings)
    const first = () => (settings.StrictHold ? firstStep(now, head, admission, settings) : undefined)
    const hold = await reserve(ledger, who, estimated, { prompt: head.prompt_estimate, answer: 0 }, settings, first)
    const turn = turnOf(hold)
    const isWhole = !settings.StrictHold || hold.amount >= estimated.quota
    return isWhole ? turn : { ...turn, allowance: new Allowance(ledger, call, turn.books, hold.amount) }
  }

  /** The turn that is held for, else one for what is done already. */
  async function taken(): Promise<Turn> {
    const turn = next ?? turnOf(await reserveDone(ledger, who))
    next = undefined
    return turn
  }

  async function close({ hold, books }: Turn, came: Pick<Outcome, 'status' | 'usage' | 'failure'>): Promise<void> {
    if (!came.usage && !came.failure) return ledger.release(hold)
    Object.assign(books.outcome, course, came)
    await books.close()
  }

  return {
    course,
    async reserve() {
      next ??= await reserved()
    },
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
      const counted = meter.take()
      const usage = reported ?? counted
      await close(turn, { usage, status: usage && !failure ? 'complete' : 'failed', failure })
    },
    async transcribed(usage) {
      const model = meter.transcriber()
      const settings = ports.settings()
      const price = model === undefined ? null : findPrice(model, settings, settings.SelfUseModeEnabled)
      const turn = await taken()
      if (model !== undefined && price) {
        turn.books.serve({ head: { ...head, model }, admission: { ...admission, price } })
      }
      await close(turn, { usage, status: 'complete' })
    },
    async end(failure) {
      const open = [...begun.values(), ...(next ? [next] : [])]
      begun.clear()
      next = undefined
      const [first, ...others] = open
      if (first) await close(first, { usage: meter.take(), status: 'failed', failure })
      await Promise.all(others.map(({ hold }) => ledger.release(hold)))
    },
  }
}
