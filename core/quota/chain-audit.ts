// Checks every account's chain of entries page by page, so that a million entries never sit in memory.
import { CHAIN_START, walkChain, type ChainFault } from './chain.ts'
import type { Chain } from './chain-keys.ts'
import type { LedgerSnapshot, ChainedAccount, EntryStore } from './entry-store.ts'

export interface ChainAudit {
  accounts: number
  entries: number
  faults: ChainFault[]
}

const ACCOUNTS_PER_PAGE = 500
const ENTRIES_PER_PAGE = 2000

/**
 * Verifies the chains of all accounts, or of one. Each page of accounts is read from one snapshot, so charges may
 * continue. Stops after `limit` faults.
 */
export async function auditChains(
  store: EntryStore,
  chain: Pick<Chain, 'digestOf' | 'ground'>,
  { account_id, limit }: { account_id?: number; limit: number },
): Promise<ChainAudit> {
  const audit: ChainAudit = { accounts: 0, entries: 0, faults: [] }
  let after = 0
  let ground = CHAIN_START
  for (;;) {
    const page = await store.audit(async (books) => {
      const found = account_id === undefined ? null : await books.account(account_id)
      const accounts =
        account_id === undefined ? await books.accounts(after, ACCOUNTS_PER_PAGE) : found === null ? [] : [found]
      ground = await auditPage(books, accounts, chain, audit, ground)
      return accounts
    })
    audit.accounts += page.length
    after = page.at(-1)?.id ?? after
    if (account_id !== undefined || page.length < ACCOUNTS_PER_PAGE || audit.faults.length >= limit) break
  }
  const { entry_id, hash: expected } = chain.ground ?? { entry_id: 0, hash: '' }
  // Not for a check of one account, which sees no others, or one that stopped at its limit and has not read every row.
  if (chain.ground && account_id === undefined && audit.faults.length < limit && ground !== expected)
    audit.faults.push({ kind: 'chain_ground', account_id: 0, entry_id, expected, found: ground })
  return { ...audit, faults: audit.faults.slice(0, limit) }
}

/**
 * Verifies the entries of some accounts, which arrive in the order of the accounts. Returns the hash of the unkeyed
 * prefix with theirs added.
 */
async function auditPage(
  books: LedgerSnapshot,
  accounts: ChainedAccount[],
  { digestOf, ground }: Pick<Chain, 'digestOf' | 'ground'>,
  audit: ChainAudit,
  before: string,
): Promise<string> {
  let hash = before
  const [first, last] = [accounts[0]?.id, accounts.at(-1)?.id]
  if (first === undefined || last === undefined) return hash
  const queue = accounts.map(({ id, entries_hash }) => ({
    id,
    entries_hash,
    walk: walkChain(digestOf, id, ground?.entry_id),
  }))
  let at = 0
  const finishUntil = (accountId: number) => {
    for (let account = queue[at]; account && account.id < accountId; account = queue[(at += 1)]) {
      audit.faults.push(...account.walk.end(account.entries_hash))
      const entries_hash = account.walk.ground()
      if (ground && entries_hash !== null) hash = ground.add(hash, { id: account.id, entries_hash })
    }
  }
  let after = { account_id: first, id: 0 }
  for (;;) {
    const entries = await books.entries(last, after, ENTRIES_PER_PAGE)
    for (const entry of entries) {
      finishUntil(entry.account_id)
      const account = queue[at]
      if (account?.id === entry.account_id) audit.faults.push(...account.walk.next(entry))
    }
    audit.entries += entries.length
    const reached = entries.at(-1)
    if (!reached || entries.length < ENTRIES_PER_PAGE) break
    after = { account_id: reached.account_id, id: reached.id }
  }
  finishUntil(Infinity)
  return hash
}
