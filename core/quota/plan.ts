// One group commit, worked out in memory: operations in arrival order become one set of writes. Pure.
import { GatewayError } from '../errors.ts'
import type { NewLogEntry } from '../logs/log.ts'
import { CHAIN_START, entryHash, type Digest } from './chain.ts'
import { rowOf, type CounterRow } from './counter.ts'
import { refusal, type Hold, type Payer } from './hold.ts'
import type { EntryKind } from './ledger-entry.ts'
import { holdRow } from './hold-row.ts'
import { correct, leave, limitRefusal, spend, take, type Counting } from './limit.ts'
import type { LedgerWrite, TokenAccount, TokenBudget, UserAccount } from './store.ts'

/** What a finished call costs. `billable` false means nothing was used: no counter moves. */
export interface Settlement {
  quota: number
  channel_id: number
  billable: boolean
  /** Names the call in the entry, so that it can be explained without any log. */
  request_id?: string
  /** Prompt and answer together, as used; limits of tokens per minute go on with the estimate where this is absent. */
  tokens?: number
}

/** What an account earns by inviting (counted as one more invited), or (negative) moves out of its earnings. */
export interface Earnings {
  user_id: number
  /** Quota units. */
  amount: number
}

export type Operation =
  | { kind: 'hold'; hold: Hold; payer: Payer; free: boolean }
  | { kind: 'settle'; hold: Hold; settlement: Settlement; log?: NewLogEntry }
  | { kind: 'release'; hold: Hold; log?: NewLogEntry }
  | {
      kind: 'credit'
      user_id: number
      entry: EntryKind
      amount: number
      reference: string | null
      by_user_id: number | null
      earnings?: Earnings
      log?: NewLogEntry
    }
  | { kind: 'budget'; budget: TokenBudget }
  | { kind: 'recount'; token_id: number; keys: string[] }

/** What the database knows at the start of the commit. */
export interface Ground {
  users: Map<number, UserAccount>
  tokens: Map<number, TokenAccount>
  /** Ids of holds that are still reserved. */
  open: Set<string>
  /** Ids of holds that have been charged. */
  charged: Set<string>
  /** `kind reference` of credits that have been made. */
  references: Set<string>
  /** Absent where no operation has limits. In memory mode it has budgets only. */
  counting?: Counting
}

/** For each operation: done, without effect (it had happened before), or refused. */
export type Verdict = 'done' | 'repeated' | GatewayError

export const referenceKey = (kind: string, reference: string) => `${kind} ${reference}`

/**
 * Applies the operations to the ground (which is changed) and collects what to write.
 * `rows` says whether holds are kept as rows (several processes on one database) or in memory.
 */
export function plan(
  operations: Operation[],
  ground: Ground,
  now: number,
  rows: { process_id: string } | null,
  digest: Digest,
): { write: LedgerWrite; verdicts: Verdict[] } {
  const sums = createSums(ground, now, digest)
  const verdicts = operations.map((operation): Verdict => {
    switch (operation.kind) {
      case 'hold': {
        const { hold, payer, free } = operation
        const user = ground.users.get(hold.user_id)
        const token = payer.token ? ground.tokens.get(payer.token.id) : undefined
        const { amount, claims } = hold
        const counting = claims && ground.counting
        const refused =
          (counting && limitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counting)) ??
          refusal(payer, amount, free, user, token)
        if (refused) return refused
        if (counting) take(claims, counting)
        ground.open.add(hold.id)
        sums.reserve(hold, hold.amount)
        if (rows) sums.write.holds.push(holdRow(hold, rows.process_id))
        return 'done'
      }
      case 'settle': {
        const { hold, settlement, log } = operation
        if (ground.charged.has(hold.id)) return 'repeated'
        // A hold swept while its process was only asleep is still charged in full: the work was done.
        const open = ground.open.delete(hold.id)
        if (open) sums.reserve(hold, -hold.amount)
        ground.charged.add(hold.id)
        sums.charge(hold, settlement)
        if (hold.claims && ground.counting) {
          spend(hold.claims, settlement.quota, ground.counting)
          if (rows) correct(hold.claims, { failed: false, tokens: settlement.tokens }, ground.counting)
          if (open) leave(hold.claims, ground.counting)
        }
        if (log) sums.write.logs.push(log)
        return 'done'
      }
      case 'release': {
        if (operation.log) sums.write.logs.push(operation.log)
        const { hold } = operation
        if (!ground.open.delete(hold.id)) return 'repeated'
        sums.reserve(hold, -hold.amount)
        if (hold.claims && ground.counting) {
          correct(hold.claims, { failed: true }, ground.counting)
          leave(hold.claims, ground.counting)
        }
        return 'done'
      }
      case 'credit': {
        const { user_id, entry, amount, reference, by_user_id, earnings, log } = operation
        if (reference !== null) {
          const key = referenceKey(entry, reference)
          if (ground.references.has(key)) return 'repeated'
          ground.references.add(key)
        }
        if (earnings && !sums.earn(earnings)) return new GatewayError('invitation.short')
        const none = { token_id: null, hold_id: null, request_id: null }
        sums.move({ ...none, user_id, kind: entry, amount, reference, by_user_id })
        if (log) sums.write.logs.push(log)
        return 'done'
      }
      case 'budget': {
        sums.budget(operation.budget)
        return 'done'
      }
      case 'recount': {
        for (const key of operation.keys) {
          ground.counting?.counters.delete(key)
          sums.recount.add(key)
        }
        return 'done'
      }
    }
  })
  return { write: sums.finish(), verdicts }
}

type Movement = Omit<LedgerWrite['entries'][number], 'balance_after' | 'created_at' | 'hash'>

/** Adds changes up per account, so that each account is written once. */
function createSums(ground: Ground, now: number, digest: Digest) {
  const none = { users: [], tokens: [], budgets: [], channels: [] }
  const write: LedgerWrite = { ...none, entries: [], holds: [], logs: [], counters: [] }
  const users = keyed((id) => ({
    id,
    quota: 0,
    held: 0,
    used_quota: 0,
    request_count: 0,
    aff_quota: 0,
    aff_history: 0,
    aff_count: 0,
    entries_hash: null as string | null,
  }))
  const tokens = keyed((id) => ({ id, remain_quota: 0, held: 0, used_quota: 0, accessed_time: 0 }))
  const channels = keyed((id) => ({ id, used_quota: 0 }))
  const budgets = new Map<number, TokenBudget>()
  const recount = new Set<string>()

  const reserve = (hold: Hold, amount: number) => {
    users.of(hold.user_id).held += amount
    add(ground.users.get(hold.user_id), 'held', amount)
    if (hold.token_id === null) return
    tokens.of(hold.token_id).held += amount
    add(ground.tokens.get(hold.token_id), 'held', amount)
  }
  const move = (movement: Movement) => {
    const change = users.of(movement.user_id)
    change.quota += movement.amount
    const account = ground.users.get(movement.user_id)
    add(account, 'quota', movement.amount)
    const entry = { ...movement, balance_after: account?.quota ?? 0, created_at: now }
    const hash = entryHash(digest, account?.entries_hash ?? CHAIN_START, entry)
    if (account) account.entries_hash = hash
    change.entries_hash = hash
    write.entries.push({ ...entry, hash })
  }
  return {
    write,
    recount,
    reserve,
    move,
    charge(hold: Hold, { quota, channel_id, billable, request_id }: Settlement) {
      // The entry is written even for a charge of 0: its hold id is what makes a second settlement impossible.
      move({
        user_id: hold.user_id,
        token_id: hold.token_id,
        kind: 'charge',
        amount: -quota,
        hold_id: hold.id,
        reference: null,
        request_id: request_id ?? null,
        by_user_id: null,
      })
      if (!billable) return
      const user = users.of(hold.user_id)
      user.used_quota += quota
      user.request_count += 1
      if (channel_id > 0) channels.of(channel_id).used_quota += quota
      if (hold.token_id === null) return
      const token = tokens.of(hold.token_id)
      token.remain_quota -= quota
      token.used_quota += quota
      token.accessed_time = now
      add(ground.tokens.get(hold.token_id), 'remain_quota', -quota)
    },
    /** False where there is not that much to move out. */
    earn({ user_id, amount }: Earnings): boolean {
      const account = ground.users.get(user_id)
      if (amount < 0 && (account?.aff_quota ?? 0) + amount < 0) return false
      const change = users.of(user_id)
      change.aff_quota += amount
      add(account, 'aff_quota', amount)
      if (amount >= 0) {
        change.aff_history += amount
        change.aff_count += 1
      }
      return true
    },
    budget(budget: TokenBudget) {
      budgets.set(budget.id, { ...budgets.get(budget.id), ...budget })
      // A new budget replaces what this commit did to the old one.
      if (budget.remain_quota !== undefined) tokens.of(budget.id).remain_quota = 0
      Object.assign(ground.tokens.get(budget.id) ?? {}, budget)
    },
    finish(): LedgerWrite {
      return {
        ...write,
        users: users.all(),
        tokens: tokens.all(),
        channels: channels.all(),
        budgets: [...budgets.values()],
        counters: [...[...recount].map((key) => ({ key, state: '', expires: 0 })), ...changedCounters(ground)],
      }
    },
  }
}

function changedCounters({ counting }: Ground): CounterRow[] {
  if (!counting) return []
  return [...counting.counters.values()].filter(({ changed }) => changed).map(rowOf)
}

function keyed<T>(create: (id: number) => T) {
  const map = new Map<number, T>()
  return {
    of(id: number): T {
      let value = map.get(id)
      if (value === undefined) map.set(id, (value = create(id)))
      return value
    },
    all: () => [...map.values()],
  }
}

function add<K extends string>(account: { [k in K]: number } | undefined, key: K, amount: number) {
  if (account) (account[key] as number) += amount
}
