// The ledger: movements of balances, and their receipts.
import type { Feature } from '../feature.ts'
import { quota, type QuotaFault, type StatementEntry } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import { type Caller, type ContractHandlers, hasAccess, requireUser } from '../auth/caller.ts'
import { auditChains } from './chain.ts'
import type { AccountKind, LedgerEntry } from './ledger-entry.ts'
import { findCharge, findChargeLog, getCallerId, parseChargeDetail, parseReason, withoutCost } from './ledger-entry.ts'
import { getKeyId, readLedgerState, signCheckpoint, signReceipt, toPem } from './receipts.ts'
import { toPageReply, sliceFromOne } from '../contract/page.ts'
import { fail, getThrownText } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { DeadLetter, type StoredDeadLetter } from './dead-letters.ts'
import type { Ledger } from './ledger.ts'

interface QuotaPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  settings(): Settings
}

/** Upper limits of the lists in a reply. */
const MAX_FAULTS = 1000
const MAX_LETTERS = 1000

export function createQuotaHandlers(ports: QuotaPorts): ContractHandlers<typeof quota> {
  const { storage, secrets, settings } = ports
  const receiptKey = () => storage.receiptKey.getOrCreate(secrets.createSigningKey)

  const issuer = () => settings().ServerAddress || settings().SystemName

  return {
    verify: ({ account_id }) => verify(ports, account_id),
    async checkpoint({ last_entry }) {
      const latest = await storage.entries.lastEntry()
      const upTo = last_entry === 0 ? latest : Math.min(last_entry, latest)
      const state = await storage.entries.audit((books) => readLedgerState(books, upTo, secrets.digest))
      const what = { state, chain: storage.chain, issuer: issuer(), time: seconds(ports.clock) }
      return signCheckpoint(secrets, await receiptKey(), what)
    },
    async pending() {
      const refused = await storage.deadLetters.list(MAX_LETTERS)
      return { waiting: ports.ledger.getBacklog(), refused: refused.map((letter) => DeadLetter.parse(letter)) }
    },
    async retry({ hold_ids }, { caller }) {
      const found = new Map((await storage.deadLetters.list(MAX_LETTERS)).map((letter) => [letter.hold_id, letter]))
      // Nothing is retried if one of the ids is unknown.
      const letters = hold_ids.map((hold_id) => found.get(hold_id) ?? fail('charge.missing', { hold: hold_id }))
      const results = []
      for (const letter of letters) results.push(await retryCharge(ports, letter, caller))
      return results
    },
    async entries({ account_id, ...range }, { caller }) {
      if (caller.user?.id !== account_id && !(await canManage(storage, caller, account_id))) fail('access.forbidden')
      const page = await statementPage(storage, (await findAccount(storage, account_id)) ?? fail('user.missing'), range)
      return hasAccess(caller, 'admin') ? page : { ...page, items: page.items.map(withoutCost) }
    },
    async entriesSelf(range, { caller }) {
      const { id, username: name } = requireUser(caller)
      const page = await statementPage(storage, { id, kind: 'user', name }, range)
      return { ...page, items: page.items.map(withoutCost) }
    },
    async receiptKey() {
      const public_key = secrets.publicKeyOf(await receiptKey())
      return { public_key, key_id: getKeyId(secrets, public_key), pem: toPem(public_key) }
    },
    async receipt({ receipt_id }, { caller }) {
      const entry = await storage.entries.findByHold(receipt_id)
      // A receipt of another user is answered like a missing one.
      if (!entry || !(await maySee(storage, caller, entry))) fail('receipt.missing')
      return signReceipt(secrets, await receiptKey(), {
        entry,
        charge: parseChargeDetail(entry) ?? findCharge(entry, await loggedCharge(storage, entry)),
        issuer: issuer(),
      })
    },
  }
}

/** Books the charge in one transaction with its audit row, or changes nothing. */
async function retryCharge({ ledger, clock }: QuotaPorts, letter: StoredDeadLetter, caller: Caller) {
  const { hold_id, account_id, quota } = letter
  const row = { action: 'charge.retry', target: hold_id, before: '', after: JSON.stringify({ account_id, quota }) }
  try {
    await ledger.retry(letter, async (within) => {
      await within.deadLetters.remove(hold_id)
      await within.audit.insert([{ ...toAuditAuthor(caller), ...row, created_at: seconds(clock) }])
    })
    return { hold_id, booked: true, reason: '' }
  } catch (error) {
    return { hold_id, booked: false, reason: getThrownText(error) }
  }
}

/** True for administrators, and for the owner of the team. */
const canManage = async (storage: Storage, caller: Caller, accountId: number): Promise<boolean> =>
  hasAccess(caller, 'admin') || (await storage.teams.member(accountId, caller.user?.id ?? 0))?.role === 'owner'

const maySee = async (storage: Storage, caller: Caller, entry: LedgerEntry) =>
  caller.user?.id === getCallerId(entry) || canManage(storage, caller, entry.account_id)

interface NamedAccount {
  id: number
  kind: AccountKind
  name: string
}

async function findAccount({ users, teams }: Storage, id: number): Promise<NamedAccount | null> {
  const [user, team] = await Promise.all([users.find(id), teams.find(id)])
  if (user) return { id, kind: 'user', name: user.username }
  return team && { id, kind: 'team', name: team.name }
}

/** Finds the log row of a charge. */
async function loggedCharge(storage: Storage, entry: LedgerEntry) {
  const rows = entry.request_id === null ? [] : await storage.logs.ofRequests([entry.request_id])
  return findChargeLog(rows, entry)
}

async function verify({ storage, ledger }: QuotaPorts, account_id: number | undefined) {
  const { ledger: store } = storage
  const [sums, below_zero, orphans, open_holds] = await Promise.all([
    store.faults(account_id),
    store.debts(MAX_FAULTS, account_id),
    store.exclusive ? [] : store.orphanedHolds(MAX_FAULTS),
    store.exclusive ? ledger.openHolds() : store.countHolds(),
  ])
  const chains = await auditChains(storage.entries, storage.chain, { account_id, limit: MAX_FAULTS })
  const none = { token_id: null, hold_id: null, entry_id: null }
  const faults: QuotaFault[] = [
    ...sums.map((fault) => ({ ...none, ...fault })),
    ...orphans
      .filter((hold) => account_id === undefined || hold.account_id === account_id)
      .map(({ id, account_id: of, token_id, amount }) => {
        const found = { account_id: of, token_id, hold_id: id, expected: 0, found: amount }
        return { ...none, kind: 'orphaned_hold' as const, ...found }
      }),
    ...chains.faults.map((fault) => ({ ...none, ...fault })),
  ]
  const { accounts, entries } = chains
  const { keys: chain } = storage.chain
  return {
    ok: faults.length === 0,
    open_holds,
    accounts,
    entries,
    chain,
    faults: faults.slice(0, MAX_FAULTS),
    below_zero: below_zero.items,
  }
}

interface Range {
  p: number
  page_size: number
  start_timestamp: number
  end_timestamp: number
}

async function statementPage(storage: Storage, { id, kind, name }: NamedAccount, { p, page_size, ...range }: Range) {
  const page = await storage.entries.list({ ...range, account_id: id }, sliceFromOne({ p, page_size }))
  const { opening_balance, closing_balance } = page
  const items = await describeEntries(storage, page.items)
  const owner = { account_id: id, account_kind: kind, account_name: name }
  return { ...toPageReply({ p, page_size }, { ...page, items }), ...owner, opening_balance, closing_balance }
}

/** Adds the fields that a statement shows for an entry: the called model, the author and the reason. */
async function describeEntries(storage: Storage, entries: LedgerEntry[]): Promise<StatementEntry[]> {
  // Only charges of earlier versions need the log for this.
  const requests = entries.flatMap(({ request_id, detail }) => (detail === null && request_id) || [])
  const people = [...new Set(entries.flatMap(({ by_user_id }) => by_user_id ?? []))]
  const [rows, users] = await Promise.all([
    storage.logs.ofRequests(requests),
    Promise.all(people.map((id) => storage.users.find(id))),
  ])
  const models = new Map(rows.map(({ request_id, model_name }) => [request_id, model_name]))
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.username]] : [])))
  return entries.map((entry) => ({
    ...entry,
    model_name: parseChargeDetail(entry)?.model ?? models.get(entry.request_id ?? '') ?? '',
    by_username: names.get(entry.by_user_id ?? 0) ?? '',
    reason: parseReason(entry),
  }))
}

// Frees holds whose process is gone, and drops expired counters.

const SWEEP_MS = 2_000
const HOUR_MS = 3_600_000

const createQuotaJobs = ({ storage, clock, ledger }: Pick<QuotaPorts, 'storage' | 'clock' | 'ledger'>) => [
  { name: 'release the holds of dead processes', every_ms: SWEEP_MS, run: () => ledger.sweep() },
  { name: 'forget old limit counters', every_ms: HOUR_MS, run: () => storage.ledger.forgetCounters(clock.now()) },
]

export const quotaFeature: Feature<QuotaPorts, typeof quota> = {
  contract: quota,
  handlers: createQuotaHandlers,
  jobs: createQuotaJobs,
}
