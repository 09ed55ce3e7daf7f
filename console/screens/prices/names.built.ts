// The components that can be priced in dollars, in the order of a price list.
import { DOLLAR_PRICE_NAMES } from '../../../core/prices/dollars.ts'

export const DOLLAR_NAMES = DOLLAR_PRICE_NAMES
