// The token endpoints: everybody sees and changes their own, administrators switch and delete those of others.
import { authorOf } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { sliceFromZero, walk, walked } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { usableGroups } from '../groups/group.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage } from '../ports/storage.ts'
import { budgetUse } from '../quota/budget-use.ts'
import { createCalendar } from '../quota/calendar.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { SpentQuestion } from '../quota/store.ts'
import type { Settings } from '../settings/index.ts'
import { outranks } from '../users/authority.ts'
import type { User } from '../users/user.ts'
import type { tokens } from './contract.ts'
import { budgetKeys, budgetsDiffer, withBudgetUse } from './budget.ts'
import {
  isExhausted,
  isExpired,
  keyEnds,
  MAX_TOKEN_NAME,
  parseKey,
  TOKEN_STATUS,
  tokenList,
  tokenStatus,
  type Token,
} from './token.ts'

interface Ports {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
  settings(): Settings
}

const KEY_LENGTH = 48

type Asked = HandlerInput<typeof tokens.list> & Partial<HandlerInput<typeof tokens.search>>

export function createTokenHandlers({ storage, ledger, clock, random, settings }: Ports): Handlers<typeof tokens> {
  const now = () => seconds(clock)
  const calendar = createCalendar()
  const spent = (questions: SpentQuestion[]) => budgetUse(storage.ledger, questions)
  const shownAll = (list: Token[]) =>
    withBudgetUse(
      list.map((token) => ({ ...token, status: tokenStatus(token, now()) })),
      calendar,
      now(),
      spent,
    )
  const shown = async (token: Token) => (await shownAll([token]))[0] ?? fail('token.missing')
  const owner = (caller: Caller): User => caller.user ?? fail('access.login_required')

  /** Keys are told of one token at a time. */
  async function page(userId: number, { p, size, keyword = '', token = '', ...query }: Asked) {
    const key = parseKey(token)?.key ?? ''
    const way = walk(tokenList, query, sliceFromZero(p, size), { keyword })
    const found = await storage.tokens.listOfUser(userId, { keyword, key }, way.slice)
    const tokens = await shownAll(found.items.map(masked))
    return { data: tokens, total: found.total, ...walked(way, found) }
  }

  async function own(caller: Caller, id: number): Promise<Token> {
    const token = await storage.tokens.find(id)
    // Somebody else's token is answered as if it did not exist.
    return token && token.user_id === owner(caller).id ? token : fail('token.missing')
  }

  /** @throws GatewayError user.missing, user.edit_denied */
  async function managed(caller: Caller, userId: number): Promise<User> {
    const user = (await storage.users.find(userId)) ?? fail('user.missing')
    return outranks(caller, user.role) || user.id === caller.user?.id ? user : fail('user.edit_denied')
  }

  const masked = (token: Token): Token => ({ ...token, key: keyEnds(token.key) })

  function refuseSpent(token: Token) {
    if (isExpired(token, now())) fail('token.still_expired')
    if (isExhausted(token)) fail('token.still_exhausted')
  }

  /** A token never reaches further than its owner. */
  function checkForm(user: User, form: { name?: string; group?: string }) {
    if (form.name?.trim() === '') fail('token.name_required')
    if (form.name !== undefined && form.name.length > MAX_TOKEN_NAME) fail('token.name_long', { max: MAX_TOKEN_NAME })
    if (form.group && !Object.hasOwn(usableGroups(user.group, settings()), form.group)) {
      fail('group.disabled', { group: form.group })
    }
  }

  return {
    list: (query, { caller }) => page(owner(caller).id, query),
    search: (query, { caller }) => page(owner(caller).id, query),
    get: async ({ id }, { caller }) => shown(await own(caller, id)),
    async create({ remain_quota, unlimited_quota, ...form }, { caller }) {
      const user = owner(caller)
      checkForm(user, form)
      if (form.team_id !== 0 && !(await storage.teams.member(form.team_id, user.id))) fail('team.missing')
      const made = await storage.tokens.insert({
        ...form,
        user_id: user.id,
        key: random.text(KEY_LENGTH),
        status: TOKEN_STATUS.enabled,
        created_time: now(),
      })
      await ledger.setBudget({ id: made.id, remain_quota, unlimited_quota })
      await storage.announce({ topic: 'tokens', id: made.id })
      return shown({ ...made, remain_quota, unlimited_quota })
    },
    async update({ id, version, status, status_only, remain_quota, unlimited_quota, ...form }, { caller }) {
      const before = await own(caller, id)
      if (status_only && status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled) fail('status.unknown')
      const patch = status_only ? {} : form
      const budget = status_only
        ? {}
        : {
            ...(remain_quota === undefined ? {} : { remain_quota }),
            ...(unlimited_quota === undefined ? {} : { unlimited_quota }),
          }
      checkForm(owner(caller), patch)
      const after = { ...before, ...patch, ...budget }
      if (status_only && status === TOKEN_STATUS.enabled) refuseSpent(after)
      // A whole form only says what the status was when it was read.
      const wanted = status_only ? { status } : {}
      const raises = Object.entries({ ...patch, ...budget }).some(
        ([field, value]) => value !== undefined && value !== before[field as keyof Token],
      )
      await storage.tokens.update(id, { ...patch, ...wanted }, { version, raises })
      if (Object.keys(budget).length > 0) await ledger.setBudget({ id, ...budget })
      // Charges that no budget counted are in the entries: the next call has them counted from there.
      if (budgetsDiffer(before, after)) await ledger.recount(id, [...budgetKeys(before), ...budgetKeys(after)])
      await storage.announce({ topic: 'tokens', id })
      return shown(await own(caller, id))
    },
    async delete({ id }, { caller }) {
      await own(caller, id)
      await storage.tokens.delete(id)
      await storage.announce({ topic: 'tokens', id })
      return null
    },
    async ofUser({ user_id, ...query }, { caller }) {
      return page((await managed(caller, user_id)).id, query)
    },
    async manage({ id, action }, { caller }) {
      const token = (await storage.tokens.find(id)) ?? fail('token.missing')
      await managed(caller, token.user_id)
      if (action === 'enable') refuseSpent(token)
      const status = action === 'enable' ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled
      const text = ({ name, status, user_id }: Token) => JSON.stringify({ name, status, user_id })
      await storage.transaction(async (within) => {
        await (action === 'delete' ? within.tokens.delete(id) : within.tokens.update(id, { status }))
        const what = { action: `token.${action}`, target: String(id), created_at: now() }
        const after = action === 'delete' ? '' : text({ ...token, status })
        await within.audit.insert([{ ...authorOf(caller), ...what, before: text(token), after }])
      })
      await storage.announce({ topic: 'tokens', id })
      return shown(masked({ ...token, status }))
    },
  }
}
