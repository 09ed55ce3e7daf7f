// Builds the rows of prices with their sources, one for each model: the selling price, or the purchase price of a
// channel or a type of channels.
import { getModelKind } from '../models/model-facts.ts'
import { listedName, type Price } from '../pricing/price.ts'
import { priceBook } from '../pricing/price-book.ts'
import { priceList } from '../pricing/price-list.ts'
import type { ComponentName } from '../pricing/components.ts'
import { hashVersion } from '../pricing/price-version.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { SELLING_PARTS } from '../settings/price-parts.ts'
import { storedPrice, type PriceOf } from '../settings/stored-price.ts'
import { toDollars, getStoredPart, STORED_PARTS, type Dollars } from './dollars.ts'
import { isChargeable, mergePrice, priceWith } from './merge.ts'

/** Set here; as it came with Weir; that of another model or a family; of none. */
export const PRICE_SOURCES = ['own', 'default', 'family', 'none'] as const
type PriceSource = (typeof PRICE_SOURCES)[number]

/** The source of one number: `rule` if it is not set, as cached input then has the price of input. */
export const LINE_SOURCES = ['own', 'default', 'family', 'rule'] as const
type LineSource = (typeof LINE_SOURCES)[number]

/** @param defaults the settings of a fresh installation */
export function priceRow(of: PriceOf, settings: Settings, defaults: Settings, serves: (model: string) => boolean) {
  const stored = storedPrice(of, settings)
  const price = of.channel === '' ? priceBook(settings).priceOf(of.model) : priceWith(of.model, stored, settings)
  const { source, as } = getSource(of, stored, settings, defaults)
  const lines = price ? priceList(price, getModelKind(of.model, settings['models.facts'])) : []
  const merged = mergePrice(of, {}, settings)
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
    dollars: price ? toDollars(merged, lines) : {},
    said: merged,
  }
}

interface Sources {
  of: PriceOf
  stored: PriceFields | null
  said: PriceFields
  price: Price | null
}

/** The parts that every price by usage has, set or not. */
const ALWAYS: readonly string[] = ['model_ratio', 'completion_ratio', 'cache_ratio', 'create_cache_ratio']

function lineSource(
  component: ComponentName,
  { of, stored, said: merged, price }: Sources,
  defaults: Settings,
): LineSource {
  const name = getPriceField(component, price)
  const own = stored ? getStoredPart(name, stored) : undefined
  if (own !== undefined) {
    const builtIn = of.channel === '' ? storedPrice(of, defaults) : null
    return builtIn && getStoredPart(name, builtIn) === own ? 'default' : 'own'
  }
  const isByPattern = STORED_PARTS[name].some((part) => !ALWAYS.includes(part) && part in (price ?? {}))
  return getStoredPart(name, merged) !== undefined || isByPattern ? 'family' : 'rule'
}

/**
 * Returns the number that sets the price of a component: the call for pictures, and input for components counted as
 * input.
 */
function getPriceField(component: ComponentName, price: Price | null): keyof Dollars {
  if (Object.hasOwn(STORED_PARTS, component)) return component as keyof Dollars
  return price?.kind === 'per_call' ? 'call' : 'input'
}

function getSource(
  of: PriceOf,
  stored: PriceFields | null,
  settings: Settings,
  defaults: Settings,
): { source: PriceSource; as: string } {
  if (of.channel !== '') return { source: stored ? 'own' : 'none', as: '' }
  if (stored && isChargeable(stored)) {
    const isDefault = hashVersion(stored) === hashVersion(storedPrice(of, defaults))
    return { source: isDefault ? 'default' : 'own', as: '' }
  }
  const as = listedName(of.model, settings)
  return as === undefined ? { source: 'none', as: '' } : { source: 'family', as }
}

/** Every name that the tables have a price under, and every one that is bought. */
export const soldNames = (settings: Settings): string[] =>
  [...new Set(SELLING_PARTS.flatMap(({ table }) => Object.keys(settings[table])))].filter((name) => !name.endsWith('*'))

export const boughtPrices = ({ ChannelPrice }: Settings): PriceOf[] =>
  Object.entries(ChannelPrice).flatMap(([channel, models]) => Object.keys(models).map((model) => ({ channel, model })))
