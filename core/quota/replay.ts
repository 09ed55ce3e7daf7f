// Books charges from the journal or from dead letters. Each is looked up first, because it may be booked already.
import type { Journal, LeftJournal } from '../journal/journal.ts'
import type { JournaledCharge } from '../journal/owed.ts'
import type { Logger } from '../ports/logger.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import { toRetryCharge, getDeadLetterHold } from './refused-charge.ts'
import { withoutReservation, type Hold } from './hold.ts'
import type { TransactionHook, LedgerOperation } from './operation.ts'
import type { LedgerStore } from './store.ts'
import { isStorageAway } from './uncertain-commits.ts'

interface ReplayPorts {
  store: LedgerStore
  submit(operation: LedgerOperation): Promise<unknown>
  book(kept: JournaledCharge): Promise<unknown>
  journal?: Journal
  logger: Logger
}

export interface Replay {
  /** Books the charges of dead processes. Returns their number. */
  bookAll(): Promise<number>
  retryLetter(letter: StoredDeadLetter, beside: TransactionHook): Promise<void>
}

/** Number of charges to look up and submit at once. */
const REPLAY_BATCH = 500

export function createReplay({ store, submit, book, journal, logger }: ReplayPorts): Replay {
  const findCharged = (ids: string[]) => store.transact((transaction) => transaction.chargedHolds(ids))

  /** Marks the budgets to be recounted from the entries when they are next needed. */
  async function recount(holds: readonly Hold[]): Promise<void> {
    const keys = new Set(
      holds.flatMap(({ claims }) => claims?.limits.flatMap(({ kind, key }) => (kind === 'budget' ? [key] : [])) ?? []),
    )
    if (keys.size > 0) await submit({ kind: 'recount', token_id: holds[0]?.token_id ?? null, keys: [...keys] })
  }

  async function bookPart(part: readonly JournaledCharge[]): Promise<number> {
    const known = new Set(await findCharged(part.map(({ charge }) => charge.hold.id)))
    const open = part.filter(({ charge }) => !known.has(charge.hold.id))
    // The memory of this process has no reservation for it.
    const asKept = ({ charge, ...place }: JournaledCharge): JournaledCharge =>
      store.exclusive
        ? { ...place, charge: { ...charge, hold: withoutReservation(charge.hold) } }
        : { ...place, charge }
    const results = await Promise.allSettled(open.map((each) => book(asKept(each))))
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
    for (let at = 0; at < open.length; at += REPLAY_BATCH) {
      booked += await bookPart(open.slice(at, at + REPLAY_BATCH))
      if (at > 0 && at % (20 * REPLAY_BATCH) === 0) logger.info('journal: booking', { file, done: at, of: open.length })
    }
    await done()
    return booked
  }

  return {
    async bookAll() {
      let booked = 0
      const journals = new Set<string>()
      for await (const left of journal?.adoptLeft() ?? []) {
        booked += await bookFile(left)
        journals.add(left.journal)
      }
      for (const name of journals) await store.forgetPlace(name)
      return booked
    },
    async retryLetter(letter, beside) {
      if ((await findCharged([letter.hold_id])).length > 0) {
        await store.transact(async ({ within }) => within && beside(within), { wide: true })
        return
      }
      await submit({ ...toRetryCharge(letter), beside })
      await recount([getDeadLetterHold(letter)])
    },
  }
}
