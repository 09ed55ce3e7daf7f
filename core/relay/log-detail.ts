// The detail of a call's log row (its `other`): price, usage and course, under the names that log readers know.
import type { Usage } from '../dialects/dialect.ts'
import { priceVersion } from '../pricing/price-version.ts'
import type { Price, UsagePrice } from '../pricing/price.ts'
import { toolPrice } from '../pricing/tool-price.ts'
import type { Admission } from './admission.ts'
import type { Outcome } from './call.ts'

type Priced = Pick<Admission, 'price' | 'group_ratio' | 'special_ratio'>

/** Members of a row's detail, as far as they are known. */
export type Detail = Record<string, unknown>

/** What is written of a price: its detail as JSON, and the words that people read. */
interface Described {
  group_ratio: number
  special_ratio: boolean
  json: string
  words: string
}

/** What was last written of a price: most calls of a model are of one group. */
const described = new WeakMap<Price, Described>()

/** Frozen prices last, and so does what is written of them. */
export function describedPrice(priced: Priced): Described {
  const { price, group_ratio, special_ratio } = priced
  const known = described.get(price)
  if (known && known.group_ratio === group_ratio && known.special_ratio === special_ratio) return known
  const written = { group_ratio, special_ratio, json: JSON.stringify(describe(priced)), words: words(priced) }
  if (Object.isFrozen(price)) described.set(price, written)
  return written
}

const words = ({ price, group_ratio }: Priced): string =>
  price.kind === 'per_call'
    ? `model price ${price.model_price}, group ratio ${group_ratio}`
    : `model ratio ${price.model_ratio}, completion ratio ${price.completion_ratio}, group ratio ${group_ratio}`

function describe({ price, group_ratio, special_ratio }: Priced) {
  const frozen = {
    group_ratio,
    ...(special_ratio ? { user_group_ratio: group_ratio } : {}),
    price_version: priceVersion(price),
  }
  return price.kind === 'per_call'
    ? { model_price: price.model_price, model_ratio: 0, completion_ratio: 0, cache_ratio: 0, ...frozen }
    : {
        model_price: -1,
        model_ratio: price.model_ratio,
        completion_ratio: price.completion_ratio,
        cache_ratio: price.cache_ratio,
        cache_creation_ratio: price.create_cache_ratio,
        ...frozen,
      }
}

/** Of a turn of a session: its sound is told also where there was none. */
export function addSession(detail: Detail, usage: Usage | null, price: Price): void {
  detail.ws = true
  if (usage) Object.assign(detail, soundDetail(usage, price))
}

/** Billing reference, section 11.3. */
export function usageDetail(usage: Usage | null, price: Price): Detail {
  const detail: Detail = { cache_tokens: usage?.cache_read ?? 0 }
  if (!usage) return detail
  const written = usage.cache_write + usage.cache_write_1h
  if (written > 0) detail.cache_creation_tokens = written
  if (usage.cache_write_1h > 0) {
    detail.cache_creation_tokens_5m = usage.cache_write
    detail.cache_creation_tokens_1h = usage.cache_write_1h
  }
  if (usage.reasoning > 0) detail.reasoning_tokens = usage.reasoning
  if (usage.audio_in || usage.audio_out) Object.assign(detail, { audio: true }, soundDetail(usage, price))
  if (usage.image_in || usage.image_out) Object.assign(detail, imageDetail(usage, price))
  if (usage.calls) Object.assign(detail, toolDetail(usage.calls, price))
  if (usage.service_tier) detail.service_tier = usage.service_tier
  if (usage.source === 'estimated') detail.estimated = true
  return detail
}

function soundDetail({ input, output, audio_in = 0, audio_out = 0 }: Usage, price: Price) {
  const ratios: Partial<UsagePrice> = price.kind === 'per_usage' ? price : {}
  return {
    audio_input: audio_in,
    audio_output: audio_out,
    text_input: input - audio_in,
    text_output: output - audio_out,
    audio_ratio: ratios.audio_ratio ?? 1,
    audio_completion_ratio: ratios.audio_completion_ratio ?? 1,
    ...(ratios.audio_input_price === undefined
      ? {}
      : {
          audio_input_seperate_price: true,
          audio_input_token_count: audio_in,
          audio_input_price: ratios.audio_input_price,
        }),
  }
}

const imageDetail = ({ image_in = 0, image_out = 0 }: Usage, price: Price) => ({
  image: true,
  image_ratio: price.kind === 'per_usage' ? (price.image_ratio ?? 1) : 1,
  image_input: image_in,
  image_output: image_out,
})

/** `web_search: true`, how many calls, and USD per 1000 of them. */
function toolDetail(calls: Record<string, number>, price: Price) {
  const detail: Record<string, unknown> = {}
  for (const [tool, n] of Object.entries(calls)) {
    const name = tool === 'web_search_preview' ? 'web_search' : tool.split('/', 1)[0]
    detail[`${name}`] = true
    detail[`${name}_call_count`] = n
    detail[`${name}_price`] = price.tools ? toolPrice(tool, price.tools) : 0
  }
  return detail
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
