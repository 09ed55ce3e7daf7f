// What came of a call, as the row that people read in the usage log.
import type { Usage } from '../dialects/dialect.ts'
import { LOG_TYPE, type NewLogEntry } from '../logs/log.ts'
import { durationTokens, type Charge } from '../pricing/charge.ts'
import type { Admission } from './admission.ts'
import type { CallCaller, Outcome } from './call.ts'
import { addCall, addSession, describedPrice, usageDetail } from './log-detail.ts'

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
  const { usage } = outcome
  const described = describedPrice(admission)
  const detail = usageDetail(usage, admission.price)
  if (outcome.ws) addSession(detail, usage, admission.price)
  addCall(detail, outcome)
  detail.lines = charge.lines
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
    content: content(outcome, charge, described.words),
    other: joinedJson(described.json, JSON.stringify(detail)),
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

function content({ status, failure }: Outcome, charge: Charge, priced: string): string {
  if (status === 'failed') return failure?.message ?? ''
  const said = charge.billable ? priced : 'no usage was reported and nothing was delivered'
  return failure ? `${failure.message}; ${said}` : said
}
