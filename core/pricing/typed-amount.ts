// Amounts of money as people type them, the same in every flag, question, setting and form: `$5`, `5usd`, `5.00` and
// `1,234.50` are dollars; a whole number without a sign of dollars is in the unit of its field.

/** The unit that a whole number without a sign of dollars has: quota units for balances and budgets, else dollars. */
export type AmountUnit = 'quota' | 'usd'

export interface TypedAmount {
  unit: AmountUnit
  /** A decimal number such as `-1234.5`, without a sign of dollars and without separators. */
  number: string
}

/** Thousands are separated in groups of three. `0,500` is no group: elsewhere it is one half. */
const WHOLE = String.raw`\d+|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)`
/**
 * A number begins with a digit. A shell turns an unquoted `$1.50` into `.50`, and `$1,500` into `,500`, so these are
 * refused instead of being taken for another amount.
 */
const AMOUNT = new RegExp(String.raw`^(-?)(\$?)(-?)(${WHOLE})(\.\d{1,18})?\s*(usd)?$`, 'i')

/** Parses a typed amount; undefined if the text is none. `unit` is the unit of the field. */
export function parseTypedAmount(text: string, unit: AmountUnit): TypedAmount | undefined {
  const [, sign, dollar, innerSign, whole, fraction = '', usd] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined || (sign && innerSign) || (innerSign && !dollar) || (dollar && usd)) return undefined
  const isDollars = Boolean(dollar || usd || fraction)
  const number = whole.replace(/[,_]/g, '').replace(/^0+(?=\d)/, '') + fraction
  return { unit: isDollars ? 'usd' : unit, number: sign || innerSign ? `-${number}` : number }
}

/** Why an amount is no number of quota units that can be stored: a part of a unit, or more than a number holds exactly. */
export type AmountFault = 'fraction' | 'range'

/**
 * Converts a typed amount into quota units, exactly: dollars are multiplied as decimal digits and nothing is rounded.
 * `quotaPerUnit` is the number of quota units per dollar.
 */
export function toQuotaUnits({ unit, number }: TypedAmount, quotaPerUnit: number): number | AmountFault {
  const amount = parseDigits(number)
  const rate = unit === 'usd' ? parseDigits(toPlainText(quotaPerUnit)) : ONE
  const [digits, power] = [amount.digits * rate.digits, 10n ** BigInt(amount.scale + rate.scale)]
  if (digits % power !== 0n) return 'fraction'
  const units = Number(digits / power)
  return Number.isSafeInteger(units) ? units : 'range'
}

/** Most decimal places of dollars that are written out. */
const MAX_PLACES = 12

/**
 * Formats quota units as dollars with all of their digits, at least cents: `5.00`, `0.000002`, `-1234.50`. Returns
 * undefined if twelve decimal places do not show the amount exactly.
 */
export function formatExactDollars(units: number, quotaPerUnit: number): string | undefined {
  const rate = parseDigits(toPlainText(quotaPerUnit))
  const scaled = BigInt(units) * 10n ** BigInt(rate.scale + MAX_PLACES)
  if (scaled % rate.digits !== 0n) return undefined
  const places = scaled / rate.digits
  const text = (places < 0n ? -places : places).toString().padStart(MAX_PLACES + 1, '0')
  const fraction = text.slice(-MAX_PLACES).replace(/0+$/, '').padEnd(2, '0')
  return `${places < 0n ? '-' : ''}${text.slice(0, -MAX_PLACES)}.${fraction}`
}

const ONE = { digits: 1n, scale: 0 }

/** Parses a decimal number into its digits and the number of those behind the point. */
function parseDigits(number: string): { digits: bigint; scale: number } {
  const [whole = '', fraction = ''] = number.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Large whole numbers are written out; JavaScript writes them with an exponent from 1e21 on. */
const toPlainText = (number: number): string => (Number.isInteger(number) ? BigInt(number) : number).toString()
