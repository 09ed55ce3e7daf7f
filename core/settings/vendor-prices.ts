// Built-in prices of models that the tables of the specification do not name: their vendors' prices, out of the data file of facts.
import { getModelKind, listVendorOffers, type VendorOffer } from '../models/model-facts.ts'
import { toPlainModelName, isSameModel } from '../models/same-model.ts'
import type { PriceTierRules } from './price-tiers.ts'

type RatioTable = Readonly<Record<string, number>>

export interface PriceDefaults {
  ModelRatio: RatioTable
  ModelPrice: RatioTable
  CompletionRatio: RatioTable
  CacheRatio: RatioTable
  CreateCacheRatio: RatioTable
  ImageRatio: RatioTable
  AudioRatio: RatioTable
  AudioCompletionRatio: RatioTable
  VideoPrice: RatioTable
  PriceTiers: Readonly<Record<string, PriceTierRules>>
}

/** USD per 1M tokens at ratio 1. */
const RATIO_USD = 2
/** The price of an hour's cache as a multiple of five minutes' if no list states it, as in the tier of all models. */
const USUAL_HOUR = 1.6

/**
 * Adds the prices of vendors under the names that the tables sell under no name of the same model. Films are left out: their
 * seconds cost by resolution and sound, which the lists do not have (`film-prices.data.ts`).
 */
export function addVendorPrices(tables: PriceDefaults): PriceDefaults {
  const names = Object.keys(tables) as (keyof PriceDefaults)[]
  const added = Object.fromEntries(names.map((name) => [name, { ...tables[name] }])) as Record<
    keyof PriceDefaults,
    Record<string, unknown>
  >
  const isSold = findSoldNames([tables.ModelRatio, tables.ModelPrice, tables.VideoPrice])
  for (const offer of listVendorOffers().offers) {
    if (getModelKind(offer.model) === 'video' || isSold(offer.model)) continue
    for (const [table, value] of Object.entries(toDefaults(offer, tables.PriceTiers)))
      added[table as keyof PriceDefaults][offer.model] = value
  }
  return added as unknown as PriceDefaults
}

function findSoldNames(tables: readonly RatioTable[]): (model: string) => boolean {
  const byPlainName = new Map<string, string[]>()
  for (const name of tables.flatMap(Object.keys)) {
    const plain = toPlainModelName(name)
    byPlainName.set(plain, [...(byPlainName.get(plain) ?? []), name])
  }
  return (model) => (byPlainName.get(toPlainModelName(model)) ?? []).some((name) => isSameModel(name, model))
}

/** The entry of a model in each table. */
function toDefaults({ model, usd, longer }: VendorOffer, families: PriceDefaults['PriceTiers']) {
  const {
    input = 0,
    output,
    cache_read,
    cache_write,
    cache_write_1h,
    image_input,
    audio_input,
    audio_output,
    call,
  } = usd
  if (usd.input === undefined) return { ModelPrice: call }
  const hour = divide(cache_write_1h, cache_write)
  const hasFamilyTiers = Object.entries(families).some(
    ([family, { prompt = [] }]) => prompt.length > 0 && family !== '*' && model.startsWith(family.replace('*', '')),
  )
  const tiers: PriceTierRules = {
    ...(longer.length > 0 || hasFamilyTiers ? { prompt: longer.map(({ above, factor }) => ({ above, factor })) } : {}),
    ...(hour !== undefined && hour !== USUAL_HOUR ? { cache: { '1h': hour } } : {}),
  }
  const parts = {
    ModelRatio: divide(input, RATIO_USD),
    CompletionRatio: divide(output, input),
    CacheRatio: divide(cache_read, input),
    CreateCacheRatio: divide(cache_write, input),
    ImageRatio: divide(image_input, input),
    AudioRatio: divide(audio_input, input),
    AudioCompletionRatio: divide(audio_output, audio_input ?? input),
    PriceTiers: Object.keys(tiers).length > 0 ? tiers : undefined,
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

const MILLIONTHS = 1_000_000

/** Divides prices as whole millionths of a dollar: the quotient is the number nearest to the exact one. */
const divide = (part: number | undefined, whole: number | undefined): number | undefined =>
  part === undefined || !whole ? undefined : Math.round(part * MILLIONTHS) / Math.round(whole * MILLIONTHS)
