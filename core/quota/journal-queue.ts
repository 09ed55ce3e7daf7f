// Keeps pending charges in the journal until they are booked, so that no answer waits for the database. Above a limit
// they are dropped from memory and read back from disk later.
import {
  decodePendingCharge,
  isJournalable,
  type Journal,
  type JournaledCharge,
  type LeftJournal,
} from '../journal/journal.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import { type Hold, withoutReservation } from './hold.ts'
import { type Journaled, type LedgerOperation, NOT_JOURNALED, type TransactionHook } from './operation.ts'
import type { LedgerStore } from './store.ts'
import { isStorageAway } from './uncertain-commits.ts'
import { isPendingCharge, type QueuedCharge, type QueuedOperation } from './waiting.ts'

export interface JournalQueue {
  /**
   * Writes pending charges that are not in the journal yet, and releases the requests that wait for them. Never
   * rejects.
   */
  writeToJournal(waiting: readonly QueuedOperation[]): Promise<void>
  /** True if the last write succeeded. */
  isSafe(): boolean
  /**
   * Returns the journal state of a commit of these operations. `isUncertain` if the answer to the last commit was lost.
   */
  getJournalState(batch: readonly QueuedOperation[], isUncertain: boolean): Promise<Journaled> | Journaled
  /** Reports that the database has this operation. */
  markBooked(waiting: QueuedOperation): void
  /** Removes journaled charges above the memory limit from a queue. */
  spill(queue: QueuedOperation[]): void
  /** Reads back some of the removed charges once memory is free. Empty if there are none. */
  readBack(): Promise<QueuedOperation[]>
  /** Number of charges that are only on disk. */
  countSpilled(): number
  /** Resolves to true if everything in the journal is booked. */
  close(): Promise<boolean>
}

/** At most this many charges stay in memory. The rest is read back from disk. */
const MOST_IN_MEMORY = 10_000
const WRITE_BATCH = 5_000

interface JournalQueuePorts {
  journal?: Journal
  /** Journal-first mode. Its files stay open between calls, because every pending charge goes through them. */
  first: boolean
  /** Returns the place up to which a journal is booked in the database. */
  getPlace(journal: string): Promise<number>
  logger: Logger
  now(): number
}

export function createJournalQueue({
  journal,
  first,
  getPlace: placeOf,
  logger,
  now,
}: JournalQueuePorts): JournalQueue {
  let safe = first
  /** The largest place in use. */
  let last = 0
  /** Everything up to this place is booked. */
  let upTo = 0
  /** Booked places after `upTo`. They are few: most charges are booked in order. */
  const ahead = new Set<number>()
  /** Places that are only on disk. */
  const spilled = new Set<number>()
  let reading: { from: AsyncGenerator<JournaledCharge, void>; found: number } | undefined

  /** Returns the place up to which everything would be booked if `more` were booked as well. */
  function bookedWith(more: ReadonlySet<number>): number {
    let place = upTo
    while (more.has(place + 1) || ahead.has(place + 1)) place += 1
    return place
  }

  function pass(place: number): void {
    if (place !== upTo + 1) return void ahead.add(place)
    upTo = place
    while (ahead.size > 0 && ahead.delete(upTo + 1)) upTo += 1
  }

  /** Returns the place up to which each journal is booked after these operations. */
  function getBookedPlaces(batch: readonly QueuedOperation[]): JournalPlace[] {
    const own = new Set<number>()
    const others = new Map<string, number>()
    for (const { journaledAt } of batch) {
      if (!journaledAt) continue
      if (journaledAt.journal === journal?.name) own.add(journaledAt.place)
      else others.set(journaledAt.journal, journaledAt.place)
    }
    const all = [...others].map(([name, place]) => ({ journal: name, place }))
    if (own.size > 0 && journal) all.push({ journal: journal.name, place: bookedWith(own) })
    return all
  }

  /** A commit whose answer was lost may have succeeded. The booked place in the database shows whether it did. */
  async function bookedBefore(batch: readonly QueuedOperation[]): Promise<Set<string>> {
    const booked = new Set<string>()
    const places = new Map<string, number>()
    for (const { journaledAt, operation } of batch) {
      if (!journaledAt || !('hold' in operation)) continue
      const place = places.get(journaledAt.journal) ?? (await placeOf(journaledAt.journal))
      places.set(journaledAt.journal, place)
      if (journaledAt.place <= place) booked.add(operation.hold.id)
    }
    return booked
  }

  /** The whole journal was read without finding these charges: its files were removed from outside. */
  function giveUp(): void {
    logger.error('journal: charges that were kept cannot be found in it', { places: [...spilled].slice(0, 100) })
    for (const place of spilled) pass(place)
    spilled.clear()
  }

  return {
    async writeToJournal(waiting) {
      const fresh = waiting.filter(
        (each): each is QueuedCharge => isPendingCharge(each) && !each.journaledAt && !each.isJournaling,
      )
      const fit = fresh.filter(({ operation }) => isJournalable(operation))
      if (!journal || fit.length === 0) return
      for (const each of fit) each.isJournaling = true
      try {
        const begin = await journal.append(fit.map(({ operation }) => operation))
        safe = true
        // Places that could not be written.
        for (let place = last + 1; place < begin; place += 1) pass(place)
        for (const [index, each] of fit.entries()) {
          last = begin + index
          each.resolve('done')
          if (each.isBooked) pass(last)
          else each.journaledAt = { journal: journal.name, place: last }
        }
      } catch (error) {
        if (safe) logger.error('ledger: charges cannot be kept in the journal', { error: String(error) })
        safe = false
      }
      for (const each of fit) each.isJournaling = false
    },
    isSafe: () => safe,
    getJournalState(batch, isUncertain) {
      if (!journal) return { ...NOT_JOURNALED, doubt: isUncertain }
      const places = getBookedPlaces(batch)
      if (!isUncertain) return { ...NOT_JOURNALED, places }
      return bookedBefore(batch).then((booked) => ({ places, booked, doubt: true }))
    },
    markBooked(waiting) {
      waiting.isBooked = true
      if (!journal || waiting.journaledAt?.journal !== journal.name) return
      pass(waiting.journaledAt.place)
      if (upTo === last && !first) void journal.clear()
      else journal.markBooked(upTo)
    },
    spill(queue) {
      if (queue.length <= MOST_IN_MEMORY) return
      for (const waiting of queue.splice(MOST_IN_MEMORY)) {
        if (waiting.journaledAt && waiting.journaledAt.journal === journal?.name) spilled.add(waiting.journaledAt.place)
        else queue.push(waiting)
      }
    },
    async readBack() {
      const part: QueuedOperation[] = []
      if (!journal || spilled.size === 0) return part
      reading ??= { from: journal.readAll(), found: 0 }
      while (part.length < WRITE_BATCH) {
        const { value: found, done } = await reading.from.next()
        if (done) {
          if (reading.found === 0) giveUp()
          reading = undefined
          break
        }
        if (!spilled.delete(found.place)) continue
        reading.found += 1
        const { charge: operation, ...journaledAt } = found
        part.push({ operation, since: now(), journaledAt, resolve: () => undefined, reject: () => undefined })
      }
      return part
    },
    countSpilled: () => spilled.size,
    async close() {
      const done = upTo === last
      if (done) await journal?.clear()
      await journal?.close()
      return done
    },
  }
}

// Converts a dead letter back to its charge.

type Settle = LedgerOperation & { kind: 'settle' }

/** Returns the hold as it was granted. */
export const getDeadLetterHold = ({ charge }: StoredDeadLetter): Hold => parseSettle(charge).hold

/**
 * Builds the charge to retry. Its hold reserves nothing, because the reservation was freed when the charge was
 * rejected.
 */
export function toRetryCharge({ charge }: StoredDeadLetter): Settle {
  const again = parseSettle(charge)
  return { ...again, hold: withoutReservation(again.hold) }
}

function parseSettle(charge: string): Settle {
  const { charge: decoded } = decodePendingCharge(new TextEncoder().encode(charge))
  if (decoded.kind !== 'settle') throw new TypeError('a dead letter is a charge')
  return decoded
}

// Books charges from the journal or from dead letters. Each is looked up first, because it may be booked already.

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
