// LiteLLM counts in dollars, with fractions; here money is whole quota units.
import { Decimal } from 'decimal.js'
import { fillTemplate, words } from '../../errors.ts'
import { getCellDecimal, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'

/**
 * The balance in dollars of an account that had no budget: Weir has no unlimited accounts, and its keys must stay
 * valid.
 */
const UNBUDGETED = 1_000_000

/** Converts a column of dollars to quota units, as text; empty if the cell is empty. */
export function parseUnits(row: SourceRow, column: string, units: number): string {
  const dollars = getCellDecimal(row, column)
  return dollars === '' ? '' : new Decimal(dollars).times(units).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed()
}

/** Returns the remaining budget in quota units as a text; empty if the row has no budget. */
export function getRemainingBudget(row: SourceRow, units: number): string {
  const [budget, spent] = [parseUnits(row, 'max_budget', units), parseUnits(row, 'spend', units) || '0']
  return budget === '' ? '' : new Decimal(budget).minus(spent).toFixed()
}

/** Returns the balance of an account. Every account in Weir has one. */
export function computeBudgetBalance(row: SourceRow, units: number, notes: RowChangeNotes): string {
  const left = getRemainingBudget(row, units)
  if (left === '')
    notes.push(
      fillTemplate(words('it had no budget: its balance is ${unbudgeted} here, so that its keys go on working'), {
        unbudgeted: UNBUDGETED,
      }),
    )
  else if (getCellWord(row, 'budget_duration') !== '')
    notes.push(
      fillTemplate(words('its budget was reset every {row}: what was left of it came, once'), {
        row: getCellWord(row, 'budget_duration'),
      }),
    )
  return left === '' ? String(UNBUDGETED * units) : left
}
