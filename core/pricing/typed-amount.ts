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
