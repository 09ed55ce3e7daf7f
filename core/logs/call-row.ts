// Converts the record of a finished call to its row of the usage log. No other module does.
import { getFailureMessage } from '../calls/failure-text.ts'
import type { CallRecord } from '../calls/call-record.ts'
import type { Language } from '../errors.ts'
import { promptTokens } from '../pricing/usage-detail.ts'
import { callDetail } from './call-detail.ts'
import { describedPrice } from './described-price.ts'
import { logText } from './event-texts.ts'
import { LOG_TYPE, type NewLogEntry } from '../calls/log-entry.ts'

/** Consumption, or an error when nothing was delivered. `lines`: those of its charge, as JSON. */
export function callRow(record: CallRecord, lines = JSON.stringify(record.charge.lines)): NewLogEntry {
  const { payer, terms, usage, cached, charge, attempts, started_at, ended_at } = record
  const priced = describedPrice(terms, usage?.images)
  return {
    type: record.status === 'failed' ? LOG_TYPE.error : LOG_TYPE.consumption,
    created_at: Math.floor(ended_at / 1000),
    user_id: payer.user_id,
    username: payer.username,
    token_id: payer.token_id,
    token_name: payer.token_name,
    channel: attempts.at(-1)?.channel_id ?? 0,
    group: terms.group,
    model_name: record.models.served,
    operation: record.operation,
    use_time: Math.round((ended_at - started_at) / 1000),
    is_stream: record.stream,
    prompt_tokens: usage ? promptTokens(usage, cached) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: charge.quota,
    content: content(record, priced.words),
    other: `${joinedJson(priced.json, JSON.stringify(callDetail(record))).slice(0, -1)},"lines":${lines}}`,
    request_id: record.request_id,
    hold_id: record.id,
  }
}

/** Joins two non-empty JSON objects. */
const joinedJson = (first: string, second: string): string => `${first.slice(0, -1)},${second.slice(1)}`

function content({ status, failure, usage, charge, language }: CallRecord, priced: Record<Language, string>): string {
  const failed = failure && getFailureMessage(failure, language)
  if (status === 'failed') return failed ?? ''
  const description = charge.billable ? priced[language] : logText('nothing', {}, language)
  const how =
    usage?.estimated_by === 'sound_size' ? `${description}; ${logText('unread_sound', {}, language)}` : description
  return failed === undefined ? how : `${failed}; ${how}`
}
