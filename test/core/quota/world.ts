// Accounts and a ledger to try the ledger's promises on.
import { createLedger, type Ledger } from '../../../core/quota/ledger.ts'
import type { Payer } from '../../../core/quota/hold.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Storage, WriteTransaction } from '../../../core/ports/storage.ts'
import type { LedgerStore } from '../../../core/quota/store.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { createFakeRandom } from '../../support/random.ts'
import { newChannel, newToken, newUser } from '../../storage/samples.ts'

export interface World {
  storage: Storage
  clock: FakeClock
  ledger: Ledger
  /** Ids. */
  user: number
  token: number
  channel: number
  /** The user alone, and the user by token. */
  byUser: Payer
  byToken: Payer
  balance(): Promise<number>
  /** What the token has left, and what was charged through it. */
  budget(): Promise<{ remain_quota: number; used_quota: number }>
  logs(): Promise<{ quota: number; content: string }[]>
  charged(holdId: string): Promise<boolean>
}

let seed = 0

/** Another process on the same database. */
export const anotherLedger = (
  storage: Storage,
  clock: Parameters<typeof createLedger>[0]['clock'],
  more: Partial<Parameters<typeof createLedger>[0]> = {},
): Promise<Ledger> =>
  createLedger({
    ...more,
    store: storage.ledger,
    chain: storage.chain,
    clock,
    random: createFakeRandom((seed += 1)),
    logger: silent,
  })

/** The clock of the database, as far as leases go, is the test's. */
export function leasedBy(clock: Clock, storage: Storage): Storage {
  const leases = new Map<string, number>()
  const store = storage.ledger
  const ledger: LedgerStore<WriteTransaction> = {
    ...store,
    async renewLease(processId, ms) {
      leases.set(processId, clock.now() + ms)
      await store.renewLease(processId, 3_600_000)
      return clock.now()
    },
    async orphanedHolds(limit) {
      const over = [...leases].filter(([, expires]) => expires <= clock.now())
      await Promise.all(over.map(([processId]) => store.endLease(processId)))
      return store.orphanedHolds(limit)
    },
  }
  return { ...storage, ledger }
}

/** A user who owns `quota`, with a limited token of `remain_quota`. */
export async function openWorld(
  open: (options: { clock: FakeClock }) => Promise<Storage>,
  { quota = 1000, remain_quota = 1000 } = {},
): Promise<World> {
  const clock = createFakeClock()
  const storage = leasedBy(clock, await open({ clock }))
  const { id: user } = await storage.users.insert(newUser())
  const { id: token } = await storage.tokens.insert(newToken({ user_id: user }))
  const [channel] = await storage.channels.insert([newChannel()])
  const ledger = await anotherLedger(storage, clock)
  if (quota !== 0) await ledger.credit({ account_id: user, kind: 'gift', amount: quota })
  await ledger.setBudget({ id: token, remain_quota, unlimited_quota: false })
  return {
    storage,
    clock,
    ledger,
    user,
    token,
    channel: channel?.id ?? 0,
    byUser: { account_id: user, by_user_id: null, token: null },
    byToken: { account_id: user, by_user_id: null, token: { id: token, mask: 'sk-abc***xyz' } },
    balance: async () => (await storage.users.find(user))?.quota ?? Number.NaN,
    async budget() {
      const found = await storage.tokens.find(token)
      return { remain_quota: found?.remain_quota ?? Number.NaN, used_quota: found?.used_quota ?? Number.NaN }
    },
    logs: async () => (await storage.logs.list({}, { offset: 0, limit: 100 })).items,
    charged: async (id) =>
      (await storage.ledger.transact((transaction) => transaction.chargedHolds([id]))).length === 1,
  }
}

/** A settlement of `quota` on no channel. */
export const costs = (quota: number, channel_id = 0) => ({ quota, channel_id, billable: true })

/** How many were granted, and the codes of the refusals. */
export function outcomes(results: PromiseSettledResult<unknown>[]): { granted: number; refused: string[] } {
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [String((result.reason as { code?: string }).code ?? result.reason)] : [],
  )
  return { granted: results.length - refused.length, refused }
}
