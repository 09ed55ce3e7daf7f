// The schema of a log row's detail (its `other`, JSON), for writers and readers, under the names that log readers know
// (docs/billing.md, 11.3). Rows may be old or written by other programs: an unreadable member is left out, and never
// fails the row.
import { z } from 'zod'
import { buildOnce } from '../memoize.ts'
import { getExplainedLine } from '../pricing/charge-lines.ts'

/** Why the try after one was the way it was: another key of the same channel, another channel, or another model. */
export const TRIED_NEXT = ['key', 'channel', 'model'] as const

/** The schemas, built when a detail is first read: a command that lists rows shows none. */
export const getDetailSchemas = buildOnce(() => {
  const number = z.number().optional().catch(undefined)
  const text = z.string().optional().catch(undefined)
  const flag = z.boolean().optional().catch(undefined)
  const word = z.union([z.string(), z.number()])

  /** One try of a call on one channel. Times in ms. */
  const ChannelTry = z.object({
    /** Id of the channel. */
    channel: z.number(),
    /** The model of the attempt, if it is not the row's. */
    served: text,
    /** The provider's name of the model. */
    model: z.string(),
    /** The place of its key among several of the channel, from 0. */
    key_index: number,
    /** After the call's start; of a later turn of a session below 0, for its line is older. */
    at: z.number(),
    /** How long it took: to the end of its answer, or until it failed. */
    ms: z.number(),
    /** To its first content. */
    first_ms: number,
    result: z.enum(['answered', 'failed', 'abandoned']),
    /** Why it failed. */
    status: number,
    code: z.union([word, z.null()]).optional().catch(undefined),
    why: text,
    /** The next step after the failure. */
    next: z.enum(TRIED_NEXT).optional().catch(undefined),
  })

  /** The members that only administrators may see. */
  const AdminInfo = z.looseObject({
    /** Ids of the channels tried, in order. */
    use_channel: z.array(word).optional().catch(undefined),
    /** The same with their times and what came of each; rows of earlier versions have none. */
    attempts: z.array(ChannelTry).optional().catch(undefined),
    /** The provider's price and the margin of the charge; in quota units. */
    cost: number,
    margin: number,
  })

  /** Refused calls that share a row. */
  const RefusedCallDetail = z.object({
    /** Code of the error. */
    reason: z.string(),
    /** Number of the calls. */
    calls: z.number(),
    /** Number of those that had another model or reason, since their token had too many rows in that minute. */
    joined: z.number(),
    /** Request ids of the first calls, in their order. */
    request_ids: z.array(z.string()),
  })

  /** A price tier's factors, by what they apply to. */
  const TierRatio = z.record(z.string(), z.number())

  /** Calls of a provider's tools, each at USD per 1000. */
  const ToolCalls = z.array(z.object({ name: z.string(), calls: z.number(), price: z.number() }))

  /**
   * Every member that a row may have, but those named for a tool: `web_search: true`, `web_search_call_count` and
   * `web_search_price`, and so on for each.
   */
  const CallDetail = z.looseObject({
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
    cache_creation_tokens_5m: number,
    cache_creation_tokens_1h: number,
    cache_creation_ratio: number,
    cache_creation_ratio_5m: number,
    cache_creation_ratio_1h: number,
    reasoning_tokens: number,
    /** Sound: what of prompt and answer was sound, what was text, and at which ratios. */
    audio: flag,
    audio_input: number,
    audio_output: number,
    text_input: number,
    text_output: number,
    audio_ratio: number,
    audio_completion_ratio: number,
    /** The misspelling is part of the format. true if audio input has a separate price, in USD per 1M tokens. */
    audio_input_seperate_price: flag,
    audio_input_token_count: number,
    audio_input_price: number,
    /** Duration of audio or video that is sold by time. Unit: seconds. */
    audio_seconds: number,
    video_seconds: number,
    /** Drawings and pieces of music. */
    tasks: number,
    characters: number,
    /** Pictures, in tokens or by the piece; USD for one of them. */
    image: flag,
    image_ratio: number,
    image_input: number,
    image_output: number,
    image_count: number,
    image_size: text,
    image_quality: text,
    image_price: number,
    tool_calls: number,
    tools: ToolCalls.optional().catch(undefined),
    service_tier: text,
    /** The price tiers that applied. */
    price_tier: text,
    tier_ratio: TierRatio.optional().catch(undefined),
    reasoning_effort: text,
    /** true if cached tokens are counted in addition to the prompt. */
    claude: flag,
    /** true for a turn of a session over a WebSocket; `session_before` has the sums of the turns before it. */
    ws: flag,
    session_before: z.object({ exact: z.string(), debited: z.number() }).optional().catch(undefined),
    estimated: flag,
    estimated_by: text,
    /** Ms to the first content; 0 if there was none. */
    frt: number,
    /** Ms to the end of the answer; the row itself has whole seconds. */
    total_ms: number,
    is_model_mapped: flag,
    upstream_model_name: text,
    /** The requested name, if channels list the model under another one, which is the row's. */
    asked_model: text,
    /** The requested model, if a fallback answered. */
    fallback_from: text,
    /** True if it was routed to the channel that has the prompt cached. */
    affinity: flag,
    /** The provider reported more than the call can have used: what it reported, in tokens. */
    usage_clamped: flag,
    reported_tokens: number,
    /** Why the answer broke off. */
    cut_short: text,
    /** True if the answer ended because the balance was used up. */
    balance_spent: flag,
    /** Its caller left, and it was read on for its usage. */
    caller_left: flag,
    /** It counted the tokens of a prompt, free of charge. */
    count: flag,
    /** The drawing, song or film that came of it, as its caller knows it. */
    task_id: text,
    error_type: text,
    error_code: z.union([word, z.null()]).optional().catch(undefined),
    status_code: number,
    /** Set for calls that were refused before a provider was called. */
    refused: RefusedCallDetail.optional().catch(undefined),
    /** How the charge came about. */
    lines: z.array(getExplainedLine()).optional().catch(undefined),
    admin_info: AdminInfo.optional().catch(undefined),
  })

  return { ChannelTry, RefusedCallDetail, CallDetail }
})
type DetailSchemas = ReturnType<typeof getDetailSchemas>
export type ChannelTry = z.infer<DetailSchemas['ChannelTry']>
export type RefusedCallDetail = z.infer<DetailSchemas['RefusedCallDetail']>
export type CallDetail = z.infer<DetailSchemas['CallDetail']>

/** A row's `other`; empty where it cannot be read. */
export function parseCallDetail(other: string): CallDetail {
  try {
    const parsed = getDetailSchemas().CallDetail.safeParse(JSON.parse(other || '{}'))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

/** Returns true if the call had a fixed price, whatever its usage. */
export const isFixedPrice = ({ model_price }: CallDetail): boolean => model_price !== undefined && model_price !== -1

/** Returns the ids of the attempted channels, in order; for rows without them, the row's channel. */
export const listTriedChannels = ({ admin_info }: CallDetail, channel: number): number[] =>
  admin_info?.use_channel?.map(Number) ?? (channel > 0 ? [channel] : [])
