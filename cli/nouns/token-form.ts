// Flags and questions of `tokens add` and `edit`.
import { NEVER_EXPIRES, type Token } from '../../core/tokens/token.ts'
import { formatQuotaInput, parseQuotaFlag } from '../input/amount.ts'
import { parseExpiryFlag, convertToUnits, parseFlagValues, buildQuestion, toFlags } from '../input/flags.ts'
import { formatLocalTime, type MoneyView } from '../output/format.ts'
import type { FormAnswers, FormQuestion } from '../parts/form-state.ts'
import { buildFieldQuestions, formatFieldFlags } from './field-questions.ts'
import { buildAmountQuestion, buildExpiryQuestion, refuseEmptyText, findFlagProblem } from './questions.ts'
import { words } from '../texts.ts'
import { tokenForm } from '../input/forms.built.ts'

/** Fields with flags that the form does not generate: two fields in one flag, a span, a team by its name. */
const OWN_WAY = [
  'team_id',
  'unlimited_quota',
  'remain_quota',
  'expired_time',
  'model_limits_enabled',
  'model_limits',
] as const

export const UNLIMITED_QUOTA = 'unlimited'

export const tokenFormFlags = {
  ...toFlags(tokenForm, OWN_WAY),
  quota: {
    flag: '--quota <amount>',
    help: words('what it may spend: dollars like 5usd, quota units, or unlimited (a new one is unlimited)'),
  },
  expires: {
    flag: '--expires <when>',
    help: words('never, a span like 30d, or a date (a new one never expires)'),
  },
  models: {
    flag: '--models <list>',
    help: words('comma list of the models it may use; empty for all'),
  },
} as const

type TokenFlagValues = Partial<Record<keyof typeof tokenFormFlags, string>>

/**
 * Converts the flags into fields of the endpoint. Wrong flags are reported before any request to Weir.
 * @throws UsageError
 */
export function parseTokenFields(
  given: TokenFlagValues,
): (money: () => Promise<MoneyView>) => Promise<Record<string, unknown>> {
  const { quota, expires, models } = given
  const isUnlimited = quota === UNLIMITED_QUOTA
  const fields = {
    ...(quota === undefined ? {} : { unlimited_quota: isUnlimited }),
    ...(quota === undefined || isUnlimited ? {} : { remain_quota: parseQuotaFlag('--quota', quota) }),
    ...(expires === undefined ? {} : { expired_time: parseExpiryFlag('--expires', expires) }),
    ...(models === undefined ? {} : { model_limits_enabled: models !== '', model_limits: models }),
    ...parseFlagValues(tokenForm, given, OWN_WAY),
  }
  return (money) => convertToUnits(fields, money)
}

const quotaHint = words("unlimited; or '$5', or quota units")
const QUOTA: FormQuestion = {
  ...buildQuestion(tokenForm, 'remain_quota'),
  name: 'quota',
  fallback: UNLIMITED_QUOTA,
  hint: quotaHint,
  check: (text) => (text === UNLIMITED_QUOTA ? undefined : findFlagProblem(() => parseQuotaFlag('--quota', text))),
}

const EXPIRES: FormQuestion = { ...buildExpiryQuestion(buildQuestion(tokenForm, 'expired_time')), name: 'expires' }
const MODELS: FormQuestion = {
  ...buildQuestion(tokenForm, 'model_limits', { hint: words('comma list; empty for all') }),
  name: 'models',
}

/** The questions of a new token; the names of answers are those of the flags. */
export const newTokenQuestions: readonly FormQuestion[] = [
  buildQuestion(tokenForm, 'name', { check: refuseEmptyText, fallback: 'token' }),
  QUOTA,
  EXPIRES,
  MODELS,
  {
    ...buildAmountQuestion(
      buildQuestion(tokenForm, 'budget_month'),
      '--budget-month',
      words('dollars (5usd) or quota units; empty for no limit'),
    ),
    fallback: '0',
  },
]

/** Returns every field of a token with its value. */
export function buildTokenQuestions(token: Token, money: MoneyView): FormQuestion[] {
  const [name, ...fields] = buildFieldQuestions(tokenForm, token, { without: OWN_WAY, money })
  const quota = token.unlimited_quota ? UNLIMITED_QUOTA : formatQuotaInput(token.remain_quota, money)
  const expires = token.expired_time === NEVER_EXPIRES ? '' : formatLocalTime(token.expired_time)
  return [
    { ...name!, check: refuseEmptyText },
    { ...QUOTA, initial: quota },
    { ...EXPIRES, initial: expires },
    { ...MODELS, initial: token.model_limits_enabled ? token.model_limits : '' },
    ...fields,
  ]
}

/** Writes changed fields of a token as flags. */
export const formatTokenFlags = ({ quota, expires, models, ...changed }: FormAnswers): string[] => [
  ...Object.entries({ quota, expires, models }).flatMap(([name, text]) =>
    text === undefined ? [] : [`--${name}=${text}`],
  ),
  ...formatFieldFlags(tokenForm, changed),
]
