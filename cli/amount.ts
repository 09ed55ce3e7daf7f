// Amounts as people type them: dollars with their sign (`$5`, `$0.25`), or quota units without one (`2500000`).
import { Decimal } from 'decimal.js'
import { fillTemplate } from '../core/errors.ts'
import { UsageError } from './failure.ts'
import type { MoneyView } from './format.ts'
import { words } from './texts.ts'

const AMOUNT = /^(-?)(\$?)(-?)([\d_,]*\.?\d+)$/

/**
 * Checks the form first, so that a wrong amount is reported before any request to Weir.
 * @throws UsageError naming the flag
 */
export function amountFlag(flag: string, text: string): (money: Pick<MoneyView, 'quota_per_unit'>) => number {
  const [, sign, dollar, inner, digits = ''] = AMOUNT.exec(text.trim()) ?? []
  const refuse = (): never => {
    throw new UsageError(
      fillTemplate(words('{flag} must be dollars like \'$5\' or whole quota units like 2500000, not "{text}".'), {
        flag,
        text,
      }),
    )
  }
  if (digits === '' || (sign && inner)) return refuse()
  const typed = new Decimal(digits.replace(/[_,]/g, '')).times(sign || inner ? -1 : 1)
  if (!dollar && !typed.isInteger()) return refuse()
  return ({ quota_per_unit }) => {
    const units = dollar ? typed.times(quota_per_unit) : typed
    // Fractions of a unit cannot be stored. An error is better than silent rounding.
    if (!units.isInteger() || !Number.isSafeInteger(units.toNumber())) return refuse()
    return units.toNumber()
  }
}
