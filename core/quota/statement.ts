// An account's movements as a bank statement: opening balance, credits, debits, closing balance.
import type { LedgerEntry } from './ledger-entry.ts'

/** `balance` is the running sum. `agrees` is false if the entry itself recorded another one. */
export type StatementLine<E> = E & { balance: number; agrees: boolean }

/** Quota units; `credited` and `debited` are both positive. */
export interface Statement<E> {
  opening_balance: number
  lines: StatementLine<E>[]
  credited: number
  debited: number
  closing_balance: number
}

type Movement = Pick<LedgerEntry, 'amount' | 'balance_after'>

/** Builds a statement of consecutive movements, oldest first. */
export function buildStatement<E extends Movement>(opening_balance: number, entries: readonly E[]): Statement<E> {
  let balance = opening_balance
  const lines = entries.map((entry): StatementLine<E> => {
    balance += entry.amount
    return { ...entry, balance, agrees: balance === entry.balance_after }
  })
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    opening_balance,
    lines,
    credited: sum(entries.map(({ amount }) => Math.max(0, amount))),
    debited: sum(entries.map(({ amount }) => Math.max(0, -amount))),
    closing_balance: balance,
  }
}
