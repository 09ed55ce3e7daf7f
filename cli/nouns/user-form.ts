// Flags and questions of `users create`, `edit` and `password`.
import { UserEdit, UserForm } from '../../core/users/contract.ts'
import type { User } from '../../core/users/user.ts'
import type { CommandEnvironment } from '../command.ts'
import { parseFlagValues, buildQuestion, toFlags, valueOrInput } from '../input/flags.ts'
import { UsageError } from '../failure.ts'
import { generatePassword } from '../first-run.ts'
import { asUntranslatedText } from '../language.ts'
import { buildAmountQuestion, refuseEmptyText } from './questions.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'

export const passwordOptionFlag = {
  flag: '--password <password>',
  help: words('- reads it from standard input; without it one is made and shown'),
} as const

/** Reads the given password, or generates one. A generated one must be printed, so --quiet requires a given one. */
export async function readGivenPassword(
  { print, readInput }: Pick<CommandEnvironment, 'print' | 'readInput'>,
  given: string | undefined,
): Promise<{ password: string; made: string | null }> {
  const text = await valueOrInput(given, readInput)
  if (text) return { password: text, made: null }
  if (print.quiet)
    throw new UsageError(words('--password is required with --quiet: a generated one would not be shown.'))
  const password = generatePassword()
  return { password, made: password }
}

const EMPTY_IS_MADE = words('8 to 20 characters; empty: one is made')
export const passwordFieldQuestion = buildQuestion(UserEdit, 'password', {
  hint: EMPTY_IS_MADE,
  check: (text) => (text === '' || (text.length >= 8 && text.length <= 20) ? undefined : EMPTY_IS_MADE),
})

const USUAL_QUOTA = words('dollars (5usd) or quota units; empty: what new users get')

/** Returns the questions of `users create`; given flags leave their question out. */
export const newUserQuestions = (given: Readonly<Record<string, string | undefined>>): FormQuestion[] =>
  NEW_USER.filter(({ name }) => given[name] === undefined)

const NEW_USER: readonly FormQuestion[] = [
  buildQuestion(UserForm, 'username', { check: refuseEmptyText }),
  buildQuestion(UserForm, 'display_name', { fallback: ({ username }) => username ?? '' }),
  passwordFieldQuestion,
  buildQuestion(UserForm, 'group', { fallback: 'default' }),
  buildAmountQuestion(buildQuestion(UserForm, 'quota', { label: words('Balance') }), '--quota', USUAL_QUOTA),
]

/** Returns the questions for editing an existing user. */
export const buildUserQuestions = (user: User): FormQuestion[] => [
  ...(['username', 'display_name', 'group'] as const).map((name) =>
    buildQuestion(UserEdit, name, { initial: user[name], check: refuseEmptyText }),
  ),
  buildQuestion(UserEdit, 'remark', { initial: user.remark }),
]

/** Fields that `users edit` leaves to other commands. */
const NOT_EDITED = ['id', 'password', 'role', 'quota', 'quota_before', 'reason'] as const
export const editFlags = toFlags(UserEdit, NOT_EDITED)
export const parseUserEdit = (flags: object) => parseFlagValues(UserEdit, flags, NOT_EDITED)

export const createFlags = {
  ...toFlags(UserForm, ['username', 'password', 'role', 'quota'], {
    display_name: words('the username'),
    group: asUntranslatedText('default'),
  }),
  quota: {
    flag: '--quota <amount>',
    help: words('balance to begin with: dollars like 5usd, or quota units (otherwise what new users get)'),
  },
  password: passwordOptionFlag,
} as const
