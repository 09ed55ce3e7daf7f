// Display of API tokens, and search by name.
import type { WeirClient } from '../../core/contracts.ts'
import { composeWords, type Words } from '../../core/errors.ts'
import { parseSeparatedList, NEVER_EXPIRES, TOKEN_STATUS, getTokenStatus, type Token } from '../../core/tokens/token.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, flag, list, money, text, time, word, type OutputView } from '../output/view.ts'
import { NEVER_WORDS, STATES, stateTone, toStateWord } from './states.data.ts'

const { enabled, disabled, expired, exhausted } = STATES
const UNLIMITED = words('unlimited')
const NONE = words('none', { context: 'limit' })
const ALL = words('all')

/** Returns the effective state. */
export const getTokenState = (token: Token): string =>
  toStateWord(TOKEN_STATUS, getTokenStatus(token, Math.floor(Date.now() / 1000)))

/** Declares a field for a limit; 0 means no limit. */
const limit = <T>(of: (token: Token) => number, made: (shown: object) => T): T =>
  made({
    shown: (token: Token, { language }: { language: keyof Words }) => (of(token) === 0 ? NONE[language] : undefined),
  })
const budget = (title: Words, of: (token: Token) => number) => limit(of, (shown) => money<Token>(title, 0, of, shown))
const rate = (title: Words, of: (token: Token) => number) => limit(of, (shown) => count<Token>(title, 0, of, shown))

export const tokenRowView: OutputView<Token> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  slug: text(words('SLUG'), 0, ({ slug }) => slug),
  key: text(words('KEY', { context: 'secret' }), 2, ({ key }) => key),
  status: word(words('STATUS'), 1, { enabled, disabled, expired, exhausted }, getTokenState, {
    tone: (token) => stateTone(getTokenState(token)),
  }),
  remain_quota: money(words('LEFT'), 1, (token) => (token.unlimited_quota ? null : token.remain_quota), {
    shown: (token, { language }) => (token.unlimited_quota ? UNLIMITED[language] : undefined),
  }),
  unlimited_quota: flag(words('UNLIMITED'), 0, (token) => token.unlimited_quota),
  used_quota: money(words('USED'), 2, (token) => token.used_quota),
  expires: time(words('EXPIRES'), 3, (token) => token.expired_time, {
    shown: (token, { language }) => (token.expired_time === NEVER_EXPIRES ? NEVER_WORDS[language] : undefined),
  }),
  group: text(words('GROUP'), 4, ({ group }) => group, { flexible: true }),
  models: list(
    words('MODELS'),
    4,
    (token) => (token.model_limits_enabled ? parseSeparatedList(token.model_limits) : null),
    {
      flexible: true,
      shown: (token, { language }) => (token.model_limits_enabled ? undefined : ALL[language]),
    },
  ),
  user_id: count(words('USER ID'), 0, (token) => token.user_id),
  team_id: count(words('TEAM ID'), 0, (token) => token.team_id || null),
  budget_day: budget(words('DAY BUDGET'), (token) => token.budget_day),
  budget_week: budget(words('WEEK BUDGET'), (token) => token.budget_week),
  budget_month: budget(words('MONTH BUDGET'), (token) => token.budget_month),
  time_zone: text(words('TIME ZONE'), 0, (token) => token.time_zone),
  requests_per_minute: rate(words('CALLS A MINUTE'), (token) => token.requests_per_minute),
  tokens_per_minute: rate(words('TOKENS A MINUTE'), (token) => token.tokens_per_minute),
  max_concurrent: rate(words('CALLS AT ONCE'), (token) => token.max_concurrent),
  allow_ips: list(words('ADDRESSES'), 0, (token) => parseSeparatedList(token.allow_ips)),
  fallback_models: list(words('FALLBACKS'), 0, (token) => parseSeparatedList(token.fallback_models)),
  last_use: time(words('LAST USE'), 0, (token) => token.accessed_time),
  created: time(words('CREATED'), 0, (token) => token.created_time),
}

/** A token of a team, with the name of its member. */
export const teamTokenView: OutputView<Token & { username: string }> = {
  ...tokenRowView,
  member: text(words('MEMBER'), 1, ({ username }) => username, { flexible: true }),
}

const PAGE_SIZE = 100

/** Lists the caller's tokens, page by page, newest first; keys show only their ends. */
/** The filter of a list of tokens. */
export type TokenFilter = Pick<
  NonNullable<Parameters<WeirClient['tokens']['search']>[0]>,
  'keyword' | 'status' | 'group'
>

export async function* listOwnTokens(weir: WeirClient, filter: TokenFilter = {}): AsyncGenerator<Token[]> {
  for (let cursor = '', hasMore = true; hasMore; hasMore = cursor !== '') {
    const { data, next_cursor } = await weir.tokens.search({ ...filter, size: PAGE_SIZE, cursor })
    yield data
    cursor = next_cursor
  }
}

/** Lists another user's tokens, page by page. */
export async function* listUserTokens(
  weir: WeirClient,
  user_id: number,
  filter: TokenFilter = {},
): AsyncGenerator<Token[]> {
  for (let cursor = '', hasMore = true; hasMore; hasMore = cursor !== '') {
    const { data, next_cursor } = await weir.tokens.ofUser({ ...filter, user_id, size: PAGE_SIZE, cursor })
    yield data
    cursor = next_cursor
  }
}

/** Returns another user's token by id or name, without its key. @throws Refusal if none or several match */
export async function findRequiredUserToken(weir: WeirClient, user_id: number, name: string): Promise<Token> {
  const rows = await collectPages(listUserTokens(weir, user_id))
  const missing = words('User {user_id} has no token "{name}": see `weir tokens --user`.')
  return (
    rows.find(({ id }) => String(id) === name) ??
    findToken(
      name,
      rows,
      composeWords((language) => missing[language].replace('{user_id}', String(user_id))),
    )
  )
}

/** Returns the caller's token by id or name, with its key. @throws Refusal if none or several match */
export async function findRequiredToken(weir: WeirClient, name: string): Promise<Token> {
  if (/^\d+$/.test(name)) return weir.tokens.get({ id: Number(name) })
  const rows = await collectPages(listOwnTokens(weir, { keyword: name }))
  const found = await findToken(name, rows, words('You have no token "{name}": see `weir tokens`.'), async () =>
    (await collectPages(listOwnTokens(weir))).map((token) => token.name),
  )
  return weir.tokens.get({ id: found.id })
}

/** Returns the id of a token by id, or of the caller's by name; an id is not looked up. @throws Refusal */
export const findTokenId = async (weir: WeirClient, name: string): Promise<number> =>
  /^\d+$/.test(name) ? Number(name) : (await findRequiredToken(weir, name)).id

const getTokenNames = ({ name, slug }: Token) => [name, slug]

const findToken = (name: string, rows: readonly Token[], missing: Words, listNames?: () => Promise<string[]>) =>
  findByName({
    name,
    rows,
    getNames: getTokenNames,
    describe: ({ id }) => String(id),
    missing,
    several: words('Several tokens are called "{name}": give the id, one of {ids}.'),
    kind: 'token',
    ...(listNames ? { listNames } : {}),
  })

async function collectPages(pages: AsyncIterable<readonly Token[]>): Promise<Token[]> {
  const all: Token[] = []
  for await (const page of pages) all.push(...page)
  return all
}
