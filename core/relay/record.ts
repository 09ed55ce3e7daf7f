// What came of a call, as the row that people read in the usage log.
import type { Usage } from '../dialects/dialect.ts'
import { LOG_TYPE, type NewLogEntry } from '../logs/log.ts'
import { durationTokens, type Charge } from '../pricing/charge.ts'
import type { Admission } from './admission.ts'
import type { CallCaller, Outcome } from './call.ts'
import { callDetail, priceDetail, sessionDetail, usageDetail } from './log-detail.ts'

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
    token_id: caller.token?.id ?? 0,
    token_name: caller.token?.name ?? `playground-${admission.group}`,
    channel: outcome.channel_id,
    group: admission.group,
    model_name: recorded.model,
    use_time: Math.round((now - started_at) / 1000),
    is_stream: recorded.is_stream,
    prompt_tokens: usage ? promptTokens(usage) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: charge.quota,
    content: content(recorded),
    other: joinedJson(
      priceDetail(admission),
      JSON.stringify({
        ...usageDetail(usage, admission.price),
        ...(outcome.ws ? sessionDetail(usage, admission.price) : {}),
        ...callDetail(outcome),
        lines: charge.lines,
      }),
    ),
    request_id: caller.request_id,
  }
}

/** Two JSON objects as one; neither is empty. */
const joinedJson = (first: string, second: string): string => `${first.slice(0, -1)},${second.slice(1)}`

/** The size of what was asked, in the unit it is charged by: tokens, characters, seconds of audio, or pictures. */
function promptTokens(usage: Usage): number {
  const tokens = usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h
  if (tokens > 0 || usage.output > 0) return tokens
  return usage.characters || durationTokens(usage.seconds ?? 0) || (usage.images?.n ?? 0)
}

function content({ admission, outcome, charge }: Recorded): string {
  const { price, group_ratio } = admission
  const said = outcome.failure ? `${outcome.failure.message}; ` : ''
  if (outcome.status === 'failed') return outcome.failure?.message ?? ''
  if (!charge.billable) return `${said}no usage was reported and nothing was delivered`
  return price.kind === 'per_call'
    ? `${said}model price ${price.model_price}, group ratio ${group_ratio}`
    : `${said}model ratio ${price.model_ratio}, completion ratio ${price.completion_ratio}, group ratio ${group_ratio}`
}
