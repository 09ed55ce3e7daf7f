// The most that a call can come to, where its request bounds it: nobody who has more than that is refused.
import type { RequestHead, Usage } from '../dialects/dialect.ts'
import type { Operation } from '../dialects/format.ts'
import { charge } from '../pricing/charge.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { answersAsked, namesHostedTools } from './usage-bounds.ts'

/** What these answer costs nothing beside what was asked. */
const ANSWERS_FREE: ReadonlySet<Operation> = new Set(['embeddings', 'moderation', 'rerank'])

/**
 * Quota units; undefined where nothing bounds the answer: the caller named no largest one, or the provider's own tools
 * may add to it.
 */
export function greatestCost(
  { inbound, body, started_at }: Call,
  { max_tokens, prompt_estimate }: RequestHead,
  { price, group_ratio }: Admission,
  { QuotaPerUnit }: Settings,
): number | undefined {
  const longest = ANSWERS_FREE.has(inbound.operation) ? 0 : max_tokens
  if (longest === undefined || namesHostedTools(body)) return undefined
  const none = { input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, reasoning: 0 }
  const answer = { ...none, output: longest * answersAsked(body), source: 'estimated' } as const
  const costOf = (prompt: Partial<Usage>) =>
    charge(price, group_ratio, { ...answer, ...prompt }, QuotaPerUnit, started_at).quota
  return Math.max(costOf({ input: prompt_estimate }), costOf({ cache_write: prompt_estimate }))
}
