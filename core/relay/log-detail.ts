// The detail of a call's log row (its `other`): price, usage and course, under the names that log readers know.
import type { Usage } from '../dialects/dialect.ts'
import type { Language } from '../errors.ts'
import { logText } from '../logs/event-texts.ts'
import { priceVersion } from '../pricing/price-version.ts'
import type { Price } from '../pricing/price.ts'
import type { RunningTotal } from '../pricing/session.ts'
import { imageDollars, soundDetail, writeRatios, type Detail } from '../pricing/usage-detail.ts'
import type { Admission } from './admission.ts'
import type { Outcome } from './call.ts'

interface Priced extends Pick<Admission, 'price' | 'group_ratio' | 'special_ratio'> {
  quota_per_unit: number
}

/** What is written of a price: its detail as JSON, and the words that people read. */
interface Described {
  json: string
  words: Record<Language, string>
}

/** What was last written of a price, and for which group: most calls of a model are of one group. */
const described = new WeakMap<Price, Described & Pick<Priced, 'group_ratio' | 'special_ratio' | 'quota_per_unit'>>()

/** Frozen prices last, and so does what is written of them. Of pictures it is the price of their size and quality. */
export function describedPrice(priced: Priced, images?: Usage['images']): Described {
  const { price, group_ratio, special_ratio, quota_per_unit } = priced
  if (images && price.kind === 'per_call') return write(priced, describe(priced, imageDollars(price, images)), images)
  const known = described.get(price)
  if (
    known?.group_ratio === group_ratio &&
    known.special_ratio === special_ratio &&
    known.quota_per_unit === quota_per_unit
  ) {
    return known
  }
  const written = write(priced, describe(priced, price.kind === 'per_call' ? price.model_price : -1))
  if (Object.isFrozen(price)) described.set(price, { group_ratio, special_ratio, quota_per_unit, ...written })
  return written
}

const write = (
  { group_ratio: group }: Priced,
  detail: ReturnType<typeof describe>,
  images?: Usage['images'],
): Described => {
  const { model_price: price, model_ratio: model, completion_ratio: completion } = detail
  const words = (language: Language) => {
    if (price === -1) return logText('ratios', { model, completion, group }, language)
    if (!images) return logText('fixed', { price, group }, language)
    const { n, size, quality } = images
    const details = [size && logText('size', { size }, language), quality && logText('quality', { quality }, language)]
    return logText('images', { price, n, details: details.filter(Boolean).join(''), group }, language)
  }
  return { json: JSON.stringify(detail), words: { en: words('en'), zh: words('zh') } }
}

function describe({ price, group_ratio, special_ratio, quota_per_unit }: Priced, model_price: number) {
  const frozen = {
    group_ratio,
    ...(special_ratio ? { user_group_ratio: group_ratio } : {}),
    quota_per_unit,
    price_version: priceVersion(price),
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

/** Of a turn of a session: its sound is told also where there was none, and what the turns before it came to. */
export function addSession(detail: Detail, usage: Usage | null, price: Price, before: RunningTotal | undefined): void {
  detail.ws = true
  if (usage) Object.assign(detail, soundDetail(usage, price))
  if (before) detail.session_before = { exact: before.exact.toFixed(), debited: before.debited }
}

export function addCall(detail: Detail, outcome: Outcome): void {
  const { failure, upstream_model, reported } = outcome
  detail.frt = outcome.first_content_ms ?? 0
  if (upstream_model !== undefined) {
    detail.is_model_mapped = true
    detail.upstream_model_name = upstream_model
  }
  if (reported) {
    detail.usage_clamped = true
    detail.reported_tokens = allTokens(reported)
  }
  if (outcome.affinity) detail.affinity = true
  if (outcome.fallback_from !== undefined) detail.fallback_from = outcome.fallback_from
  if (outcome.spent) detail.balance_spent = true
  if (outcome.unheard) detail.caller_left = true
  if (outcome.status === 'cut_short') detail.cut_short = failure?.message ?? 'the caller hung up'
  if (failure) {
    detail.error_type = failure.type
    detail.error_code = failure.code
    detail.status_code = failure.status
  }
  detail.admin_info = { use_channel: outcome.tried.map(String) }
}

const allTokens = (usage: Usage): number =>
  usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h + usage.output
