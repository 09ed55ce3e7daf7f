// What came of a call, as the row that people read in the usage log.
import type { Usage } from '../dialects/dialect.ts'
import type { Language } from '../errors.ts'
import { languageFor, logText } from '../logs/event-texts.ts'
import { LOG_TYPE, type NewLogEntry } from '../logs/log.ts'
import type { Charge } from '../pricing/charge.ts'
import { durationTokens } from '../pricing/components.ts'
import type { RunningTotal } from '../pricing/session.ts'
import { usageDetail } from '../pricing/usage-detail.ts'
import type { Admission } from './admission.ts'
import type { CallCaller, Outcome } from './call.ts'
import { messageIn } from './failure.ts'
import { addCall, addSession, describedPrice } from './log-detail.ts'

interface Recorded {
  caller: CallCaller
  model: string
  is_stream: boolean
  admission: Admission
  outcome: Outcome
  charge: Charge
  quota_per_unit: number
  hold_id: string
  /** What the turns before this one came to, where it is a turn of a session. */
  before?: RunningTotal
  /** Epoch ms. */
  started_at: number
  now: number
}

/** The log row of a finished call: consumption, or an error when nothing was delivered. */
export function logEntry(recorded: Recorded): NewLogEntry {
  const { caller, admission, outcome, charge, quota_per_unit, started_at, now } = recorded
  const { usage, cached } = outcome
  const { price, group_ratio, special_ratio } = admission
  const described = describedPrice({ price, group_ratio, special_ratio, quota_per_unit }, usage?.images)
  const detail = usageDetail(usage, price, cached, charge.tiers)
  if (outcome.ws) addSession(detail, usage, price, recorded.before)
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
    prompt_tokens: usage ? promptTokens(usage, cached) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: charge.quota,
    content: content(outcome, charge, described.words, languageOf(caller)),
    other: joinedJson(described.json, JSON.stringify(detail)),
    request_id: caller.request_id,
    hold_id: recorded.hold_id,
  }
}

/** Two JSON objects as one; neither is empty. */
const joinedJson = (first: string, second: string): string => `${first.slice(0, -1)},${second.slice(1)}`

/**
 * The size of what was asked, in the unit it is charged by: tokens, characters, seconds of audio, or pictures. What a
 * provider counts beside the prompt (Claude's cache) is beside it here too (billing reference, section 11.2).
 */
export function promptTokens(usage: Usage, cached: Outcome['cached']): number {
  const beside = usage.cache_read + usage.cache_write + usage.cache_write_1h
  const tokens = usage.input + (cached === 'beside' ? 0 : beside)
  const said = (usage.characters ?? 0) + (usage.input === 0 ? durationTokens(usage.seconds ?? 0) : 0)
  return tokens + said || (usage.output + beside > 0 ? 0 : (usage.images?.n ?? 0))
}

/** As the call asked; one that names no language is taken for English, and then its reader's own comes first. */
const languageOf = ({ user, language }: CallCaller): Language =>
  language === 'en' ? languageFor(user, 'en') : language

function content(
  { status, failure, usage }: Outcome,
  charge: Charge,
  priced: Record<Language, string>,
  language: Language,
): string {
  const failed = failure && messageIn(failure, language)
  if (status === 'failed') return failed ?? ''
  const said = charge.billable ? priced[language] : logText('nothing', {}, language)
  const how = usage?.estimated_by === 'sound_size' ? `${said}; ${logText('unread_sound', {}, language)}` : said
  return failed === undefined ? how : `${failed}; ${how}`
}
