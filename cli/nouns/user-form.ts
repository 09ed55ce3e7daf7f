// Flags and questions of `users create`, `edit` and `password`.
import type { User } from '../../core/users/user.ts'
import type { CommandEnvironment } from '../command.ts'
import { parseFlagValues, buildQuestion, toFlags, readValueOrInput } from '../input/flags.ts'
import { UsageError } from '../failure.ts'
import { generatePassword } from '../first-run.ts'
import { asUntranslatedText } from '../language.ts'
import { buildAmountQuestion, refuseEmptyText } from './questions.ts'
import type { MoneyView } from '../output/format.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import { buildFieldQuestions, formatFieldFlags } from './field-questions.ts'
import { words } from '../texts.ts'
import { userEdit, userForm } from '../input/forms.built.ts'

export const passwordOptionFlag = {
  flag: '--password <password>',
  help: words('- reads it from standard input; without it one is made and shown'),
} as const

/** Reads the given password, or generates one. A generated one must be printed, so --quiet requires a given one. */
export async function readGivenPassword(
  { print, readInput }: Pick<CommandEnvironment, 'print' | 'readInput'>,
  given: string | undefined,
): Promise<{ password: string; made: string | null }> {
  const text = await readValueOrInput(given, readInput)
  if (text) return { password: text, made: null }
  if (print.quiet)
    throw new UsageError(words('--password is required with --quiet: a generated one would not be shown.'))
  const password = generatePassword()
  return { password, made: password }
}

const EMPTY_IS_MADE = words('8 to 20 characters; empty: one is made')
export const passwordFieldQuestion = buildQuestion(userEdit, 'password', {
  hint: EMPTY_IS_MADE,
  check: (text) => (text === '' || (text.length >= 8 && text.length <= 20) ? undefined : EMPTY_IS_MADE),
})

const USUAL_QUOTA = words('dollars (5usd) or quota units; empty: what new users get')

/** Returns the questions of `users create`; given flags leave their question out. */
export const buildNewUserQuestions = (given: Readonly<Record<string, string | undefined>>): FormQuestion[] =>
  NEW_USER.filter(({ name }) => given[name] === undefined)

const NEW_USER: readonly FormQuestion[] = [
  buildQuestion(userForm, 'username', { check: refuseEmptyText }),
  buildQuestion(userForm, 'display_name', { fallback: ({ username }) => username ?? '' }),
  passwordFieldQuestion,
  buildQuestion(userForm, 'group', { fallback: 'default' }),
  buildAmountQuestion(buildQuestion(userForm, 'quota', { label: words('Balance') }), '--quota', USUAL_QUOTA),
]

/** Fields that `users edit` leaves to other commands. */
const NOT_EDITED = ['id', 'password', 'role', 'quota', 'quota_before', 'reason'] as const
export const editFlags = toFlags(userEdit, NOT_EDITED)
export const parseUserEdit = (flags: object) => parseFlagValues(userEdit, flags, NOT_EDITED)

/** Returns every field of a user that `users edit` changes, with its value. */
export const buildUserQuestions = (user: User, money: MoneyView): FormQuestion[] =>
  buildFieldQuestions(userEdit, user, { without: NOT_EDITED, money }).map((question) =>
    question.name === 'remark' ? question : { ...question, check: refuseEmptyText },
  )
export const formatUserFlags = (changed: FormAnswers): string[] => formatFieldFlags(userEdit, changed)

export const createFlags = {
  ...toFlags(userForm, ['username', 'password', 'role', 'quota'], {
    display_name: words('the username'),
    group: asUntranslatedText('default'),
  }),
  quota: {
    flag: '--quota <amount>',
    help: words('starting balance: dollars like 5usd, or quota units (default: what new users get)'),
  },
  password: passwordOptionFlag,
} as const
