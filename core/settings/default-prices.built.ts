// The prices that a new installation has. The bundles get the tables that this module computes.
import { filmPrices } from './film-prices.data.ts'
import { modelPrice, modelRatios, type ModelRatios } from './model-prices.data.ts'
import { priceTiers } from './price-tiers.data.ts'
import { addVendorPrices } from './vendor-prices.ts'

/** The sandbox's models cost something too, so that charging can be watched without a key. */
const sandbox: Record<string, ModelRatios> = {
  'sandbox-small': { ratio: 0.5, completion: 2 },
  'sandbox-large': { ratio: 5, completion: 4 },
}

/** Returns one ratio of all models that have it. */
const getTable = (name: keyof ModelRatios): Record<string, number> =>
  Object.fromEntries(
    Object.entries({ ...modelRatios, ...sandbox }).flatMap(([model, { [name]: ratio }]) =>
      ratio === undefined ? [] : [[model, ratio]],
    ),
  )

/** The built-in prices: tables of the specification, and vendors' prices of the other models. */
export const defaultPrices = addVendorPrices({
  ModelRatio: getTable('ratio'),
  ModelPrice: modelPrice,
  CompletionRatio: getTable('completion'),
  CacheRatio: getTable('cache'),
  CreateCacheRatio: getTable('create_cache'),
  AudioRatio: getTable('audio'),
  AudioCompletionRatio: getTable('audio_completion'),
  ImageRatio: getTable('image'),
  VideoPrice: filmPrices,
  PriceTiers: priceTiers,
})
