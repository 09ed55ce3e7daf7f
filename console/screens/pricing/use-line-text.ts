// A price with its unit: `$2.50 / 1M tokens`.
import { formatPriceText } from '../../../core/pricing/display.ts'
import { useText, texts } from '../../data/texts.tsx'
import type { ListedPriceLine } from './prices.ts'

const UNITS = texts<ListedPriceLine['unit']>({
  token: '{price} / 1M tokens',
  character: '{price} / 1M characters',
  second: '{price} / s',
  piece: '{price} each',
  call: '{price} / call',
})

const UNITS_ALONE = texts<ListedPriceLine['unit']>({
  token: 'per 1M tokens',
  character: 'per 1M characters',
  second: 'per second',
  piece: 'each',
  call: 'each call',
})

/** Returns the unit of a price whose amount is shown in another cell. */
export function useUnitText(): (line: ListedPriceLine) => string {
  const t = useText()
  return ({ unit }) => t(UNITS_ALONE[unit])
}

/** `usd` is the price of the line for the group of the user. */
export function useLineText(): (line: ListedPriceLine, usd: number) => string {
  const t = useText()
  return ({ unit }, usd) => t(UNITS[unit], { price: formatPriceText(usd) })
}
