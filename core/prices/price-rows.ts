// Builds the rows of prices with their sources, one for each model: the selling price, or the purchase price of a
// channel or a type of channels.
import { getModelKind } from '../models/model-facts.ts'
import { findListedName, type Price } from '../pricing/price.ts'
import { getPriceBook } from '../pricing/price-book.ts'
import { listModelPrices } from '../pricing/price-list.ts'
import type { ComponentName } from '../pricing/components.ts'
import { hashVersion } from '../pricing/price-version.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { SELLING_PRICE_PARTS } from '../settings/price-parts.ts'
import { findStoredPrice, type PriceKey } from '../settings/stored-price.ts'
import { toStoredPrice, getStoredPart, STORED_PRICE_PARTS, type DollarPrice } from './dollars.ts'
import { hasChargeablePart, mergeStoredPrice, buildCallPrice } from './merge.ts'

/** Set here; as it came with Weir; that of another model or a family; of none. */
export const PRICE_ROW_SOURCES = ['own', 'default', 'family', 'none'] as const
type PriceSource = (typeof PRICE_ROW_SOURCES)[number]

/** The source of one number: `rule` if it is not set, as cached input then has the price of input. */
export const PRICE_LINE_SOURCES = ['own', 'default', 'family', 'rule'] as const
type LineSource = (typeof PRICE_LINE_SOURCES)[number]

/** @param defaults the settings of a fresh installation */
export function buildPriceRow(
  of: PriceKey,
  settings: Settings,
  defaults: Settings,
  serves: (model: string) => boolean,
) {
  const stored = findStoredPrice(of, settings)
  const price =
    of.channel === '' ? getPriceBook(settings).priceOf(of.model) : buildCallPrice(of.model, stored, settings)
  const { source, as } = getSource(of, stored, settings, defaults)
  const lines = price ? listModelPrices(price, getModelKind(of.model, settings['models.facts'])) : []
  const merged = mergeStoredPrice(of, {}, settings)
  const from = (component: ComponentName) => lineSource(component, { of, stored, said: merged, price }, defaults)
  return {
    ...of,
    source,
    as,
    served: serves(of.model),
    version: hashVersion(stored),
    price,
    prices: lines.map((line) => ({ ...line, set_by: from(line.component) })),
    // Pictures and calls are listed separately, but one number sets both.
    dollars: price ? toStoredPrice(merged, lines) : {},
    said: merged,
  }
}

interface LineSources {
  of: PriceKey
  stored: PriceFields | null
  said: PriceFields
  price: Price | null
}

/** The parts that every price by usage has, set or not. */
const ALWAYS: readonly string[] = ['model_ratio', 'completion_ratio', 'cache_ratio', 'create_cache_ratio']

function lineSource(
  component: ComponentName,
  { of, stored, said: merged, price }: LineSources,
  defaults: Settings,
): LineSource {
  const name = getPriceField(component, price)
  const own = stored ? getStoredPart(name, stored) : undefined
  if (own !== undefined) {
    const builtIn = of.channel === '' ? findStoredPrice(of, defaults) : null
    return builtIn && getStoredPart(name, builtIn) === own ? 'default' : 'own'
  }
  const isByPattern = STORED_PRICE_PARTS[name].some((part) => !ALWAYS.includes(part) && part in (price ?? {}))
  return getStoredPart(name, merged) !== undefined || isByPattern ? 'family' : 'rule'
}

/**
 * Returns the number that sets the price of a component: the call for pictures, and input for components counted as
 * input.
 */
function getPriceField(component: ComponentName, price: Price | null): keyof DollarPrice {
  if (Object.hasOwn(STORED_PRICE_PARTS, component)) return component as keyof DollarPrice
  return price?.kind === 'per_call' ? 'call' : 'input'
}

function getSource(
  of: PriceKey,
  stored: PriceFields | null,
  settings: Settings,
  defaults: Settings,
): { source: PriceSource; as: string } {
  if (of.channel !== '') return { source: stored ? 'own' : 'none', as: '' }
  if (stored && hasChargeablePart(stored)) {
    const isDefault = hashVersion(stored) === hashVersion(findStoredPrice(of, defaults))
    return { source: isDefault ? 'default' : 'own', as: '' }
  }
  const as = findListedName(of.model, settings)
  return as === undefined ? { source: 'none', as: '' } : { source: 'family', as }
}

/** Every name that the tables have a price under, and every one that is bought. */
export const listSoldNames = (settings: Settings): string[] =>
  [...new Set(SELLING_PRICE_PARTS.flatMap(({ table }) => Object.keys(settings[table])))].filter(
    (name) => !name.endsWith('*'),
  )

export const listBoughtPrices = ({ ChannelPrice }: Settings): PriceKey[] =>
  Object.entries(ChannelPrice).flatMap(([channel, models]) => Object.keys(models).map((model) => ({ channel, model })))
