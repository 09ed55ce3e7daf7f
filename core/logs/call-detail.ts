// A call's detail in its log row: what was used, and the way it took.
import type { CallRecord } from '../calls/call-record.ts'
import type { CallDetail } from '../calls/detail.ts'
import { allTokens } from '../pricing/token-sums.ts'
import { soundDetail, usageDetail } from '../pricing/usage-detail.ts'

/** What the price and the lines of the charge say stands apart (`described-price.ts`): it is the same for many calls. */
export function callDetail(record: CallRecord): CallDetail {
  const { usage, terms, cached, charge, session, models, failure, reported, attempts } = record
  const detail: CallDetail = usageDetail(usage, terms.price, cached, charge.tiers)
  if (session) {
    detail.ws = true
    // Of a turn its sound is told also where there was none.
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
  if (models.asked !== models.served) detail.fallback_from = models.asked
  if (record.spent) detail.balance_spent = true
  if (record.unheard) detail.caller_left = true
  if (record.status === 'cut_short') detail.cut_short = failure?.message ?? 'the caller hung up'
  if (failure) {
    detail.error_type = failure.type
    detail.error_code = failure.code
    detail.status_code = failure.status
  }
  const channels = attempts.map(({ channel_id }) => String(channel_id))
  const bought = record.cost === undefined ? {} : { cost: record.cost, margin: charge.quota - record.cost }
  detail.admin_info = { use_channel: channels, ...bought }
  return detail
}
