// The components that can be priced in dollars, in the order of a price list.
import { DOLLARS } from '../../../core/prices/dollars.ts'

export const DOLLAR_NAMES = DOLLARS
