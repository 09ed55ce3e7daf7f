// Keys that programs call with.
import type { Feature } from '../feature.ts'
import { tokensContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import { type Caller, type ContractHandlers, hasAccess } from '../auth/caller.ts'
import { getBudgetUse } from '../quota/limits.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { toPageReply, sliceFromOne, sliceFromZero, resolveCursor, buildCursorReply } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { listUsableGroups } from '../groups/group.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage } from '../ports/storage.ts'
import { createCalendar } from '../quota/calendar.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { SpentQuestion } from '../quota/store.ts'
import type { Settings } from '../settings/index.ts'
import { isCallerAbove } from '../users/authority.ts'
import type { User } from '../users/user.ts'
import { listBudgetKeys, haveBudgetsChanged, withBudgetUse } from './budget.ts'
import type { Token } from './token.ts'
import {
  isExhausted,
  isExpired,
  formatKeyEnds,
  formatKnownKey,
  MAX_TOKEN_NAME,
  parseCredentialKey,
  TOKEN_STATUS,
  tokenListOrder,
  getTokenStatus,
} from './token.ts'

interface TokenPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
  settings(): Settings
}

const KEY_LENGTH = 48

type TokenForm = HandlerInput<typeof tokensContract.create>
type TokenChange = Partial<Omit<HandlerInput<typeof tokensContract.update>, 'id' | 'status_only'>>

/** Returns the audited fields of a token; `changed` are further fields. */
const toAuditText = (token: Partial<Token>, changed: readonly (keyof Token)[] = []): string =>
  JSON.stringify(Object.fromEntries([...TOLD, ...changed].map((field) => [field, token[field]])))
/** How far a new one reaches. */
const MADE_WITH = ['team_id', 'group', 'remain_quota', 'unlimited_quota'] as const
const TOLD = ['name', 'status', 'user_id'] as const satisfies readonly (keyof Token)[]

type TokenListQuery = HandlerInput<typeof tokensContract.list> & Partial<HandlerInput<typeof tokensContract.search>>

function createTokenHandlers({
  storage,
  ledger,
  clock,
  random,
  settings,
}: TokenPorts): ContractHandlers<typeof tokensContract> {
  const now = () => seconds(clock)
  const calendar = createCalendar()
  const spent = (questions: SpentQuestion[]) => getBudgetUse(storage.ledger, questions)
  const shownAll = (list: Token[]) =>
    withBudgetUse(
      list.map((token) => ({ ...token, key: formatKnownKey(token.key), status: getTokenStatus(token, now()) })),
      { calendar, zone: settings().ReportTimeZone, nowSeconds: Math.floor(ledger.databaseTime() / 1000) },
      spent,
    )
  const shown = async (token: Token) => (await shownAll([token]))[0] ?? fail('token.missing')
  const owner = (caller: Caller): User => caller.user ?? fail('access.login_required')

  /** Lists tokens with masked keys. A full key is returned for one token at a time. */
  async function page(userId: number, { p, size, keyword = '', token = '', status, group, ...query }: TokenListQuery) {
    const key = parseCredentialKey(token)?.key ?? ''
    const by = { keyword, status, group }
    const way = resolveCursor(tokenListOrder, query, sliceFromZero(p, size), by)
    const found = await storage.tokens.listOfUser(userId, { ...by, key }, way.slice)
    const tokens = await shownAll(found.items.map(masked))
    return { data: tokens, total: found.total, ...buildCursorReply(way, found) }
  }

  async function own(caller: Caller, id: number): Promise<Token> {
    const token = await storage.tokens.find(id)
    // Somebody else's token is answered as if it did not exist.
    return token && token.user_id === owner(caller).id ? token : fail('token.missing')
  }

  /** @throws GatewayError user.missing, user.edit_denied */
  async function managed(caller: Caller, userId: number): Promise<User> {
    const user = (await storage.users.find(userId)) ?? fail('user.missing')
    return isCallerAbove(caller, user.role) || user.id === caller.user?.id ? user : fail('user.edit_denied')
  }

  /** @throws GatewayError user.missing, user.edit_denied, user.deregistered */
  async function managedToChange(caller: Caller, userId: number): Promise<User> {
    const user = await managed(caller, userId)
    return user.DeletedAt === null ? user : fail('user.deregistered')
  }

  /** Builds the audit row for a change to another user's token. */
  const buildAuditRow = (caller: Caller, action: string, id: number, before: string, after: string) => [
    {
      ...toAuditAuthor(caller),
      action: `token.${action}`,
      target: String(id),
      created_at: now(),
      before,
      after,
    },
  ]

  const masked = <T extends Token>(token: T): T => ({ ...token, key: formatKeyEnds(token.key) })

  function refuseSpent(token: Token) {
    if (isExpired(token, now())) fail('token.still_expired')
    if (isExhausted(token)) fail('token.still_exhausted')
  }

  /** A token never reaches further than its owner. */
  function checkForm(user: User, form: { name?: string; group?: string }) {
    if (form.name?.trim() === '') fail('token.name_required')
    if (form.name !== undefined && form.name.length > MAX_TOKEN_NAME) fail('token.name_long', { max: MAX_TOKEN_NAME })
    if (form.group && !Object.hasOwn(listUsableGroups(user.group, settings()), form.group)) {
      fail('group.disabled', { group: form.group })
    }
  }

  /** @param by the administrator who creates it for the user; undefined for the user */
  async function make(user: User, { remain_quota, unlimited_quota, ...given }: TokenForm, by?: Caller) {
    const form = limited(given)
    checkForm(user, form)
    const { team_id } = form
    const made = await storage.transaction(async (within) => {
      // The lock ensures that a member who is removed concurrently leaves no token of the team.
      if (team_id !== 0 && !((await within.teams.lock(team_id)) && (await within.teams.member(team_id, user.id))))
        fail('team.missing')
      const token = await within.tokens.insert({
        ...form,
        user_id: user.id,
        key: random.text(KEY_LENGTH),
        status: TOKEN_STATUS.enabled,
        created_time: now(),
      })
      const after = toAuditText({ ...token, ...form, remain_quota, unlimited_quota }, MADE_WITH)
      if (by) await within.audit.insert(buildAuditRow(by, 'create', token.id, '', after))
      return token
    })
    await ledger.setBudget({ id: made.id, remain_quota, unlimited_quota })
    await storage.announce({ topic: 'tokens', id: made.id })
    return shown({ ...made, remain_quota, unlimited_quota })
  }

  /** @param by the administrator who changes it for the user; undefined for the user */
  async function change(user: User, before: Token, { version, status, ...given }: TokenChange, by?: Caller) {
    const { remain_quota, unlimited_quota, ...patch } = limited(given)
    const budget = {
      ...(remain_quota === undefined ? {} : { remain_quota }),
      ...(unlimited_quota === undefined ? {} : { unlimited_quota }),
    }
    checkForm(user, patch)
    const after = { ...before, ...patch, ...budget }
    const changed = Object.entries({ ...patch, ...budget }).flatMap(([field, value]) =>
      value !== undefined && value !== before[field as keyof Token] ? [field as keyof Token] : [],
    )
    const { id } = before
    await storage.transaction(async (within) => {
      const edit = { version, raises: changed.length > 0 }
      await within.tokens.update(id, { ...patch, ...(status === undefined ? {} : { status }) }, edit)
      if (by && edit.raises)
        await within.audit.insert(
          buildAuditRow(by, 'update', id, toAuditText(before, changed), toAuditText(after, changed)),
        )
    })
    if (Object.keys(budget).length > 0) await ledger.setBudget({ id, ...budget })
    // Charges that no budget counted are in the entries: the next call has them counted from there.
    const zone = settings().ReportTimeZone
    if (haveBudgetsChanged(before, after))
      await ledger.recount(id, [...listBudgetKeys(before, zone), ...listBudgetKeys(after, zone)])
    await storage.announce({ topic: 'tokens', id })
    return shown((await storage.tokens.find(id)) ?? fail('token.missing'))
  }

  return {
    list: (query, { caller }) => page(owner(caller).id, query),
    search: (query, { caller }) => page(owner(caller).id, query),
    get: async ({ id }, { caller }) => shown(await own(caller, id)),
    create: (form, { caller }) => make(owner(caller), form),
    async update({ id, version, status, status_only, ...form }, { caller }) {
      const before = await own(caller, id)
      // A whole form repeats the status that was read.
      if (!status_only) return change(owner(caller), before, { ...form, version })
      if (status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled) fail('status.unknown')
      if (status === TOKEN_STATUS.enabled) refuseSpent(before)
      return change(owner(caller), before, { version, status })
    },
    async createOf({ user_id, ...form }, { caller }) {
      return make(await managedToChange(caller, user_id), form, caller)
    },
    async updateOf({ user_id, id, version, ...form }, { caller }) {
      const user = await managedToChange(caller, user_id)
      const token = await storage.tokens.find(id)
      if (token?.user_id !== user.id) fail('token.missing')
      return masked(await change(user, token, { ...form, version }, caller))
    },
    async delete({ id }, { caller }) {
      await own(caller, id)
      if (!(await storage.tokens.delete(id))) fail('token.missing')
      await storage.announce({ topic: 'tokens', id })
      return null
    },
    async ofUser({ user_id, ...query }, { caller }) {
      return page((await managed(caller, user_id)).id, query)
    },
    async ofTeam({ id, ...query }, { caller }) {
      await refuseOthers(storage, caller, id)
      const { items, ...count } = await storage.tokens.listOfTeam(id, sliceFromOne(query))
      const names = new Map((await storage.teams.members(id)).map(({ user_id, username }) => [user_id, username]))
      const shownTokens = await shownAll(items.map(masked))
      return toPageReply(query, {
        ...count,
        items: shownTokens.map((token) => ({ ...token, username: names.get(token.user_id) ?? '' })),
      })
    },
    async manage({ id, action }, { caller }) {
      const token = (await storage.tokens.find(id)) ?? fail('token.missing')
      await managed(caller, token.user_id)
      if (action === 'enable') refuseSpent(token)
      const status = action === 'enable' ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled
      await storage.transaction(async (within) => {
        if (action !== 'delete') await within.tokens.update(id, { status })
        else if (!(await within.tokens.delete(id))) fail('token.missing')
        const after = action === 'delete' ? '' : toAuditText({ ...token, status })
        await within.audit.insert(buildAuditRow(caller, action, id, toAuditText(token), after))
      })
      await storage.announce({ topic: 'tokens', id })
      return shown(masked({ ...token, status }))
    },
  }
}

/** Converts the limits from one-api's names to those of Weir. */
function limited<F extends TokenLimits>({ models, subnet, ...form }: F): Omit<F, 'models' | 'subnet'> {
  return {
    ...form,
    ...(models === undefined ? {} : { model_limits: models, model_limits_enabled: models !== '' }),
    ...(subnet === undefined ? {} : { allow_ips: subnet }),
  }
}

interface TokenLimits {
  models?: string | undefined
  subnet?: string | undefined
}

/** A team is its owners' business, and the administrators'. @throws GatewayError team.missing, team.owner_only */
async function refuseOthers({ teams }: Storage, caller: Caller, teamId: number): Promise<void> {
  if (!(await teams.find(teamId))) fail('team.missing')
  if (hasAccess(caller, 'admin')) return
  const own = (await teams.member(teamId, caller.user?.id ?? 0)) ?? fail('team.missing')
  if (own.role !== 'owner') fail('team.owner_only')
}

export const tokensFeature: Feature<TokenPorts, typeof tokensContract> = {
  contract: tokensContract,
  handlers: createTokenHandlers,
}
