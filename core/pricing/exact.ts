// Exact decimals: products and sums of prices and counts without a lost digit. They are added in whole steps of a power of
// ten as long as these fit a number, as for nearly every call, else as decimals.
import { Decimal } from 'decimal.js'

/**
 * A decimal with enough digits for any product of prices, ratios and counts in JSON numbers, so that no step rounds.
 * Digits that are not there cost nothing.
 */
export const ExactNumber = Decimal.clone({ precision: 1000, toExpNeg: -1000, toExpPos: 1000 })
export type ExactNumber = Decimal

export const EXACT_ZERO = new ExactNumber(0)

/** Half away from zero, capped at the largest whole number that is exact. */
export function toWholeQuota(exact: ExactNumber): number {
  const whole = exact.toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  return whole.greaterThan(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : whole.toNumber()
}

/** Maximum decimal places. With more, the steps would exceed exact integers. */
const MAX_PLACES = 12

/** How many decimal places a decimal text has. */
export const countDecimalPlaces = (text: string): number => {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

/** Converts a price to an integer number of steps of 10^-places; undefined if it is too fine or too large. */
export function toPriceSteps(price: ExactNumber, places: number): number | undefined {
  if (places > MAX_PLACES || price.isNegative()) return undefined
  const steps = price.times(10 ** places).toNumber()
  return Number.isSafeInteger(steps) ? steps : undefined
}

/** The product of a count and a price in steps, where it fits a number. */
export function multiplyPriceSteps(steps: number | undefined, count: number): number | undefined {
  if (steps === undefined || !Number.isInteger(count)) return undefined
  const product = steps * count
  return product <= Number.MAX_SAFE_INTEGER ? product : undefined
}

/** Returns the integer part of a number of steps. */
export function floorPriceSteps(steps: number, places: number): number {
  const one = 10 ** places
  return (steps - (steps % one)) / one
}

/** Steps as a decimal text, without zeros at its end. */
export function formatPriceSteps(steps: number, places: number): string {
  const rest = steps % 10 ** places
  if (rest === 0) return String(floorPriceSteps(steps, places))
  let digits = String(rest).padStart(places, '0')
  while (digits.endsWith('0')) digits = digits.slice(0, -1)
  return `${floorPriceSteps(steps, places)}.${digits}`
}

export class ExactSum {
  /** The exact part of the sum, in steps. */
  private steps = 0
  /** The rest of the sum, for values that steps cannot express. */
  private rest: ExactNumber | undefined
  private readonly places: number

  constructor(places: number) {
    this.places = places
  }

  addSteps(steps: number): void {
    if (this.steps + steps <= Number.MAX_SAFE_INTEGER) this.steps += steps
    else this.add(this.exactly(steps))
  }

  add(exact: ExactNumber): void {
    this.rest = this.rest ? this.rest.plus(exact) : exact
  }

  isAboveZero(): boolean {
    return this.steps > 0 || (this.rest?.greaterThan(EXACT_ZERO) ?? false)
  }

  /** Half away from zero, capped at the largest whole number that is exact. */
  rounded(): number {
    if (this.rest) return toWholeQuota(this.rest.plus(this.exactly(this.steps)))
    const whole = floorPriceSteps(this.steps, this.places)
    return (this.steps - whole * 10 ** this.places) * 2 >= 10 ** this.places ? whole + 1 : whole
  }

  private exactly(steps: number): ExactNumber {
    return new ExactNumber(steps).dividedBy(10 ** this.places)
  }
}
