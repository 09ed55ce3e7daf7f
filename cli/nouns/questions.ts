// Questions and checks that several forms share.
import { words } from '../../core/errors.ts'
import { amountFlag } from '../amount.ts'
import { UsageError } from '../failure.ts'
import { expiry } from '../flags.ts'
import type { Said } from '../language.ts'
import type { Question } from '../parts/form-state.ts'

export const filledIn = (text: string): Said | undefined =>
  text === '' ? words('Please fill this in', '请填写') : undefined

/** What is wrong with a text that a flag would refuse. */
export function problemOf(check: () => unknown): Said | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.said
    throw error
  }
}

/** When something ends. */
export const expiresQuestion = (question: Question): Question => ({
  ...question,
  fallback: 'never',
  hint: words('never; or 30d, or a date', 'never（永不过期）、30d 或日期'),
  check: (text) => problemOf(() => expiry('--expires', text)),
})

/** An amount that may be left out where `otherwise` says what is taken then. */
export const amountQuestion = (question: Question, flag: string, otherwise?: Said): Question => ({
  ...question,
  hint: otherwise ?? words("'$5' or quota units", '$5 或额度单位'),
  check: (text) => (text === '' && otherwise !== undefined ? undefined : problemOf(() => amountFlag(flag, text))),
})
