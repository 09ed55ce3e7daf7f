// A call's detail in its log row: what was used, and the way it took.
import type { Attempt, CallRecord } from '../calls/call-record.ts'
import type { CallDetail, TriedChannel } from '../calls/detail.ts'
import { getFailureMessage } from '../calls/failure-text.ts'
import { allTokens } from '../pricing/token-sums.ts'
import { soundDetail, usageDetail } from '../pricing/usage-detail.ts'

/**
 * Builds the detail of a call. The texts of price and charge lines are in `described-price.ts`, since many calls share
 * them.
 */
export function callDetail(record: CallRecord): CallDetail {
  const { usage, terms, cached, charge, session, models, failure, reported, attempts } = record
  const detail: CallDetail = usageDetail(usage, terms.price, cached, charge.tiers)
  if (session) {
    detail.ws = true
    // A turn always has its audio tokens, also if there are none.
    if (usage) Object.assign(detail, soundDetail(usage, terms.price))
    detail.session_before = { exact: session.before.exact.toFixed(), debited: session.before.debited }
  }
  detail.frt = record.first_content_ms ?? 0
  if (record.effort !== undefined) detail.reasoning_effort = record.effort
  if (models.sent !== models.served) {
    detail.is_model_mapped = true
    detail.upstream_model_name = models.sent
  }
  if (reported) {
    detail.usage_clamped = true
    detail.reported_tokens = allTokens(reported)
  }
  if (record.affinity) detail.affinity = true
  if (models.renamed) detail.asked_model = models.asked
  else if (models.asked !== models.served) detail.fallback_from = models.asked
  if (record.spent) detail.balance_spent = true
  if (record.unheard) detail.caller_left = true
  if (record.task_id !== undefined) detail.task_id = record.task_id
  if (record.status === 'cut_short') detail.cut_short = failure?.message ?? 'the caller hung up'
  if (failure) {
    detail.error_type = failure.type
    detail.error_code = failure.code
    detail.status_code = failure.status
  }
  detail.admin_info = {
    use_channel: attempts.map(({ channel_id }) => String(channel_id)),
    attempts: attempts.map((attempt, place) => triedChannel(record, attempt, attempts[place + 1])),
  }
  if (record.cost !== undefined) {
    detail.admin_info.cost = record.cost
    detail.admin_info.margin = charge.quota - record.cost
  }
  return detail
}

/** Maximum length of a stored provider error, in characters. */
const LONGEST_WHY = 300

/**
 * Builds an attempt for the row. Fields with their usual value are left out, since most calls have a single attempt.
 */
function triedChannel(record: CallRecord, attempt: Attempt, next: Attempt | undefined): TriedChannel {
  const { failure } = attempt
  const tried: TriedChannel = {
    channel: attempt.channel_id,
    model: attempt.model,
    at: attempt.began - record.started_at,
    ms: attempt.ms,
    result: attempt.result,
  }
  if (attempt.first_content_ms !== null) tried.first_ms = attempt.first_content_ms
  if (attempt.served !== record.models.served) tried.served = attempt.served
  if (attempt.key !== '') tried.key_index = attempt.key_index
  if (failure) {
    tried.status = failure.status
    tried.code = failure.code
    tried.why = getFailureMessage(failure, record.language).slice(0, LONGEST_WHY)
  }
  if (next) tried.next = getNextStep(attempt, next)
  return tried
}

function getNextStep(attempt: Attempt, next: Attempt): TriedChannel['next'] {
  if (next.served !== attempt.served) return 'model'
  return next.channel_id === attempt.channel_id ? 'key' : 'channel'
}
