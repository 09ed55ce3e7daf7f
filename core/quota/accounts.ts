// Balances in memory, where one process owns the database: a hold is checked and reserved in one synchronous step.
import type { Hold } from './hold.ts'
import type { Ground, Operation } from './plan.ts'
import type { LedgerStore, LedgerWrite, TokenAccount, UserAccount } from './store.ts'
import { accountIds } from './account-ids.ts'

export interface Accounts {
  /** Makes sure that every account these operations touch is in memory (those that exist). */
  load(operations: Operation[]): Promise<void>
  /** Reads the accounts of these operations anew; what is held of them stays. */
  refresh(operations: Operation[]): Promise<void>
  user(id: number): UserAccount | undefined
  token(id: number | null): TokenAccount | undefined
  /** Adds to what is held on the accounts of a hold; negative frees it. */
  reserve(hold: Hold, amount: number): void
  /** Copies for a commit to work on; the accounts stay in memory until `done`. */
  ground(operations: Operation[]): { ground: Ground; done(): void }
  /** Takes over what a commit has made durable. */
  apply(write: LedgerWrite): void
}

/** Accounts kept at most; idle ones beyond it are read anew when needed. */
const MAX_ACCOUNTS = 100_000

export function createAccounts(store: LedgerStore): Accounts {
  const users = createShelf<UserAccount>(async (ids) => (await read(ids, [])).users)
  const tokens = createShelf<TokenAccount>(async (ids) => (await read([], ids)).tokens)
  const read = (userIds: number[], tokenIds: number[]) =>
    store.transact((transaction) => transaction.accounts(userIds, tokenIds))

  return {
    async load(operations) {
      const [userIds, tokenIds] = accountIds(operations)
      const missing = users.missing(userIds) || tokens.missing(tokenIds)
      if (missing) await Promise.all([users.load(userIds), tokens.load(tokenIds)])
    },
    async refresh(operations) {
      const [userIds, tokenIds] = accountIds(operations)
      const stored = await read(userIds, tokenIds)
      users.refresh(stored.users)
      tokens.refresh(stored.tokens)
    },
    user: (id) => users.get(id),
    token: (id) => (id === null ? undefined : tokens.get(id)),
    reserve(hold, amount) {
      const user = users.get(hold.user_id)
      if (user) user.held += amount
      const token = hold.token_id === null ? undefined : tokens.get(hold.token_id)
      if (token) token.held += amount
    },
    ground(operations) {
      const [userIds, tokenIds] = accountIds(operations)
      const pinnedUsers = users.pin(userIds)
      const pinnedTokens = tokens.pin(tokenIds)
      return {
        ground: {
          users: pinnedUsers.copies,
          tokens: pinnedTokens.copies,
          open: new Set(),
          charged: new Set(),
          references: new Set(),
        },
        done() {
          pinnedUsers.unpin()
          pinnedTokens.unpin()
        },
      }
    },
    apply(write) {
      for (const { id, quota, aff_quota, entries_hash } of write.users) {
        const user = users.get(id)
        if (!user) continue
        user.quota += quota
        user.aff_quota += aff_quota
        user.entries_hash = entries_hash ?? user.entries_hash
      }
      for (const budget of write.budgets) Object.assign(tokens.get(budget.id) ?? {}, budget)
      for (const { id, remain_quota } of write.tokens) {
        const token = tokens.get(id)
        if (token) token.remain_quota += remain_quota
      }
    },
  }
}

/** One kind of account: a map that reads what it lacks, each id once, and forgets the oldest idle ones. */
function createShelf<T extends { id: number; held: number }>(fetch: (ids: number[]) => Promise<T[]>) {
  const kept = new Map<number, T>()
  const pins = new Map<number, number>()
  const loading = new Map<number, Promise<void>>()

  function makeRoom() {
    for (const [id, account] of kept) {
      if (kept.size <= MAX_ACCOUNTS) return
      if (account.held === 0 && !pins.has(id)) kept.delete(id)
    }
  }

  return {
    get: (id: number) => kept.get(id),
    missing: (ids: number[]) => ids.some((id) => !kept.has(id)),
    async load(ids: number[]): Promise<void> {
      const wanted = ids.filter((id) => !kept.has(id) && !loading.has(id))
      if (wanted.length > 0) {
        const work = fetch(wanted)
          .then((accounts) => {
            for (const account of accounts) kept.set(account.id, { ...account, held: 0 })
            if (kept.size > MAX_ACCOUNTS) makeRoom()
          })
          .finally(() => wanted.forEach((id) => loading.delete(id)))
        for (const id of wanted) loading.set(id, work)
      }
      await Promise.all(ids.map((id) => loading.get(id)))
    },
    /** Takes over what is stored; what is held stays. */
    refresh(accounts: T[]) {
      for (const account of accounts) {
        const known = kept.get(account.id)
        if (known) Object.assign(known, account, { held: known.held })
      }
    },
    pin(ids: number[]) {
      const copies = new Map<number, T>()
      for (const id of ids) {
        const account = kept.get(id)
        if (account) copies.set(id, { ...account })
        pins.set(id, (pins.get(id) ?? 0) + 1)
      }
      return {
        copies,
        unpin: () =>
          ids.forEach((id) => {
            const left = (pins.get(id) ?? 1) - 1
            if (left > 0) pins.set(id, left)
            else pins.delete(id)
          }),
      }
    },
  }
}
