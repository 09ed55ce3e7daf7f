// Questions and checks shared by several forms.
import { parseQuotaFlag } from '../input/amount.ts'
import { UsageError } from '../failure.ts'
import { parseExpiryFlag } from '../input/flags.ts'
import type { BilingualText } from '../language.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'

export const refuseEmptyText = (text: string): BilingualText | undefined =>
  text === '' ? words('Please fill this in') : undefined

/** Returns the error that a flag would report for a text; undefined if it is valid. */
export function findFlagProblem(check: () => unknown): BilingualText | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.text
    throw error
  }
}

/** Extends a question to ask for an expiry. */
export const buildExpiryQuestion = (question: FormQuestion): FormQuestion => ({
  ...question,
  fallback: 'never',
  hint: words('never; or 30d, or a date'),
  check: (text) => findFlagProblem(() => parseExpiryFlag('--expires', text)),
})

/** Extends a question to ask for an amount. It may stay empty if `otherwise` names the default. */
export const buildAmountQuestion = (question: FormQuestion, flag: string, otherwise?: BilingualText): FormQuestion => ({
  ...question,
  hint: otherwise ?? words('dollars (5usd) or quota units'),
  check: (text) =>
    text === '' && otherwise !== undefined ? undefined : findFlagProblem(() => parseQuotaFlag(flag, text)),
})
