// The counts of a finished call for the usage statistics, the same at its end and when it is read back from the log.
import type { CallRecord } from '../calls/call-record.ts'
import { parseCallDetail } from '../calls/detail.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../calls/log-entry.ts'
import type { ErrorCode } from '../errors.ts'
import { parseRefusal, toCountedRefusal, type CountedRefusal } from '../logs/refusal-rows.ts'
import { countPromptTokens } from '../pricing/token-sums.ts'
import { getChargedPromptSize } from '../pricing/usage-detail.ts'

/**
 * Why a call gave nothing: the provider's key or account, a limit, the provider, time, the network, an answer that could
 * not be read, the request itself, or its caller left; or Weir refused it (`no_price`: its model has no price).
 * `cut_short` gave something, which was charged, and broke off.
 */
export const CALL_ERROR_KINDS = [
  ...(['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request', 'left'] as const),
  ...(['refused', 'no_price'] as const),
  'cut_short',
] as const
export type CallError = (typeof CALL_ERROR_KINDS)[number]

export interface CallForUsage {
  /** Its end, in epoch seconds. */
  at: number
  user_id: number
  /** 0 for a call without a token. */
  token_id: number
  /** The one that answered, or was tried last; 0 for none. */
  channel_id: number
  group: string
  /** The served and priced model. */
  model_name: string
  error: CallError | undefined
  /** As in the log row of the call. */
  prompt_tokens: number
  cached_tokens: number
  output_tokens: number
  /** Written to a cache. */
  written_tokens: number
  /** Those of them, and of the cached ones, that the prompt's own count has not. */
  beside_tokens: number
  /** In quota units; an unknown cost counts as 0. */
  quota: number
  cost: number
  /** From its start to the end of its last attempt. */
  ms: number
  /** Time until the first content of a stream; 0 if there was none. */
  first_ms: number
}

/** A later refund or charge of a call, counted at its time for the account that was charged. */
export type CallChargeCorrection = Pick<
  CallForUsage,
  'at' | 'user_id' | 'token_id' | 'channel_id' | 'group' | 'model_name' | 'quota'
>

/** Refused calls of one row of the log. */
export type CountedRefusalRow = Omit<CallChargeCorrection, 'quota'> & { error: CallError; calls: number }

/** Converts a call that has just ended. It is written out member by member, because every call makes one. */
export function toCountedCall(record: CallRecord): CallForUsage {
  const { payer, usage, cached, status, failure, started_at } = record
  const last = record.attempts.at(-1)
  return {
    at: Math.floor(record.ended_at / 1000),
    user_id: payer.user_id,
    token_id: payer.token_id,
    channel_id: last ? last.channel_id : 0,
    group: record.terms.group,
    model_name: record.models.served,
    error: status === 'complete' ? undefined : getErrorKind(status, failure?.status, failure?.code),
    prompt_tokens: usage ? getChargedPromptSize(usage, cached) : 0,
    cached_tokens: usage ? usage.cache_read : 0,
    output_tokens: usage ? usage.output : 0,
    written_tokens: usage ? usage.cache_write + usage.cache_write_1h : 0,
    beside_tokens: usage && cached === 'beside' ? countPromptTokens(usage) - usage.input : 0,
    quota: record.charge.quota,
    cost: record.cost ?? 0,
    ms: last ? last.began - started_at + last.ms : 0,
    first_ms: record.stream ? (record.first_content_ms ?? 0) : 0,
  }
}

/** Reads the same from the log row of a call; undefined for a row that no call made. Older rows have whole seconds only. */
export function parseCountedRow(row: LogEntry): CallForUsage | undefined {
  const failed = row.type === LOG_ROW_TYPE.error
  if (!failed && row.type !== LOG_ROW_TYPE.consumption) return undefined
  const detail = parseCallDetail(row.other)
  if (detail.refused) return undefined
  const { attempts, cost = 0 } = detail.admin_info ?? {}
  const { cache_tokens: cached = 0, cache_creation_tokens: written = 0 } = detail
  const last = attempts?.at(-1)
  const status = failed ? 'failed' : detail.cut_short === undefined ? 'complete' : 'cut_short'
  return {
    at: row.created_at,
    user_id: row.user_id,
    token_id: row.token_id,
    channel_id: row.channel,
    group: row.group,
    model_name: row.model_name,
    error: status === 'complete' ? undefined : getErrorKind(status, detail.status_code, detail.error_code),
    prompt_tokens: row.prompt_tokens,
    cached_tokens: cached,
    output_tokens: row.completion_tokens,
    written_tokens: written,
    beside_tokens: detail.claude ? cached + written : 0,
    quota: row.quota,
    cost,
    ms: last ? last.at + last.ms : attempts ? 0 : row.use_time * 1000,
    first_ms: row.is_stream ? (detail.frt ?? 0) : 0,
  }
}

/** Parses the log row of such a correction; undefined for other rows. */
export function parseCorrectionRow(row: LogEntry): CallChargeCorrection | undefined {
  if (row.type !== LOG_ROW_TYPE.system || row.model_name === '' || row.quota === 0) return undefined
  const { created_at: at, user_id, token_id, channel: channel_id, group, model_name, quota } = row
  return { at, user_id, token_id, channel_id, group, model_name, quota: -quota }
}

/** Counts refused calls by the row of the log that they share. */
export const countRefusedCalls = ({ at, user_id, token_id, group, model_name, reason, calls }: CountedRefusal) =>
  ({
    at,
    user_id,
    token_id,
    channel_id: 0,
    group,
    model_name,
    error: NO_PRICE.has(reason) ? 'no_price' : 'refused',
    calls,
  }) satisfies CountedRefusalRow

/** Parses a row of refused calls; undefined for other rows. */
export function parseRefusedRow(row: LogEntry): CountedRefusalRow | undefined {
  const refused = parseRefusal(row)
  return refused && countRefusedCalls(toCountedRefusal({ row, refused, added: refused.calls }))
}

const NO_PRICE: ReadonlySet<string> = new Set<ErrorCode>(['model.no_price', 'model.no_price_root'])

const CODES: Readonly<Record<string, CallError>> = {
  upstream_timeout: 'timeout',
  do_request_failed: 'network',
  bad_response: 'answer',
  bad_response_body: 'answer',
}
const STATUSES: Readonly<Record<number, CallError>> = {
  401: 'key',
  402: 'key',
  403: 'key',
  408: 'timeout',
  429: 'limit',
  499: 'left',
  504: 'timeout',
}

function getErrorKind(status: 'failed' | 'cut_short', http = 0, code: string | number | null = null): CallError {
  if (status === 'cut_short') return 'cut_short'
  return CODES[String(code)] ?? STATUSES[http] ?? (http >= 400 && http < 500 ? 'request' : 'server')
}
