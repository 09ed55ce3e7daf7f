// The detail of a log row (its `other`, JSON), under the names that log readers know (billing reference, section 11.3):
// one schema for who writes it and for all who read it. Rows may be old, or written by nobody we know: what cannot be
// read of a member is left out, and never fails the row.
import { z } from 'zod'
import { ExplainedLine } from '../quota/charge-lines.ts'

const number = z.number().optional().catch(undefined)
const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const word = z.union([z.string(), z.number()])

/** What only administrators may see. */
const AdminInfo = z.looseObject({
  /** Ids of the channels tried, in order. */
  use_channel: z.array(word).optional().catch(undefined),
  /** What the provider takes for it, and what is left of the charge; in quota units. */
  cost: number,
  margin: number,
})

/** Counters of usage beyond these stand under the log keys of their components (`pricing/usage-detail.ts`). */
export const CallDetail = z.looseObject({
  model_ratio: number,
  /** USD; -1: not priced by the call. */
  model_price: number,
  completion_ratio: number,
  group_ratio: number,
  user_group_ratio: number,
  quota_per_unit: number,
  price_version: text,
  cache_tokens: number,
  cache_ratio: number,
  cache_creation_tokens: number,
  cache_creation_ratio: number,
  reasoning_tokens: number,
  reasoning_effort: text,
  /** What is cached is counted beside the prompt. */
  claude: flag,
  /** It was a turn of a session over a WebSocket; what the turns before it came to. */
  ws: flag,
  session_before: z.object({ exact: z.string(), debited: z.number() }).optional().catch(undefined),
  estimated: flag,
  estimated_by: text,
  /** Ms to the first content; 0 where none came. */
  frt: number,
  is_model_mapped: flag,
  upstream_model_name: text,
  /** The model asked for, where another one answered in its place. */
  fallback_from: text,
  /** It went where the prompt's beginning was cached. */
  affinity: flag,
  /** The provider reported more than the call can have used: what it reported, in tokens. */
  usage_clamped: flag,
  reported_tokens: number,
  /** Why the answer broke off. */
  cut_short: text,
  /** It ended where the balance did. */
  balance_spent: flag,
  /** Its caller left, and it was read on for its usage. */
  caller_left: flag,
  error_type: text,
  error_code: z.union([word, z.null()]).optional().catch(undefined),
  status_code: number,
  /** How the charge came about. */
  lines: z.array(ExplainedLine).optional().catch(undefined),
  admin_info: AdminInfo.optional().catch(undefined),
})
export type CallDetail = z.infer<typeof CallDetail>

/** A row's `other`; empty where it cannot be read. */
export function detailOf(other: string): CallDetail {
  try {
    const parsed = CallDetail.safeParse(JSON.parse(other || '{}'))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

/** The call had a price of its own, whatever was used. */
export const isFixedPrice = ({ model_price }: CallDetail): boolean => model_price !== undefined && model_price !== -1

/** Ids of the channels that a call was tried on, in order; of rows that do not say so, the row's own channel. */
export const channelsTried = ({ admin_info }: CallDetail, channel: number): number[] =>
  admin_info?.use_channel?.map(Number) ?? (channel > 0 ? [channel] : [])
