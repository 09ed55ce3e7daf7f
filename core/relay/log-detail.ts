// The detail of a call's log row (its `other`): price, usage and course, under the names that log readers know.
import type { Usage } from '../dialects/dialect.ts'
import { priceVersion } from '../pricing/price-version.ts'
import type { Price, UsagePrice } from '../pricing/price.ts'
import { toolPrice } from '../pricing/tool-price.ts'
import type { Admission } from './admission.ts'
import type { Outcome } from './call.ts'

type Priced = Pick<Admission, 'price' | 'group_ratio' | 'special_ratio'>

/** The text last written for a price: most calls of a model are of one group. */
const described = new WeakMap<Price, Priced & { text: string }>()

/** The price as JSON. Frozen prices last, and so does what is written of them. */
export function priceDetail(priced: Priced): string {
  const { price, group_ratio, special_ratio } = priced
  const known = described.get(price)
  if (known && known.group_ratio === group_ratio && known.special_ratio === special_ratio) return known.text
  const text = JSON.stringify(describe(priced))
  if (Object.isFrozen(price)) described.set(price, { price, group_ratio, special_ratio, text })
  return text
}

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
export const sessionDetail = (usage: Usage | null, price: Price) => ({
  ws: true,
  ...(usage ? soundDetail(usage, price) : {}),
})

/** Billing reference, section 11.3. */
export function usageDetail(usage: Usage | null, price: Price) {
  if (!usage) return { cache_tokens: 0 }
  const written = usage.cache_write + usage.cache_write_1h
  return {
    cache_tokens: usage.cache_read,
    ...(written > 0 ? { cache_creation_tokens: written } : {}),
    ...(usage.cache_write_1h > 0
      ? { cache_creation_tokens_5m: usage.cache_write, cache_creation_tokens_1h: usage.cache_write_1h }
      : {}),
    ...(usage.reasoning > 0 ? { reasoning_tokens: usage.reasoning } : {}),
    ...(usage.audio_in || usage.audio_out ? { audio: true, ...soundDetail(usage, price) } : {}),
    ...(usage.image_in || usage.image_out ? imageDetail(usage, price) : {}),
    ...(usage.calls ? toolDetail(usage.calls, price) : {}),
    ...(usage.service_tier ? { service_tier: usage.service_tier } : {}),
    ...(usage.source === 'estimated' ? { estimated: true } : {}),
  }
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

export function callDetail(outcome: Outcome) {
  const { failure, upstream_model, reported } = outcome
  return {
    frt: outcome.first_content_ms ?? 0,
    ...(upstream_model === undefined ? {} : { is_model_mapped: true, upstream_model_name: upstream_model }),
    ...(reported ? { usage_clamped: true, reported_tokens: allTokens(reported) } : {}),
    ...(outcome.affinity ? { affinity: true } : {}),
    ...(outcome.fallback_from === undefined ? {} : { fallback_from: outcome.fallback_from }),
    ...(outcome.status === 'cut_short' ? { cut_short: failure?.message ?? 'the caller hung up' } : {}),
    ...(failure ? { error_type: failure.type, error_code: failure.code, status_code: failure.status } : {}),
    admin_info: { use_channel: outcome.tried.map(String) },
  }
}

const allTokens = (usage: Usage): number =>
  usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h + usage.output
