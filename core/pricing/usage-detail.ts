// Writes the charged usage to the detail of a log row, in addition to the row's columns, so that a reader can repeat
// the calculation (docs/billing.md, 11.3).
import type { UsageBuckets, Usage } from '../dialects/answers/usage.ts'
import { getShownTier } from '../dialects/requests/service-tier.ts'
import { getImageFactors, type PriceComponent } from './component.ts'
import type { ComponentName } from './components.ts'
import {
  getAudioInputPrice,
  getAudioRatios,
  PRICE_COMPONENTS,
  countDurationTokens,
  writeFactors,
} from './components.ts'
import { ExactNumber } from './exact.ts'
import type { Price } from './price.ts'
import { findFactors, multiplyFactors } from './rates.ts'
import type { PriceMultipliers } from './tiers.ts'
import { countPromptTokens } from './token-sums.ts'
import { findToolPrice } from './tool-price.ts'

/** The known members of a row's detail. */
export type Detail = Record<string, unknown>

const ONE = new ExactNumber(1)

interface Logged {
  name: string
  value(usage: Usage): number | undefined
  facts?(usage: Usage, price: Price): Detail
}

/** The prices next to a count that explain it. */
const FACTS: Partial<Record<ComponentName, NonNullable<Logged['facts']>>> = {
  cache_write_1h: lastingDetail,
  audio_input: (usage, price) => ({ audio: true, ...buildAudioDetail(usage, price) }),
  audio_output: (usage, price) => ({ audio: true, ...buildAudioDetail(usage, price) }),
  image_input: imageDetail,
  image_output: imageDetail,
  image: pictureDetail,
  tool: toolDetail,
}

const LOGGED = (Object.entries(PRICE_COMPONENTS) as [ComponentName, PriceComponent][]).flatMap(
  ([what, { log, logged, count }]): Logged[] =>
    log === undefined
      ? []
      : [{ name: log, value: logged ?? ((usage) => count(usage) || undefined), facts: FACTS[what] }],
)

/** Returns the detail of a charged usage; `cached` is the bucket in which the provider counts cached tokens. */
export function buildUsageDetail(
  usage: Usage | null,
  price: Price,
  cached: UsageBuckets['cache_read'] | undefined,
  tiers?: PriceMultipliers,
): Detail {
  const detail: Detail = { cache_tokens: 0 }
  if (cached === 'beside') detail.claude = true
  if (!usage) return detail
  for (const { name, value, facts } of LOGGED) {
    const count = value(usage)
    if (count === undefined) continue
    detail[name] = count
    if (facts) Object.assign(detail, facts(usage, price))
  }
  Object.assign(detail, getShownTier(usage))
  if (tiers) Object.assign(detail, tierDetail(tiers))
  if (usage.source === 'estimated') detail.estimated = true
  if (usage.estimated_by) detail.estimated_by = usage.estimated_by
  return detail
}

/** The counts of a usage that are not 0, by their names in a detail. */
export function listUsageCounts(usage: Usage): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, value } of LOGGED) {
    const count = value(usage)
    if (count) counts[name] = count
  }
  return counts
}

/** Returns the counts in a detail, by their names there. */
export const parseDetailCounts = (detail: Readonly<Detail>): Record<string, number> =>
  Object.fromEntries(
    LOGGED.map(({ name }) => [name, detail[name]] as const).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    ),
  )

/** One picture of that size and quality, in USD. */
export const getImageDollars = (price: Price, images: NonNullable<Usage['images']>): number =>
  multiplyFactors(ONE, [
    ...(findFactors(PRICE_COMPONENTS.image, price)?.times ?? []),
    ...getImageFactors(price.image_multipliers, images),
  ]).toNumber()

/** Returns the factors of a cache write against input, by lifetime; 0 if calls have a fixed price. */
export function writeRatios(price: Price): Record<'5m' | '1h', number> {
  if (price.kind === 'per_call') return { '5m': 0, '1h': 0 }
  const factors = writeFactors(price)
  return { '5m': multiplyFactors(ONE, factors['5m']).toNumber(), '1h': multiplyFactors(ONE, factors['1h']).toNumber() }
}

function lastingDetail({ cache_write }: Usage, price: Price): Detail {
  const ratios = writeRatios(price)
  return {
    cache_creation_tokens_5m: cache_write,
    cache_creation_ratio_5m: ratios['5m'],
    cache_creation_ratio_1h: ratios['1h'],
  }
}

/** Returns the detail of audio, for calls with audio and for every turn of a realtime session. */
export function buildAudioDetail(
  { input, output, audio_in = 0, audio_out = 0, image_in = 0 }: Usage,
  price: Price,
): Detail {
  const ratios = price.kind === 'per_usage' ? getAudioRatios(price) : { input: 1, output: 1 }
  const audioPrice = price.kind === 'per_usage' ? getAudioInputPrice(price) : undefined
  return {
    audio_input: audio_in,
    audio_output: audio_out,
    text_input: input - audio_in - image_in,
    text_output: output - audio_out,
    audio_ratio: ratios.input,
    audio_completion_ratio: ratios.output,
    ...(audioPrice === undefined
      ? {}
      : { audio_input_seperate_price: true, audio_input_token_count: audio_in, audio_input_price: audioPrice }),
  }
}

function imageDetail({ image_in = 0, image_out = 0 }: Usage, price: Price): Detail {
  const image_ratio = price.kind === 'per_usage' ? (price.image_ratio ?? 1) : 1
  return { image: true, image_ratio, image_input: image_in, image_output: image_out }
}

/** Pictures by the piece: of which size and quality, and USD for one of them. */
function pictureDetail({ images }: Usage, price: Price): Detail {
  if (!images) return {}
  return {
    ...(images.size ? { image_size: images.size } : {}),
    ...(images.quality ? { image_quality: images.quality } : {}),
    image_price: getImageDollars(price, images),
  }
}

/**
 * Returns `web_search: true`, the number of calls and USD per 1000 of them, under the name of the tool. Two kinds of
 * one tool share a name, so `tools` lists each one.
 */
function toolDetail({ calls = {} }: Usage, price: Price): Detail {
  const detail: Detail = {}
  const tools: { name: string; calls: number; price: number }[] = []
  for (const [tool, n] of Object.entries(calls)) {
    if (n === 0) continue
    const name = tool === 'web_search_preview' ? 'web_search' : (tool.split('/', 1)[0] ?? tool)
    const each = price.tools ? findToolPrice(tool, price.tools) : 0
    detail[name] = true
    detail[`${name}_call_count`] = Number(detail[`${name}_call_count`] ?? 0) + n
    detail[`${name}_price`] = each
    tools.push({ name: tool, calls: n, price: each })
  }
  return { ...detail, tools }
}

/** Returns the tiers that applied, and their factors on each price. */
const tierDetail = ({ names, input, output, cache_read, cache_write }: PriceMultipliers): Detail => ({
  price_tier: names,
  tier_ratio: {
    input: input.toNumber(),
    output: output.toNumber(),
    cache_read: cache_read.toNumber(),
    cache_write: cache_write.toNumber(),
  },
})

/**
 * Returns the size of the prompt in the unit it is charged by: tokens, characters, seconds of audio, or pictures.
 * Tokens that a provider counts in addition to the prompt (Claude's cache) are not included (docs/billing.md, 11.2).
 */
export function getChargedPromptSize(usage: Usage, cached: UsageBuckets['cache_read'] | undefined): number {
  const cachedTokens = countPromptTokens(usage) - usage.input
  const tokens = usage.input + (cached === 'beside' ? 0 : cachedTokens)
  const otherUnits = (usage.characters ?? 0) + (usage.input === 0 ? countDurationTokens(usage.seconds ?? 0) : 0)
  return tokens + otherUnits || (usage.output + cachedTokens > 0 ? 0 : (usage.images?.n ?? 0))
}
