// What came of a call, as the row that people read in the usage log.
import type { Usage } from '../dialects/dialect.ts'
import { LOG_TYPE, type NewLogEntry } from '../logs/log.ts'
import type { Charge } from '../pricing/charge.ts'
import type { Admission } from './admission.ts'
import type { CallCaller, Outcome } from './call.ts'

interface Recorded {
  caller: CallCaller
  model: string
  is_stream: boolean
  admission: Admission
  outcome: Outcome
  charge: Charge
  /** Epoch ms. */
  started_at: number
  now: number
}

/** The log row of a finished call: consumption, or an error when nothing was delivered. */
export function logEntry(recorded: Recorded): NewLogEntry {
  const { caller, admission, outcome, charge, started_at, now } = recorded
  const usage = outcome.usage
  return {
    type: outcome.status === 'failed' ? LOG_TYPE.error : LOG_TYPE.consumption,
    created_at: Math.floor(now / 1000),
    user_id: caller.user.id,
    username: caller.user.username,
    token_id: caller.token.id,
    token_name: caller.token.name,
    channel: outcome.channel_id,
    group: admission.group,
    model_name: recorded.model,
    use_time: Math.round((now - started_at) / 1000),
    is_stream: recorded.is_stream,
    prompt_tokens: usage ? promptTokens(usage) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: charge.quota,
    content: content(recorded),
    other: JSON.stringify({
      ...priceDetail(admission),
      ...usageDetail(usage),
      ...callDetail(outcome),
      lines: charge.lines,
    }),
    request_id: caller.request_id,
  }
}

const promptTokens = (usage: Usage) => usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h

function content({ admission, outcome, charge }: Recorded): string {
  const { price, group_ratio } = admission
  const said = outcome.failure ? `${outcome.failure.message}; ` : ''
  if (outcome.status === 'failed') return outcome.failure?.message ?? ''
  if (!charge.billable) return `${said}no usage was reported and nothing was delivered`
  return price.kind === 'per_call'
    ? `${said}model price ${price.model_price}, group ratio ${group_ratio}`
    : `${said}model ratio ${price.model_ratio}, completion ratio ${price.completion_ratio}, group ratio ${group_ratio}`
}

function priceDetail({ price, group_ratio }: Admission) {
  return price.kind === 'per_call'
    ? { model_price: price.model_price, model_ratio: 0, completion_ratio: 0, cache_ratio: 0, group_ratio }
    : {
        model_price: -1,
        model_ratio: price.model_ratio,
        completion_ratio: price.completion_ratio,
        cache_ratio: price.cache_ratio,
        group_ratio,
        cache_creation_ratio: price.create_cache_ratio,
      }
}

function usageDetail(usage: Usage | null) {
  if (!usage) return { cache_tokens: 0 }
  const written = usage.cache_write + usage.cache_write_1h
  return {
    cache_tokens: usage.cache_read,
    ...(written > 0 ? { cache_creation_tokens: written } : {}),
    ...(usage.reasoning > 0 ? { reasoning_tokens: usage.reasoning } : {}),
    ...(usage.source === 'estimated' ? { estimated: true } : {}),
  }
}

function callDetail(outcome: Outcome) {
  const { failure, upstream_model } = outcome
  return {
    frt: outcome.first_content_ms ?? 0,
    ...(upstream_model === undefined ? {} : { is_model_mapped: true, upstream_model_name: upstream_model }),
    ...(outcome.status === 'cut_short' ? { cut_short: failure?.message ?? 'the caller hung up' } : {}),
    ...(failure ? { error_type: failure.type, error_code: failure.code, status_code: failure.status } : {}),
    admin_info: { use_channel: outcome.tried.map(String) },
  }
}
