// Converts the record of a finished call to its row of the usage log. No other module does.
import type { Attempt, CallRecord, ChargeTerms } from '../calls/call-record.ts'
import type { CallDetail, ChannelTry } from '../calls/detail.ts'
import { getFailureMessage } from '../calls/failure-text.ts'
import { LOG_ROW_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import { memoize } from '../memoize.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { composeWords, type Language } from '../errors.ts'
import { getPriceVersion } from '../pricing/price-version.ts'
import { countAllTokens } from '../pricing/token-sums.ts'
import {
  getImageDollars,
  getChargedPromptSize,
  buildAudioDetail,
  buildUsageDetail,
  writeRatios,
} from '../pricing/usage-detail.ts'
import { formatLogText } from './event-texts.ts'

// A call's detail in its log row: what was used, and the way it took.

/**
 * Builds the detail of a call. The texts of price and charge lines are in `described-price.ts`, since many calls share
 * them.
 */
export function callDetail(record: CallRecord): CallDetail {
  const { usage, terms, cached, charge, session, models, failure, reported, attempts } = record
  const detail: CallDetail = buildUsageDetail(usage, terms.price, cached, charge.tiers)
  if (session) {
    detail.ws = true
    // A turn always has its audio tokens, also if there are none.
    if (usage) Object.assign(detail, buildAudioDetail(usage, terms.price))
    detail.session_before = { exact: session.before.exact.toFixed(), debited: session.before.debited }
  }
  detail.frt = record.first_content_ms ?? 0
  detail.total_ms = record.ended_at - record.started_at
  if (record.effort !== undefined) detail.reasoning_effort = record.effort
  if (models.sent !== models.served) {
    detail.is_model_mapped = true
    detail.upstream_model_name = models.sent
  }
  if (reported) {
    detail.usage_clamped = true
    detail.reported_tokens = countAllTokens(reported)
  }
  if (record.affinity) detail.affinity = true
  if (models.renamed) detail.asked_model = models.requested
  else if (models.requested !== models.served) detail.fallback_from = models.requested
  if (record.spent) detail.balance_spent = true
  if (record.clientLeft) detail.caller_left = true
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
function triedChannel(record: CallRecord, attempt: Attempt, next: Attempt | undefined): ChannelTry {
  const { failure } = attempt
  const tried: ChannelTry = {
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

function getNextStep(attempt: Attempt, next: Attempt): ChannelTry['next'] {
  if (next.served !== attempt.served) return 'model'
  return next.channel_id === attempt.channel_id ? 'key' : 'channel'
}

// Describes a call's price for its log row: as detail, and as text for people.

/** The description of a price: its detail as JSON, and its text. */
interface Described {
  json: string
  words: Record<Language, string>
}

/** The last description of a price and its group. Most calls of a model belong to one group. */
interface Last {
  written?: Described & Pick<ChargeTerms, 'group_ratio' | 'special_ratio' | 'quota_per_unit'>
}

const getLast = memoize((_price: ChargeTerms['price']): Last => ({}))

/** Describes a price; for pictures, that of their size and quality. */
export function describePrice(priced: ChargeTerms, images?: Usage['images']): Described {
  const { price, group_ratio, special_ratio, quota_per_unit } = priced
  if (images && price.kind === 'per_call')
    return write(priced, describe(priced, getImageDollars(price, images)), images)
  const last = getLast(price)
  const known = last.written
  if (
    known?.group_ratio === group_ratio &&
    known.special_ratio === special_ratio &&
    known.quota_per_unit === quota_per_unit
  ) {
    return known
  }
  const written = write(priced, describe(priced, price.kind === 'per_call' ? price.model_price : -1))
  last.written = { group_ratio, special_ratio, quota_per_unit, ...written }
  return written
}

const write = (
  { group_ratio: group }: ChargeTerms,
  detail: ReturnType<typeof describe>,
  images?: Usage['images'],
): Described => {
  const { model_price: price, model_ratio: model, completion_ratio: completion } = detail
  const words = (language: Language) => {
    if (price === -1) return formatLogText('ratios', { model, completion, group }, language)
    if (!images) return formatLogText('fixed', { price, group }, language)
    const { n, size, quality } = images
    const details = [
      size && formatLogText('size', { size }, language),
      quality && formatLogText('quality', { quality }, language),
    ]
    return formatLogText('images', { price, n, details: details.filter(Boolean).join(''), group }, language)
  }
  return { json: JSON.stringify(detail), words: composeWords(words) }
}

function describe({ price, group_ratio, special_ratio, quota_per_unit }: ChargeTerms, model_price: number) {
  const frozen = {
    group_ratio,
    ...(special_ratio ? { user_group_ratio: group_ratio } : {}),
    quota_per_unit,
    price_version: getPriceVersion(price),
  }
  return price.kind === 'per_call'
    ? { model_price, model_ratio: 0, completion_ratio: 0, cache_ratio: 0, ...frozen }
    : {
        model_price,
        model_ratio: price.model_ratio,
        completion_ratio: price.completion_ratio,
        cache_ratio: price.cache_ratio,
        cache_creation_ratio: writeRatios(price)['5m'],
        ...frozen,
      }
}

/** Builds a row of consumption, or of an error if nothing was delivered. `lines` are the lines of the charge, as JSON. */
export function buildCallRow(record: CallRecord, lines = JSON.stringify(record.charge.lines)): NewLogEntry {
  const { payer, terms, usage, cached, charge, attempts, started_at, ended_at } = record
  const priced = describePrice(terms, usage?.images)
  return {
    type: record.status === 'failed' ? LOG_ROW_TYPE.error : LOG_ROW_TYPE.consumption,
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
    prompt_tokens: usage ? getChargedPromptSize(usage, cached) : 0,
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
  const description = charge.billable ? priced[language] : formatLogText('nothing', {}, language)
  const how =
    usage?.estimated_by === 'sound_size'
      ? `${description}; ${formatLogText('unread_sound', {}, language)}`
      : description
  return failed === undefined ? how : `${failed}; ${how}`
}
