// The amounts of a form before and after a change, in dollars, for the answer of a command.
import { composeWords, fillTemplate, type Words } from '../core/errors.ts'
import type { CommandForm } from './input/form.ts'
import type { MoneyView } from './output/format.ts'
import { words } from './texts.ts'

const FEW_DIGITS = 2
const MANY_DIGITS = 6

/** Formats quota in dollars, even on a site that displays units; fractions of a cent get more digits. */
export function formatDollars(quota: number, { quota_per_unit }: Pick<MoneyView, 'quota_per_unit'>): string {
  const dollars = Math.abs(quota) / quota_per_unit
  const isFine = !Number.isInteger(Number((dollars * 100).toFixed(6)))
  const digits = { minimumFractionDigits: FEW_DIGITS, maximumFractionDigits: isFine ? MANY_DIGITS : FEW_DIGITS }
  return `${quota < 0 ? '-' : ''}$${dollars.toLocaleString('en-US', digits)}`
}

/** Formats an amount that moved, with its sign: `+$5.00`. */
export const formatAmountChange = (quota: number, money: Pick<MoneyView, 'quota_per_unit'>): string =>
  `${quota < 0 ? '' : '+'}${formatDollars(quota, money)}`

const CHANGED = words('{label}: {before} → {after}')
const IS = words('{label}: {after}')
const NO_AMOUNT = words('unlimited')

interface Unlimited {
  unlimited_quota?: boolean
}

/**
 * Lists the amounts of a form that changed; without `before`, those that are set. A form with `unlimited_quota` has no
 * amount while that is on.
 */
export function listChangedAmounts(
  form: CommandForm,
  before: object | undefined,
  after: object,
  money: Pick<MoneyView, 'quota_per_unit'>,
): Words {
  const lines = Object.values(form).flatMap(({ name, kind, label, zero }) => {
    if (kind !== 'quota') return []
    const formatAmount = (row: object): Words | undefined => {
      const quota = (row as Record<string, unknown>)[name]
      if (name === 'remain_quota' && (row as Unlimited).unlimited_quota) return NO_AMOUNT
      if (typeof quota !== 'number') return undefined
      const text = formatDollars(quota, money)
      return quota === 0 && zero ? zero : { en: text, zh: text }
    }
    const [was, is] = [before && formatAmount(before), formatAmount(after)]
    if (is === undefined || was?.en === is.en) return []
    if (before === undefined) return is === zero ? [] : [fillTemplate(IS, { label, after: is })]
    return [fillTemplate(CHANGED, { label, before: was ?? NO_AMOUNT, after: is })]
  })
  const join = (language: keyof Words) => lines.map((line) => `\n  ${line[language]}`).join('')
  return composeWords(join)
}
