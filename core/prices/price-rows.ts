// What models cost and where that comes from, one row each: sold, or bought from a channel or a type of channels.
import { kindOf } from '../models/model-facts.ts'
import { listedName } from '../pricing/price.ts'
import { priceBook } from '../pricing/price-book.ts'
import { priceList } from '../pricing/price-list.ts'
import { versionOf } from '../pricing/price-version.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { storedPrice, type PriceOf } from '../settings/stored-price.ts'
import { isChargeable, priceWith } from './merge.ts'

/** Set here; as it came with Weir; that of another model or a family; of none. */
export const PRICE_SOURCES = ['own', 'default', 'family', 'none'] as const
type PriceSource = (typeof PRICE_SOURCES)[number]

/** @param defaults the settings of a fresh installation */
export function priceRow(of: PriceOf, settings: Settings, defaults: Settings, serves: (model: string) => boolean) {
  const stored = storedPrice(of, settings)
  const price = of.channel === '' ? priceBook(settings).priceOf(of.model) : priceWith(of.model, stored, settings)
  const { source, as } = sourceOf(of, stored, settings, defaults)
  return {
    ...{ ...of, source, as, served: serves(of.model), version: versionOf(stored) },
    price,
    prices: price ? [...priceList(price, kindOf(of.model))] : [],
  }
}

function sourceOf(
  of: PriceOf,
  stored: PriceFields | null,
  settings: Settings,
  defaults: Settings,
): { source: PriceSource; as: string } {
  if (of.channel !== '') return { source: stored ? 'own' : 'none', as: '' }
  if (stored && isChargeable(stored)) {
    const isDefault = versionOf(stored) === versionOf(storedPrice(of, defaults))
    return { source: isDefault ? 'default' : 'own', as: '' }
  }
  const as = listedName(of.model, settings)
  return as === undefined ? { source: 'none', as: '' } : { source: 'family', as }
}

/** Every name that the tables have a price under, and every one that is bought. */
export const soldNames = ({ ModelPrice, ModelRatio, VideoPrice }: Settings): string[] =>
  [...new Set([...Object.keys(ModelPrice), ...Object.keys(ModelRatio), ...Object.keys(VideoPrice)])].filter(
    (name) => !name.endsWith('*'),
  )

export const boughtPrices = ({ ChannelPrice }: Settings): PriceOf[] =>
  Object.entries(ChannelPrice).flatMap(([channel, models]) => Object.keys(models).map((model) => ({ channel, model })))
