// Loads counters: from rows of the database, and from the ledger's entries for a budget that was never counted. If one
// process owns the database, windows and calls in progress exist only in its memory.
import type { Clock } from '../ports/clock.ts'
import type { Calendar } from './calendar.ts'
import { type BudgetLimit, type Counters, createEmptyCounter, type Limit, parseCounter, setSpent } from './limits.ts'
import type { LedgerOperation } from './operation.ts'
import type { LedgerStore, LedgerTransaction } from './store.ts'

/** Counters by key, each with its limit and its payer. */
export type RequiredCounters = Map<string, { limit: Limit; account_id: number; token_id: number | null }>

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
export interface OwnCounters {
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
