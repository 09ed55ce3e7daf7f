// The most that a call can come to, where its request bounds it: nobody who has more than that is refused.
import type { RequestHead } from '../dialects/head.ts'
import { expectedCharge, type Expected } from '../pricing/estimate.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { isPaidByTeam } from '../tokens/token.ts'
import { getMaxUsage, greatestUsageWithThinking } from './greatest-usage.ts'

/**
 * Quota units; undefined where nothing bounds the answer: the caller named no largest one, or the provider's own tools
 * may add to it.
 */
export function getMaxCost(
  call: Call,
  head: RequestHead,
  admission: Admission,
  settings: Settings,
): number | undefined {
  const isChat = call.inbound.operation === 'chat'
  if (isChat && head.max_tokens === undefined) return undefined
  if (isChat && call.inbound.words.namesHostedTools(new TextDecoder().decode(call.body))) return undefined
  return costOfGreatest(call, head, admission, settings)
}

/**
 * Quota units that a call holds which is paid by a team: all that it can come to with its longest answer, thinking included, so
 * that the team owes nothing behind it.
 */
export function costOfGreatest(
  call: Call,
  head: RequestHead,
  admission: Admission,
  { QuotaPerUnit }: Settings,
): number {
  const { price, group_ratio } = admission
  const costOf = (usage: Expected) => expectedCharge(price, group_ratio, usage, QuotaPerUnit, call.started_at)
  const usage = (isPaidByTeam(call.caller.token) ? greatestUsageWithThinking : getMaxUsage)(call, head, admission)
  if (call.inbound.operation !== 'chat') return costOf(usage)
  // A prompt may be written to a cache, which costs more.
  return Math.max(costOf(usage), costOf({ ...usage, input: 0, cache_write: usage.input }))
}
