// Balances and counters in memory, if one process owns the database: a hold is checked and reserved in one synchronous
// step. Also finds the accounts and counters that a group commit touches, and loads counters from the database.
import type { Clock } from '../ports/clock.ts'
import type { Calendar } from './calendar.ts'
import type { Hold } from './hold.ts'
import { type BudgetLimit, type Counters, createEmptyCounter, type Limit, parseCounter, setSpent } from './limits.ts'
import type { LedgerOperation } from './operation.ts'
import type { Account, LedgerStore, LedgerTransaction, LedgerWrite, TokenAccount } from './store.ts'

export interface Accounts {
  /** True if all of these accounts are in memory. Accounts that do not exist never are. */
  has(ids: AccountIds): boolean
  /** True if the accounts of this hold are in memory. */
  hasFor(hold: Hold): boolean
  /** Loads those of these accounts that exist into memory. */
  load(ids: AccountIds): Promise<void>
  /** Reads these accounts again. Their reservations stay. */
  refresh(ids: AccountIds): Promise<void>
  account(id: number): Account | undefined
  token(id: number | null): TokenAccount | undefined
  /** Adds to the quota that is reserved on the accounts of a hold. A negative amount frees it. */
  reserve(hold: Hold, amount: number): void
  /** Copies for a commit to work on; the accounts stay in memory until `unpin`. */
  pin(ids: AccountIds): { accounts: Map<number, Account>; tokens: Map<number, TokenAccount>; unpin(): void }
  /** Takes over the durable changes of a commit. */
  apply(write: LedgerWrite): void
}

/** Maximum number of accounts in memory. Idle ones above it are dropped and read again when needed. */
const MAX_ACCOUNTS = 100_000

export function createAccounts(store: LedgerStore): Accounts {
  const accounts = createShelf<Account>(async (ids) => (await read(ids, [])).accounts)
  const tokens = createShelf<TokenAccount>(async (ids) => (await read([], ids)).tokens)
  const read = (accountIds: number[], tokenIds: number[]) =>
    store.transact((transaction) => transaction.accounts(accountIds, tokenIds))

  return {
    has: (ids) => ids.accounts.every(accounts.has) && ids.tokens.every(tokens.has),
    hasFor: ({ account_id, token_id }) => accounts.has(account_id) && (token_id === null || tokens.has(token_id)),
    async load(ids) {
      await Promise.all([accounts.load(ids.accounts), tokens.load(ids.tokens)])
    },
    async refresh(ids) {
      const stored = await read(ids.accounts, ids.tokens)
      accounts.refresh(stored.accounts)
      tokens.refresh(stored.tokens)
    },
    account: accounts.get,
    token: (id) => (id === null ? undefined : tokens.get(id)),
    reserve({ account_id, token_id }, amount) {
      const account = accounts.get(account_id)
      if (account) account.held += amount
      const token = token_id === null ? undefined : tokens.get(token_id)
      if (token) token.held += amount
    },
    pin(ids) {
      const pinnedAccounts = accounts.pin(ids.accounts)
      const pinnedTokens = tokens.pin(ids.tokens)
      return {
        accounts: pinnedAccounts.copies,
        tokens: pinnedTokens.copies,
        unpin() {
          pinnedAccounts.unpin()
          pinnedTokens.unpin()
        },
      }
    },
    apply(write) {
      for (const { id, quota, aff_quota, entries_hash } of write.accounts) {
        const account = accounts.get(id)
        if (!account) continue
        account.quota += quota
        account.aff_quota += aff_quota
        account.entries_hash = entries_hash ?? account.entries_hash
      }
      for (const budget of write.budgets) Object.assign(tokens.get(budget.id) ?? {}, budget)
      for (const { id, remain_quota } of write.tokens) {
        const token = tokens.get(id)
        if (token) token.remain_quota += remain_quota
      }
    },
  }
}

/** An account in memory, and the number of commits that work on it. */
interface CachedAccount<T> {
  account: T
  pins: number
}

/**
 * Creates a cache for one kind of account. It fetches missing ids, each once, and drops the accounts that have been
 * idle longest.
 */
function createShelf<T extends { id: number; held: number }>(fetch: (ids: number[]) => Promise<T[]>) {
  const cached = new Map<number, CachedAccount<T>>()
  const loading = new Map<number, Promise<void>>()

  function makeRoom() {
    for (const [id, { account, pins }] of cached) {
      if (cached.size <= MAX_ACCOUNTS) return
      if (account.held === 0 && pins === 0) cached.delete(id)
    }
  }

  return {
    get: (id: number) => cached.get(id)?.account,
    has: (id: number) => cached.has(id),
    async load(ids: number[]): Promise<void> {
      const missing = ids.filter((id) => !cached.has(id) && !loading.has(id))
      if (missing.length > 0) {
        const work = fetch(missing)
          .then((accounts) => {
            for (const account of accounts) cached.set(account.id, { account: { ...account, held: 0 }, pins: 0 })
            if (cached.size > MAX_ACCOUNTS) makeRoom()
          })
          .finally(() => missing.forEach((id) => loading.delete(id)))
        for (const id of missing) loading.set(id, work)
      }
      await Promise.all(ids.map((id) => loading.get(id)))
    },
    /** Replaces the stored fields. The reservations stay. */
    refresh(accounts: T[]) {
      for (const account of accounts) {
        const known = cached.get(account.id)?.account
        if (known) Object.assign(known, account, { held: known.held })
      }
    },
    pin(ids: number[]) {
      const copies = new Map<number, T>()
      const pinned: CachedAccount<T>[] = []
      for (const id of ids) {
        const known = cached.get(id)
        if (!known) continue
        known.pins += 1
        pinned.push(known)
        copies.set(id, { ...known.account })
      }
      return {
        copies,
        unpin() {
          for (const known of pinned) known.pins -= 1
        },
      }
    },
  }
}

// The accounts that a group commit touches.

/** Distinct accounts, each list in ascending order: the order in which they are locked. */
interface AccountIds {
  accounts: number[]
  tokens: number[]
}

/** The accounts that operations touch. */
export function collectAccountIds(operations: LedgerOperation[]): AccountIds {
  const accounts = new Set<number>()
  const tokens = new Set<number>()
  for (const each of operations) {
    if (each.kind === 'budget') tokens.add(each.budget.id)
    else if (each.kind === 'recount') {
      if (each.token_id !== null) tokens.add(each.token_id)
    } else if (each.kind === 'credit') {
      accounts.add(each.account_id)
      if (each.from !== undefined) accounts.add(each.from)
      if (each.earnings) accounts.add(each.earnings.user_id)
      if (each.of && each.of.token_id !== null) tokens.add(each.of.token_id)
    } else {
      accounts.add(each.hold.account_id)
      if (each.hold.token_id !== null) tokens.add(each.hold.token_id)
    }
  }
  return { accounts: ascending(accounts), tokens: ascending(tokens) }
}

const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)

// Loads counters: from rows of the database, and from the ledger's entries for a budget that was never counted. If one
// process owns the database, windows and calls in progress exist only in its memory.

/** Counters by key, each with its limit and its payer. */
type RequiredCounters = Map<string, { limit: Limit; account_id: number; token_id: number | null }>

const NOTHING: RequiredCounters = new Map()

/** Returns the counters that operations need. Most need none. */
export function collectCounters(operations: LedgerOperation[], which: 'all' | 'budgets'): RequiredCounters {
  let required = NOTHING
  for (const each of operations) {
    if (each.kind === 'credit' || each.kind === 'budget' || each.kind === 'recount' || !each.hold.claims) continue
    const { account_id, token_id, claims } = each.hold
    for (const limit of claims.limits) {
      if (which === 'budgets' && limit.kind !== 'budget') continue
      if (required === NOTHING) required = new Map()
      required.set(limit.key, { limit, account_id, token_id })
    }
  }
  return required
}

/** Reads counters, and locks them if the database is shared. `databaseNow` in epoch ms. */
export async function readCounters(
  transaction: LedgerTransaction,
  required: RequiredCounters,
  calendar: Calendar,
  databaseNow: number,
): Promise<Counters> {
  const rows = await transaction.counters([...required.keys()])
  const counters: Counters = new Map(rows.map((row) => [row.key, parseCounter(row)]))
  const counted = new Set(rows.filter(({ state }) => state !== '').map(({ key }) => key))
  const uncounted = [...required].flatMap(([key, { limit, account_id, token_id }]) => {
    if (limit.kind !== 'budget' || counted.has(key)) return []
    const { member } = limit
    if (token_id === null && !member) return []
    const payer = member ? { token_id: null, by_user_id: member.user_id } : { token_id, by_user_id: null }
    return [{ key, account_id, ...payer, span: getBudgetSpan(limit, calendar, databaseNow) }]
  })
  if (uncounted.length === 0) return counters
  const spent = await transaction.spent(uncounted.map(({ span, ...question }) => ({ ...question, since: span.start })))
  const amounts = new Map(spent.map((each) => [each.key, each.spent]))
  for (const { key, span } of uncounted) {
    const counter = createEmptyCounter(key)
    setSpent(counter, span, amounts.get(key) ?? 0)
    counters.set(key, counter)
  }
  return counters
}

const getBudgetSpan = ({ period, zone }: BudgetLimit, calendar: Calendar, databaseNow: number) =>
  calendar.span(period, zone, Math.floor(databaseNow / 1000))

/** The counters of a process that owns the database alone. */
interface OwnCounters {
  readonly all: Counters
  /** Loads the budgets that these operations touch into memory. */
  load(operations: LedgerOperation[]): Promise<void>
  /** Copies of budgets for a commit to work on; they stay in memory until `unpin`. */
  ground(operations: LedgerOperation[]): { budgets: Counters; unpin(): void }
  /** Takes over the durable changes of a commit. */
  apply(budgets: Counters): void
  /** Drops budgets, so that they are recounted. */
  forget(keys: readonly string[]): void
  /** Drops expired counters. */
  prune(): void
}

/**
 * Maximum number of counters in memory. Above it the oldest are dropped, budgets and idle ones first: bounded memory
 * matters more than exact counts.
 */
const MAX_COUNTERS = 100_000

export function createOwnCounters(
  store: LedgerStore,
  calendar: Calendar,
  clock: Pick<Clock, 'now' | 'systemTime'>,
): OwnCounters {
  const all: Counters = new Map()
  const pins = new Map<string, number>()
  const loading = new Map<string, Promise<void>>()

  function prune() {
    const time = clock.now()
    for (const [key, counter] of all) {
      if (counter.expires <= time && !pins.has(key)) all.delete(key)
    }
    for (const [key, { expires }] of all) {
      if (all.size <= MAX_COUNTERS) return
      // A call in progress is still counted down when it ends. A budget can be read again.
      if (expires !== Number.MAX_SAFE_INTEGER && !pins.has(key)) all.delete(key)
    }
  }

  async function load(operations: LedgerOperation[]): Promise<void> {
    const required = collectCounters(operations, 'budgets')
    if (required.size === 0) return
    if (all.size > MAX_COUNTERS) prune()
    const missing: RequiredCounters = new Map()
    for (const [key, each] of required) if (!all.has(key) && !loading.has(key)) missing.set(key, each)
    if (missing.size > 0) {
      const work = store
        .transact((transaction) => readCounters(transaction, missing, calendar, clock.systemTime()))
        .then((read) => read.forEach((counter, key) => all.set(key, counter)))
        .finally(() => missing.forEach((_, key) => loading.delete(key)))
      for (const key of missing.keys()) loading.set(key, work)
    }
    await Promise.all([...required.keys()].map((key) => loading.get(key)))
  }

  return {
    all,
    load,
    ground(operations) {
      const keys = [...collectCounters(operations, 'budgets').keys()]
      const budgets: Counters = new Map()
      for (const key of keys) {
        const counter = all.get(key)
        if (counter) budgets.set(key, { ...counter, changed: false })
        pins.set(key, (pins.get(key) ?? 0) + 1)
      }
      return {
        budgets,
        unpin: () =>
          keys.forEach((key) => {
            const left = (pins.get(key) ?? 1) - 1
            if (left > 0) pins.set(key, left)
            else pins.delete(key)
          }),
      }
    },
    apply(budgets) {
      for (const [key, counter] of budgets) if (counter.changed) all.set(key, { ...counter, changed: false })
    },
    forget: (keys) => keys.forEach((key) => all.delete(key)),
    prune,
  }
}
