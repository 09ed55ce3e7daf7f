// The detail of a call's log row (its `other`): price, usage and course, under the names that log readers know.
import type { Usage } from '../dialects/dialect.ts'
import type { Language } from '../errors.ts'
import { logText } from '../logs/event-texts.ts'
import { imageMultiplier } from '../pricing/image-multiplier.ts'
import { priceVersion } from '../pricing/price-version.ts'
import type { Price } from '../pricing/price.ts'
import { audioRatios, imageDollars, writeRatios } from '../pricing/rates.ts'
import type { RunningTotal } from '../pricing/session.ts'
import type { Multipliers } from '../pricing/tiers.ts'
import { toolPrice } from '../pricing/tool-price.ts'
import type { Admission } from './admission.ts'
import type { Outcome } from './call.ts'

interface Priced extends Pick<Admission, 'price' | 'group_ratio' | 'special_ratio'> {
  quota_per_unit: number
}

/** Members of a row's detail, as far as they are known. */
export type Detail = Record<string, unknown>

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
  if (images && price.kind === 'per_call') return write(priced, describe(priced, dollarsOf(price, images)), images)
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
        cache_creation_ratio: writeRatios(price)['5m'].toNumber(),
        ...frozen,
      }
}

/** One picture of that size and quality, in USD. */
const dollarsOf = (price: Price, images: NonNullable<Usage['images']>): number =>
  imageDollars(price).times(imageMultiplier(price.image_multipliers, images)).toNumber()

/** Of a turn of a session: its sound is told also where there was none, and what the turns before it came to. */
export function addSession(detail: Detail, usage: Usage | null, price: Price, before: RunningTotal | undefined): void {
  detail.ws = true
  if (usage) Object.assign(detail, soundDetail(usage, price))
  if (before) detail.session_before = { exact: before.exact.toFixed(), debited: before.debited }
}

/**
 * All of a charge's numbers that the row's own columns do not have, so that whoever reads the row can do the sum again
 * (billing reference, section 11.3). `cached`: where the provider counts what is cached.
 */
export function usageDetail(usage: Usage | null, price: Price, cached: Outcome['cached'], tiers?: Multipliers): Detail {
  const detail: Detail = { cache_tokens: usage?.cache_read ?? 0 }
  if (cached === 'beside') detail.claude = true
  if (!usage) return detail
  const written = usage.cache_write + usage.cache_write_1h
  if (written > 0) detail.cache_creation_tokens = written
  if (usage.cache_write_1h > 0) Object.assign(detail, lastingDetail(usage, price))
  if (usage.reasoning > 0) detail.reasoning_tokens = usage.reasoning
  if (usage.audio_in || usage.audio_out) Object.assign(detail, { audio: true }, soundDetail(usage, price))
  if (usage.image_in || usage.image_out) Object.assign(detail, imageDetail(usage, price))
  if (usage.images) Object.assign(detail, pictureDetail(usage.images, price))
  if (usage.seconds) detail.audio_seconds = usage.seconds
  if (usage.characters) detail.characters = usage.characters
  if (usage.calls) Object.assign(detail, toolDetail(usage.calls, price))
  if (usage.service_tier) detail.service_tier = usage.service_tier
  if (tiers) Object.assign(detail, tierDetail(tiers))
  if (usage.source === 'estimated') detail.estimated = true
  if (usage.estimated_by) detail.estimated_by = usage.estimated_by
  return detail
}

function lastingDetail({ cache_write, cache_write_1h }: Usage, price: Price) {
  const ratios = price.kind === 'per_usage' ? writeRatios(price) : undefined
  return {
    cache_creation_tokens_5m: cache_write,
    cache_creation_tokens_1h: cache_write_1h,
    cache_creation_ratio_5m: ratios?.['5m'].toNumber() ?? 0,
    cache_creation_ratio_1h: ratios?.['1h'].toNumber() ?? 0,
  }
}

function soundDetail({ input, output, audio_in = 0, audio_out = 0, image_in = 0 }: Usage, price: Price) {
  const ratios = price.kind === 'per_usage' ? audioRatios(price) : { heard: 1, spoken: 1 }
  const apart = price.kind === 'per_usage' && price.audio_ratio === undefined ? price.audio_input_price : undefined
  return {
    audio_input: audio_in,
    audio_output: audio_out,
    text_input: input - audio_in - image_in,
    text_output: output - audio_out,
    audio_ratio: ratios.heard,
    audio_completion_ratio: ratios.spoken,
    ...(apart === undefined
      ? {}
      : { audio_input_seperate_price: true, audio_input_token_count: audio_in, audio_input_price: apart }),
  }
}

const imageDetail = ({ image_in = 0, image_out = 0 }: Usage, price: Price) => ({
  image: true,
  image_ratio: price.kind === 'per_usage' ? (price.image_ratio ?? 1) : 1,
  image_input: image_in,
  image_output: image_out,
})

/** Pictures by the piece: how many, of which size and quality, and USD for one of them. */
const pictureDetail = (images: NonNullable<Usage['images']>, price: Price) => ({
  image_count: images.n,
  ...(images.size ? { image_size: images.size } : {}),
  ...(images.quality ? { image_quality: images.quality } : {}),
  image_price: dollarsOf(price, images),
})

/**
 * `web_search: true`, how many calls, and USD per 1000 of them, under the name of the tool; two kinds of one tool have
 * one name, so `tools` tells each by itself.
 */
function toolDetail(calls: Record<string, number>, price: Price) {
  const detail: Record<string, unknown> = {}
  const tools: { name: string; calls: number; price: number }[] = []
  for (const [tool, n] of Object.entries(calls)) {
    if (n === 0) continue
    const name = tool === 'web_search_preview' ? 'web_search' : (tool.split('/', 1)[0] ?? tool)
    const each = price.tools ? toolPrice(tool, price.tools) : 0
    detail[name] = true
    detail[`${name}_call_count`] = Number(detail[`${name}_call_count`] ?? 0) + n
    detail[`${name}_price`] = each
    tools.push({ name: tool, calls: n, price: each })
  }
  return tools.length > 0 ? { ...detail, tools } : detail
}

/** Which tiers applied, and what they make of each price. */
const tierDetail = ({ names, input, output, cache_read, cache_write }: Multipliers) => ({
  price_tier: names,
  tier_ratio: {
    input: input.toNumber(),
    output: output.toNumber(),
    cache_read: cache_read.toNumber(),
    cache_write: cache_write.toNumber(),
  },
})

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
