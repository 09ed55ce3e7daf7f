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
import type { LedgerWrite, TokenAccount, TokenBudget, UserAccount } from './store.ts'
import { Sums } from './sums.ts'

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
      /** What else is done, or not, with it. */
      beside?: (within: Within) => Promise<void>
      logs: NewLogEntry[]
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
  const sums = new Sums(ground, now, digest)
  const verdicts: Verdict[] = []
  for (const operation of operations) verdicts.push(apply(operation, ground, sums, rows))
  return { write: sums.total(), verdicts }
}

function apply(operation: Operation, ground: Ground, sums: Sums, rows: { process_id: string } | null): Verdict {
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
      if (rows) sums.holds.push(holdRow(hold, rows.process_id))
      return 'done'
    }
    case 'settle': {
      const { hold, settlement, log } = operation
      if (ground.charged.has(hold.id)) return 'repeated'
      if (!fits(ground.users.get(hold.user_id)?.quota ?? 0, -settlement.quota)) {
        return new GatewayError('quota.out_of_range')
      }
      // A hold swept while its process was only asleep is still charged in full: the work was done.
      const open = ground.open.delete(hold.id)
      if (open) sums.free(hold)
      ground.charged.add(hold.id)
      sums.charge(hold, settlement)
      if (hold.claims && ground.counting) {
        spend(hold.claims, settlement.quota, ground.counting)
        if (rows) correct(hold.claims, { failed: false, tokens: settlement.tokens }, ground.counting)
        if (open) leave(hold.claims, ground.counting)
      }
      if (log) sums.logs.push(log)
      return 'done'
    }
    case 'release': {
      if (operation.log) sums.logs.push(operation.log)
      const { hold } = operation
      if (!ground.open.delete(hold.id)) return 'repeated'
      sums.free(hold)
      if (hold.claims && ground.counting) {
        correct(hold.claims, { failed: true }, ground.counting)
        leave(hold.claims, ground.counting)
      }
      return 'done'
    }
    case 'credit': {
      const { entry, reference, earnings, logs } = operation
      const key = reference === null ? null : referenceKey(entry, reference)
      if (key !== null && ground.references.has(key)) return 'repeated'
      const earned = earnings ? fits(ground.users.get(earnings.user_id)?.aff_quota ?? 0, earnings.amount) : true
      if (!earned || !fits(ground.users.get(operation.user_id)?.quota ?? 0, operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      if (earnings && !sums.earn(earnings)) return new GatewayError('invitation.short')
      if (key !== null) ground.references.add(key)
      sums.credit(operation)
      sums.logs.push(...logs)
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
}
