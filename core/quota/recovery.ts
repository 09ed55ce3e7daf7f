// Books charges that are stored already: those of processes that have ended, from their journals, and dead letters that
// an administrator retries. Each is looked up first, because it may be booked already.
import { decodePendingCharge, type Journal, type JournaledCharge, type LeftJournal } from '../journal/journal.ts'
import type { Logger } from '../ports/logger.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { ChargeQueue } from './charge-queue.ts'
import { isStorageAway } from './charge-sink.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import { type Hold, withoutReservation } from './hold.ts'
import type { LedgerOperation, TransactionHook } from './operation.ts'
import type { LedgerStore } from './store.ts'

interface Ports {
  store: LedgerStore<WriteTransaction>
  queue: Pick<ChargeQueue, 'enqueue' | 'retry'>
  journal?: Journal
  logger: Logger
}

interface Recovery {
  /** Books the charges of dead processes. Returns their number. */
  bookLeftJournals(): Promise<number>
  /** Books a rejected charge. `beside` runs in the same transaction, even if the charge turns out to be booked. */
  bookDeadLetter(letter: StoredDeadLetter, beside: TransactionHook): Promise<void>
}

/** Number of charges to look up and retry at once. */
const BATCH = 500

export function createRecovery({ store, queue, journal, logger }: Ports): Recovery {
  const findCharged = (ids: string[]) => store.transact((transaction) => transaction.chargedHolds(ids))

  /** Marks the budgets to be recounted from the entries when they are next needed. */
  async function recount(holds: readonly Hold[]): Promise<void> {
    const keys = new Set(
      holds.flatMap(({ claims }) => claims?.limits.flatMap(({ kind, key }) => (kind === 'budget' ? [key] : [])) ?? []),
    )
    if (keys.size > 0) await queue.enqueue({ kind: 'recount', token_id: holds[0]?.token_id ?? null, keys: [...keys] })
  }

  async function bookPart(part: readonly JournaledCharge[]): Promise<number> {
    const known = new Set(await findCharged(part.map(({ charge }) => charge.hold.id)))
    const open = part.filter(({ charge }) => !known.has(charge.hold.id))
    const results = await Promise.allSettled(
      open.map(({ charge, ...place }) =>
        // The memory of this process has no reservation for it.
        queue.retry(store.exclusive ? { ...charge, hold: withoutReservation(charge.hold) } : charge, place),
      ),
    )
    // A rejected charge is a dead letter by now. A charge that the database does not accept now stays in its file.
    for (const result of results)
      if (result.status === 'rejected' && isStorageAway(result.reason)) throw result.reason as Error
    if (store.exclusive) await recount(open.map(({ charge }) => charge.hold))
    return open.filter(({ charge }, at) => charge.kind === 'settle' && results[at]?.status === 'fulfilled').length
  }

  async function bookFile({ file, journal: name, charges: charge, done }: LeftJournal): Promise<number> {
    const place = await store.getPlace(name)
    const open = charge.filter((each) => each.place > place)
    if (open.length > 0)
      logger.warn('journal: what an earlier process left is booked', { file, records: open.length, of: charge.length })
    let booked = 0
    for (let at = 0; at < open.length; at += BATCH) {
      booked += await bookPart(open.slice(at, at + BATCH))
      if (at > 0 && at % (20 * BATCH) === 0) logger.info('journal: booking', { file, done: at, of: open.length })
    }
    await done()
    return booked
  }

  return {
    async bookLeftJournals() {
      let booked = 0
      const journals = new Set<string>()
      for await (const left of journal?.adoptLeft() ?? []) {
        booked += await bookFile(left)
        journals.add(left.journal)
      }
      for (const name of journals) await store.forgetPlace(name)
      return booked
    },
    async bookDeadLetter(letter, beside) {
      if ((await findCharged([letter.hold_id])).length > 0) {
        await store.transact(async ({ within }) => within && beside(within), { wide: true })
        return
      }
      const charge = parseCharge(letter)
      // It reserves nothing, because its reservation was freed when it was rejected.
      await queue.retry({ ...charge, hold: withoutReservation(charge.hold), inTransaction: beside })
      await recount([charge.hold])
    },
  }
}

/** Returns the charge of a dead letter, with its hold as it was granted. */
function parseCharge({ charge }: StoredDeadLetter): LedgerOperation & { kind: 'settle' } {
  const { charge: decoded } = decodePendingCharge(new TextEncoder().encode(charge))
  if (decoded.kind !== 'settle') throw new TypeError('a dead letter is a charge')
  return decoded
}
