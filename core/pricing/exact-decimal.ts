// Decimals without a loss of digits: the library's default is twenty, and a product of ratios has more.
import { Decimal } from 'decimal.js'

/** More digits than any product and sum of a price, ratios and a count has. */
export const ExactDecimal = Decimal.clone({ precision: 1000 })
export type ExactDecimal = Decimal
