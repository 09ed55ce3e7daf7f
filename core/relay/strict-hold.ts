// What a call holds before it runs. The stricter hold covers the whole expected answer; who has less than that streams as
// far as the balance goes.
import { GatewayError } from '../errors.ts'
import type { RequestHead } from '../dialects/dialect.ts'
import { knownUsage } from '../dialects/passing.ts'
import { factsOf } from '../models/model-facts.ts'
import { charge } from '../pricing/charge.ts'
import { estimate, type Estimate } from '../pricing/estimate.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Books } from './books.ts'
import type { Call } from './call.ts'
import { reserveMore } from './reserve.ts'

/** An answer of a model whose longest nobody has told. Unit: tokens. */
const LONGEST_UNKNOWN = 16_384
/** A stream that cannot be held for in full is held for in steps of so much. Unit: tokens. */
const STEP = 256

const LF = 10

/** What is to be held for a call. @throws GatewayError quota.overflow */
export function expectedCost(call: Call, head: RequestHead, admission: Admission, settings: Settings): Estimate {
  const plain = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
  if (!settings.StrictHold || plain.free || call.inbound.operation !== 'chat') return plain
  const longest = factsOf(admission.listed)?.output || LONGEST_UNKNOWN
  const output = Math.min(head.max_tokens ?? longest, longest) * (head.answers ?? 1)
  return { quota: Math.max(plain.quota, costOf(call, head, admission, settings, output)), free: false }
}

/** What a stream begins with that cannot be held for in full. */
export const firstStep = (call: Call, head: RequestHead, admission: Admission, settings: Settings): number =>
  costOf(call, head, admission, settings, STEP)

/** The prompt and so many tokens of an answer. */
function costOf(
  call: Call,
  head: RequestHead,
  admission: Admission,
  { QuotaPerUnit }: Settings,
  output: number,
): number {
  const usage = knownUsage({ input: head.prompt_estimate, output, source: 'estimated' })
  return charge(admission.price, admission.group_ratio, usage, QuotaPerUnit, call.started_at).quota
}

/** What a stream may cost that is held for in steps. */
export class Allowance {
  private tokens = STEP
  private readonly ledger: CallLedger
  private readonly call: Call
  private readonly books: Books
  private held: number

  constructor(ledger: CallLedger, call: Call, books: Books, held: number) {
    this.ledger = ledger
    this.call = call
    this.books = books
    this.held = held
  }

  /** May a stream that has said so many tokens go on? */
  covers(tokens: number): boolean | Promise<boolean> {
    return tokens < this.tokens || this.grow(tokens)
  }

  private async grow(tokens: number): Promise<boolean> {
    try {
      const more = await reserveMore(this.ledger, this.call.caller, this.books.costOf(tokens + STEP), this.held)
      this.books.hold(more)
      this.held += more.amount
      this.tokens = tokens + STEP
      return true
    } catch (error) {
      if (error instanceof GatewayError) return false
      throw error
    }
  }
}

/** The lines of a run, each with its end: no two events are in one. */
export function* linesOf(run: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < run.length;) {
    const end = run.indexOf(LF, from)
    const to = end < 0 ? run.length : end + 1
    yield run.subarray(from, to)
    from = to
  }
}
