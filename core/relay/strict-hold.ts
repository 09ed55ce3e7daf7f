// What a call holds before it runs. The stricter hold covers the whole expected answer; who has less than that streams as
// far as the balance goes.
import type { Usage } from '../dialects/usage.ts'
import type { RequestHead } from '../dialects/head.ts'
import { knownUsage } from '../dialects/passing.ts'
import { estimate, expectedCharge, type Estimate, type Expected } from '../pricing/estimate.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { greatestUsage } from './greatest-usage.ts'
import type { Turn } from './models.ts'
import type { Said } from './said.ts'

/** A stream that cannot be held for in full is held for in steps of so much. Unit: tokens. */
export const STEP = 256

const LF = 10

/** What is to be held for a call. @throws GatewayError quota.overflow */
export function expectedCost(call: Call, head: RequestHead, admission: Admission, settings: Settings): Estimate {
  const plain = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
  if (!settings.StrictHold || plain.free) return plain
  const whole = costOf(call, admission, settings, greatestUsage(call, head, admission))
  return { quota: Math.max(plain.quota, whole), free: false }
}

/** What a stream begins with that cannot be held for in full. */
export function firstStep(call: Call, head: RequestHead, admission: Admission, settings: Settings): number {
  const whole = greatestUsage(call, head, admission)
  const output = Math.min(whole.output, STEP)
  return costOf(call, admission, settings, { ...whole, output, ...(whole.audio_out ? { audio_out: output } : {}) })
}

const costOf = ({ started_at }: Call, { price, group_ratio }: Admission, { QuotaPerUnit }: Settings, usage: Expected) =>
  expectedCharge(price, group_ratio, usage, QuotaPerUnit, started_at)

/** What an answer comes to that has said so much, in quota units; `usage` is what was reported so far. */
export function costSoFar(
  call: Call,
  { head, admission }: Turn,
  usage: Usage | undefined,
  said: Said,
  settings: Settings,
) {
  const input = Math.max(usage?.input ?? 0, head.prompt_estimate)
  return costOf(call, admission, settings, knownUsage({ ...usage, input, ...said, source: 'estimated' }))
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
