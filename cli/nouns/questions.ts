// Questions and checks shared by several forms.
import { words } from '../../core/errors.ts'
import { parseQuotaFlag } from '../amount.ts'
import { UsageError } from '../failure.ts'
import { expiry } from '../flags.ts'
import type { Said } from '../language.ts'
import type { Question } from '../parts/form-state.ts'

export const filledIn = (text: string): Said | undefined =>
  text === '' ? words('Please fill this in', '请填写') : undefined

/** Returns the error that a flag would report for a text; undefined if it is valid. */
export function problemOf(check: () => unknown): Said | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.said
    throw error
  }
}

/** Extends a question to ask for an expiry. */
export const expiresQuestion = (question: Question): Question => ({
  ...question,
  fallback: 'never',
  hint: words('never; or 30d, or a date', 'never（永不过期）、30d 或日期'),
  check: (text) => problemOf(() => expiry('--expires', text)),
})

/** Extends a question to ask for an amount. It may stay empty if `otherwise` names the default. */
export const amountQuestion = (question: Question, flag: string, otherwise?: Said): Question => ({
  ...question,
  hint: otherwise ?? words("dollars (5usd) or quota units", '$5 或额度单位'),
  check: (text) => (text === '' && otherwise !== undefined ? undefined : problemOf(() => parseQuotaFlag(flag, text))),
})
