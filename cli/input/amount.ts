// Amounts of money in flags, arguments and answers to questions, in the notations of core/pricing/typed-amount.ts.
import { fillTemplate } from '../../core/errors.ts'
import { formatExactDollars, parseTypedAmount, toQuotaUnits } from '../../core/pricing/typed-amount.ts'
import { UsageError } from '../failure.ts'
import type { MoneyView } from '../output/format.ts'
import { words } from '../texts.ts'

const NOT_QUOTA = words(
  '{flag} must be dollars like 5usd, \'$5\' or 5.00, or whole quota units like 2500000, not "{text}".',
)
const TOO_FINE = words('{flag}: {text} is not a whole number of quota units ({units} units are one dollar).')
const NOTHING = words("{flag} must not be 0. A shell turns an unquoted $50 into 0: write 50usd or '$50'.")
const NOT_DOLLARS = words('{flag} must be dollars like 2.50, not "{text}".')

/**
 * Parses an amount of quota, and returns the function that converts it into quota units. The form is checked first, so
 * that a wrong amount is reported before any request to Weir. `zero: 'refused'` is for amounts that are added.
 * @throws UsageError naming the flag
 */
export function parseQuotaFlag(
  flag: string,
  text: string,
  { zero = 'allowed' }: { zero?: 'allowed' | 'refused' } = {},
): (money: Pick<MoneyView, 'quota_per_unit'>) => number {
  const typed = parseTypedAmount(text, 'quota')
  // A shell leaves this of an unquoted -$1 or $x.
  if (/^-?$/.test(text.trim()) && zero === 'refused') throw new UsageError(fillTemplate(NOTHING, { flag }))
  if (!typed) throw new UsageError(fillTemplate(NOT_QUOTA, { flag, text }))
  if (!/[1-9]/.test(typed.number) && zero === 'refused') throw new UsageError(fillTemplate(NOTHING, { flag }))
  if (!Number.isSafeInteger(Math.trunc(Number(typed.number))))
    throw new UsageError(fillTemplate(NOT_QUOTA, { flag, text }))
  return ({ quota_per_unit }) => {
    const units = toQuotaUnits(typed, quota_per_unit)
    // Fractions of a unit cannot be stored. An error is better than silent rounding.
    if (units === 'fraction') throw new UsageError(fillTemplate(TOO_FINE, { flag, text, units: quota_per_unit }))
    if (units === 'range') throw new UsageError(fillTemplate(NOT_QUOTA, { flag, text }))
    return units
  }
}

/** Decimals of dollars that are still easy to read. */
const MAX_DECIMALS = 6

/** Writes quota units as `parseQuotaFlag` reads them: in dollars (`5usd`) if no unit is lost, otherwise in units. */
export function formatQuotaInput(units: number, { quota_per_unit }: Pick<MoneyView, 'quota_per_unit'>): string {
  const dollars = formatExactDollars(units, quota_per_unit)?.replace(/\.?0*$/, '')
  const isShort = dollars !== undefined && (dollars.split('.')[1] ?? '').length <= MAX_DECIMALS
  return units !== 0 && isShort ? `${dollars}usd` : String(units)
}

const NEGATIVE_DOLLARS = /^-(?:\$(\d[^$]*)|(\d.*?)\s*usd)$/i

/**
 * Writes `-$1` and `-1usd` as `$-1`, which the parser of commands does not take for a flag. Arguments behind `--`, and
 * those of the program of `weir run`, stay as they are.
 */
export function escapeNegativeAmounts(args: readonly string[]): string[] {
  const end = args.findIndex((argument) => argument === '--' || argument === 'run')
  return args.map((argument, at) =>
    end >= 0 && at >= end
      ? argument
      : argument.replace(NEGATIVE_DOLLARS, (_, ...[one, other]: (string | undefined)[]) => `$-${one ?? other}`),
  )
}

/**
 * Parses a price or another amount in dollars; it is never negative.
 * @throws UsageError naming the flag
 */
export function parseDollarFlag(flag: string, text: string): number {
  const typed = parseTypedAmount(text, 'usd')
  const value = Number(typed?.number)
  if (typed && value >= 0) return value
  throw new UsageError(fillTemplate(NOT_DOLLARS, { flag, text }))
}
