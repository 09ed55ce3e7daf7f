// The advice about a call that failed: a sentence and the command that helps, by the reason that the log has of it.
import { parseCallDetail } from '../../core/calls/detail.ts'
import { LOG_ROW_TYPE } from '../../core/calls/log-entry.ts'
import { quoteShellWord } from '../../core/contract/command-line.ts'
import { errors, fillTemplate, toWords, type ErrorCode, type Words } from '../../core/errors.ts'
import { findFailureCode } from '../../core/logs/stored-failures.ts'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import { USER_ROLE, type User } from '../../core/users/user.ts'
import { words } from '../texts.ts'

/** An advice, with the command that carries it out; empty if no command does. */
export interface FailureAdvice {
  text: Words
  command: string
}

/** The commands of a rule: for administrators, and for the caller. `null` if only an administrator can help. */
interface AdviceRule {
  text: Words
  admin?: string
  own?: string | null
}

const spentBudget = (period: string): AdviceRule => {
  const command = `weir tokens edit {token} --budget-${period} AMOUNT{of_user}`
  return { text: SPENT_BUDGET, admin: command, own: command }
}

const SPENT_BUDGET = words('The budget of the token is spent: raise it, or wait until it renews.')
const editToken = (text: Words, flags: string): AdviceRule => {
  const command = `weir tokens edit {token} ${flags}{of_user}`
  return { text, admin: command, own: command }
}
const busy = (text: Words): AdviceRule => ({
  text,
  admin: 'weir tokens show {token}{of_user}',
  own: 'weir tokens show {token}',
})

const EMPTY_BALANCE: AdviceRule = {
  text: words('The balance is used up: add to it.'),
  admin: 'weir users topup {user} AMOUNT',
  own: 'weir topups buy AMOUNT',
}
const NO_PRICE: AdviceRule = {
  text: words('The model has no price: set one.'),
  admin: 'weir prices set {model} --input DOLLARS --output DOLLARS',
  own: null,
}
const OTHER_GROUP = editToken(words('The group cannot be used any more: give the token another one.'), '--group GROUP')
const SEND_FEWER = busy(words('A rate limit is reached: send fewer calls, or raise it.'))
const WRONG_REQUEST: AdviceRule = { text: words('The request itself is wrong: correct it as the error says.') }

/** The rules for calls that Weir refused, by the code of the error, or by its part before the point. */
export const REFUSAL_ADVICE: Readonly<Record<string, AdviceRule>> = {
  'quota.insufficient': EMPTY_BALANCE,
  'quota.owes': EMPTY_BALANCE,
  'quota.team_owes': {
    text: words('The balance of the team is used up: add to it.'),
    admin: 'weir teams topup TEAM AMOUNT --grant',
    own: 'weir teams topup TEAM AMOUNT',
  },
  'quota.token_insufficient': editToken(words('The token has spent its quota: raise it.'), '--quota AMOUNT'),
  'budget.day': spentBudget('day'),
  'budget.week': spentBudget('week'),
  'budget.month': spentBudget('month'),
  'budget.member': {
    text: words('The limit of the member is spent: raise it as an owner of the team, or wait until it renews.'),
    admin: 'weir teams member TEAM {user} --budget-day AMOUNT',
    own: 'weir teams members TEAM',
  },
  limit: SEND_FEWER,
  'model.not_allowed': editToken(words('The token may not use this model: allow it.'), '--models LIST'),
  'model.no_channel': {
    text: words('No channel serves the model to this group: add or enable one, or choose another model.'),
    admin: 'weir route explain --model {model} --group {group}',
    own: 'weir models',
  },
  'model.missing': {
    text: words('No channel serves the model: choose another one, or add it to a channel.'),
    admin: 'weir channels edit CHANNEL --add-models {model}',
    own: 'weir models',
  },
  'model.no_price': NO_PRICE,
  'model.no_price_root': NO_PRICE,
  group: OTHER_GROUP,
}

/** The rules for failures of providers, by their status; a status that is not listed counts by its first digit. */
export const PROVIDER_ADVICE: Readonly<Record<number, AdviceRule>> = {
  401: {
    text: words('The provider refuses the key of the channel: give it another one.'),
    admin: 'weir channels edit {channel} --key -',
    own: null,
  },
  402: {
    text: words('The account at the provider is used up: top it up there.'),
    admin: 'weir channels balance {channel}',
    own: null,
  },
  404: {
    text: words('The provider does not know the model or the path: compare the list of the provider.'),
    admin: 'weir channels models {channel} --provider',
    own: null,
  },
  429: {
    text: words('The provider limits the channel: add a key or another channel, or send the call again later.'),
    admin: 'weir channels keys add {channel} --key -',
    own: null,
  },
  4: WRONG_REQUEST,
  499: { text: words('The client closed the connection before the answer: give it more time.') },
  5: {
    text: words('The provider failed: send the call again later, and test the channel.'),
    admin: 'weir channels test {channel}',
    own: null,
  },
}

const SAME_AS: Readonly<Record<number, number>> = { 403: 401, 408: 5 }
const ANSWERED = words('The call was answered: nothing needs to be done.')
const ASK = words('{text} Ask an administrator, and give them the request id.')

/** Returns what to do about a call, for the person who asks. */
export function listCallAdvice(call: ChargeExplanation, reader: Pick<User, 'role' | 'username'>): FailureAdvice[] {
  const { log, attempts } = call
  const { refused, status_code = 0 } = parseCallDetail(log?.other ?? '')
  if (log?.type !== LOG_ROW_TYPE.error) return [{ text: ANSWERED, command: '' }]
  const failed = attempts.findLast(({ result }) => result === 'failed')
  const rule = refused ? findRefusalRule(refused.reason) : findProviderRule(failed?.status || status_code)
  const isAdmin = reader.role >= USER_ROLE.admin
  const quote = (name: string, otherwise: string) => (name === '' ? otherwise : quoteShellWord(name))
  return [
    toAdvice(rule, isAdmin, {
      user: quote(log.username, 'USER'),
      of_user: isAdmin && log.username !== reader.username ? ` --user ${quote(log.username, 'USER')}` : '',
      token: log.token_id > 0 ? String(log.token_id) : 'TOKEN',
      model: quote(call.asked_model ?? log.model_name, 'MODEL'),
      group: quote(log.group, 'default'),
      channel: String(failed?.channel ?? 'CHANNEL'),
    }),
  ]
}

/** Returns the declared error that a text is: its code, or its sentence in either language. */
export function findDeclaredError(text: string): ErrorCode | undefined {
  if (Object.hasOwn(errors, text)) return text as ErrorCode
  return findFailureCode(text.replace(/ \(request id: ?[\w-]*\)$/i, ''))
}

/** Returns what to do about an error of Weir of which no call is known. */
export const listErrorAdvice = (code: ErrorCode, { role }: Pick<User, 'role'>): FailureAdvice[] => [
  toAdvice(findRefusalRule(code), role >= USER_ROLE.admin, {
    user: 'USER',
    of_user: '',
    token: 'TOKEN',
    model: 'MODEL',
    group: 'GROUP',
    channel: 'CHANNEL',
  }),
]

function toAdvice({ text, admin = '', own = '' }: AdviceRule, isAdmin: boolean, names: Record<string, string>) {
  const command = fillTemplate(toWords(isAdmin ? admin : (own ?? '')), names).en
  return { text: !isAdmin && own === null ? fillTemplate(ASK, { text }) : text, command }
}

const findRefusalRule = (code: string): AdviceRule =>
  REFUSAL_ADVICE[code] ?? REFUSAL_ADVICE[code.split('.')[0] ?? ''] ?? (isUpstream(code) ? SERVER_FAILED : WRONG_REQUEST)

const isUpstream = (code: string) => Object.hasOwn(errors, code) && errors[code as ErrorCode].kind === 'upstream'
const SERVER_FAILED = PROVIDER_ADVICE[5]!

function findProviderRule(status: number): AdviceRule {
  const ruleStatus = SAME_AS[status] ?? status
  return PROVIDER_ADVICE[ruleStatus] ?? PROVIDER_ADVICE[Math.floor(ruleStatus / 100)] ?? SERVER_FAILED
}
