// Questions and checks shared by several forms.
import { parseQuotaFlag } from '../amount.ts'
import { UsageError } from '../failure.ts'
import { expiry } from '../flags.ts'
import type { Said } from '../language.ts'
import type { Question } from '../parts/form-state.ts'
import { words } from '../texts.ts'

export const filledIn = (text: string): Said | undefined => (text === '' ? words('Please fill this in') : undefined)

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
  hint: words('never; or 30d, or a date'),
  check: (text) => problemOf(() => expiry('--expires', text)),
})

/** Extends a question to ask for an amount. It may stay empty if `otherwise` names the default. */
export const amountQuestion = (question: Question, flag: string, otherwise?: Said): Question => ({
  ...question,
  hint: otherwise ?? words('dollars (5usd) or quota units'),
  check: (text) => (text === '' && otherwise !== undefined ? undefined : problemOf(() => parseQuotaFlag(flag, text))),
})
