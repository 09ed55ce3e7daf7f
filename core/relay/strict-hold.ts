// What a call holds before it runs. The stricter hold covers the whole expected answer; who has less than that begins with
// a step of it, and streams as far as the balance goes (allowance.ts).
import type { RequestHead } from '../dialects/head.ts'
import { estimate, expectedCharge, type Estimate, type Expected } from '../pricing/estimate.ts'
import type { Settings } from '../settings/index.ts'
import { isPaidByTeam } from '../tokens/token.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { costOfGreatest } from './greatest-cost.ts'
import { getMaxUsage } from './greatest-usage.ts'

/** A stream that cannot be held for in full is held for in steps of so much. Unit: tokens. */
export const HOLD_STEP_TOKENS = 256

/** What is to be held for a call. @throws GatewayError quota.overflow */
export function estimateHold(call: Call, head: RequestHead, admission: Admission, settings: Settings): Estimate {
  const plain = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
  if (plain.free) return plain
  if (isPaidByTeam(call.caller.token))
    return { quota: Math.max(plain.quota, costOfGreatest(call, head, admission, settings)), free: false }
  if (!settings.StrictHold) return plain
  const whole = expectedCostOf(call, admission, settings, getMaxUsage(call, head, admission))
  return { quota: Math.max(plain.quota, whole), free: false }
}

/** What a stream begins with that cannot be held for in full. */
export function getFirstHoldStep(call: Call, head: RequestHead, admission: Admission, settings: Settings): number {
  const whole = getMaxUsage(call, head, admission)
  const output = Math.min(whole.output, HOLD_STEP_TOKENS)
  return expectedCostOf(call, admission, settings, {
    ...whole,
    output,
    ...(whole.audio_out ? { audio_out: output } : {}),
  })
}

export const expectedCostOf = (
  { started_at }: Call,
  { price, group_ratio }: Admission,
  { QuotaPerUnit }: Settings,
  usage: Expected,
) => expectedCharge(price, group_ratio, usage, QuotaPerUnit, started_at)
