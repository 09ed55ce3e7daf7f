// One group commit, worked out in memory: operations in arrival order become one set of writes. Pure.
import { fits } from '../contract/amount.ts'
import { GatewayError } from '../errors.ts'
import type { NewLogEntry } from '../logs/log.ts'
import type { Within } from '../ports/storage.ts'
import type { Digest } from './chain.ts'
import { refusal, type Hold, type Payer } from './hold.ts'
import type { EntryKind } from './ledger-entry.ts'
import { holdRow } from './hold-row.ts'
import { correct, leave, limitRefusal, spend, take, type Counting } from './limit.ts'
import type { LedgerWrite, TokenAccount, TokenBudget, Account } from './store.ts'
import { CommitChanges } from './commit-changes.ts'

/** What a finished call costs. `billable` false means nothing was used: no counter moves. */
export interface Settlement {
  quota: number
  channel_id: number
  billable: boolean
  /** Names the call in the entry, so that it can be explained without any log. */
  request_id?: string
  /** JSON text of what was charged: `{model, operation, price_version, usage, estimated_by?, lines}`. */
  detail?: string
  /** What the call costs us, in quota units; absent where it is not known. */
  cost?: number
  /** Prompt and answer together, as used; limits of tokens per minute go on with the estimate where this is absent. */
  tokens?: number
}

/** What an account earns by inviting (counted as one more invited), or (negative) moves out of its earnings. */
export interface Earnings {
  user_id: number
  /** Quota units. */
  amount: number
}

export type LedgerOperation =
  | { kind: 'hold'; hold: Hold; payer: Payer; free: boolean }
  | { kind: 'settle'; hold: Hold; settlement: Settlement; log?: NewLogEntry }
  | { kind: 'release'; hold: Hold; log?: NewLogEntry }
  | {
      kind: 'credit'
      account_id: number
      /** The account that it comes from, where it comes from one. */
      from?: number
      entry: EntryKind
      amount: number
      reference: string | null
      by_user_id: number | null
      earnings?: Earnings
      /** What else is done, or not, with it. */
      beside?: (within: Within) => Promise<void>
      logs: NewLogEntry[]
    }
  | { kind: 'budget'; budget: TokenBudget }
  | { kind: 'recount'; token_id: number | null; keys: string[] }

/** What the database knows at the start of the commit. */
export interface CommitState {
  accounts: Map<number, Account>
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
 * Applies the operations to the state that the commit found (which is changed) and collects what to write.
 * `rows` says whether holds are kept as rows (several processes on one database) or in memory.
 */
export function plan(
  operations: LedgerOperation[],
  state: CommitState,
  now: number,
  rows: { process_id: string } | null,
  digest: Digest,
): { write: LedgerWrite; verdicts: Verdict[] } {
  const changes = new CommitChanges(state, now, digest)
  const verdicts: Verdict[] = []
  for (const operation of operations) verdicts.push(apply(operation, state, changes, rows))
  return { write: changes.total(), verdicts }
}

function apply(
  operation: LedgerOperation,
  state: CommitState,
  changes: CommitChanges,
  rows: { process_id: string } | null,
): Verdict {
  switch (operation.kind) {
    case 'hold': {
      const { hold, payer, free } = operation
      const account = state.accounts.get(hold.account_id)
      const token = payer.token ? state.tokens.get(payer.token.id) : undefined
      const { amount, claims } = hold
      const counting = claims && state.counting
      const refused =
        (counting && limitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counting)) ??
        refusal(payer, amount, free, account, token)
      if (refused) return refused
      if (counting) take(claims, amount, counting)
      state.open.add(hold.id)
      changes.reserve(hold, hold.amount)
      if (rows) changes.holds.push(holdRow(hold, rows.process_id))
      return 'done'
    }
    case 'settle': {
      const { hold, settlement, log } = operation
      if (state.charged.has(hold.id)) return 'repeated'
      if (!fits(state.accounts.get(hold.account_id)?.quota ?? 0, -settlement.quota)) {
        return new GatewayError('quota.out_of_range')
      }
      // A hold swept while its process was only asleep is still charged in full: the work was done.
      const open = state.open.delete(hold.id)
      if (open) changes.free(hold)
      state.charged.add(hold.id)
      changes.charge(hold, settlement)
      if (hold.claims && state.counting) {
        spend(hold.claims, settlement.quota, state.counting)
        if (rows) correct(hold.claims, { failed: false, tokens: settlement.tokens }, state.counting)
        if (open) leave(hold.claims, hold.amount, state.counting)
      }
      if (log) changes.logs.push(log)
      return 'done'
    }
    case 'release': {
      if (operation.log) changes.logs.push(operation.log)
      const { hold } = operation
      if (!state.open.delete(hold.id)) return 'repeated'
      changes.free(hold)
      if (hold.claims && state.counting) {
        correct(hold.claims, { failed: true }, state.counting)
        leave(hold.claims, hold.amount, state.counting)
      }
      return 'done'
    }
    case 'credit': {
      const { entry, reference, earnings, logs } = operation
      const key = reference === null ? null : referenceKey(entry, reference)
      if (key !== null && state.references.has(key)) return 'repeated'
      const { from } = operation
      if (from !== undefined && !fits(state.accounts.get(from)?.quota ?? 0, -operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      const earned = earnings ? fits(state.accounts.get(earnings.user_id)?.aff_quota ?? 0, earnings.amount) : true
      if (!earned || !fits(state.accounts.get(operation.account_id)?.quota ?? 0, operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      if (earnings && !changes.earn(earnings)) return new GatewayError('invitation.short')
      if (key !== null) state.references.add(key)
      changes.credit(operation)
      changes.logs.push(...logs)
      return 'done'
    }
    case 'budget': {
      changes.budget(operation.budget)
      return 'done'
    }
    case 'recount': {
      for (const key of operation.keys) {
        state.counting?.counters.delete(key)
        changes.recount.add(key)
      }
      return 'done'
    }
  }
}
