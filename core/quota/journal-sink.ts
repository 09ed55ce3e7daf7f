// The journal as a sink: stores the ends of calls on disk until the database has them, so that no answer waits for it.
// Above a limit they are dropped from memory and read back from disk later.
import { isJournalable, type Journal, type JournaledCharge } from '../journal/journal.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { type ChargeSink, isPendingCharge, type QueuedCharge, type QueuedOperation } from './charge-sink.ts'
import type { OperationResult } from './commit-plan.ts'
import { type Journaled, NOT_JOURNALED } from './operation.ts'

export interface JournalSink extends ChargeSink<QueuedCharge> {
  /** Journal-first mode: all pending charges go through the journal. Otherwise only those that the database delays. */
  readonly isFirst: boolean
  /** @throws Error if the charges cannot be written, for example because the disk is full */
  write(batch: readonly QueuedCharge[]): Promise<OperationResult[]>
  /** True if it can store this operation: a pending charge that it does not have yet. */
  accepts(waiting: QueuedOperation): waiting is QueuedCharge
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

interface JournalSinkPorts {
  /** Without it the sink accepts nothing. */
  journal?: Journal
  /** Journal-first mode. Its files stay open between calls, because every pending charge goes through them. */
  isFirst: boolean
  /** Returns the place up to which a journal is booked in the database. */
  getPlace(journal: string): Promise<number>
  logger: Logger
  now(): number
}

export function createJournalSink({ journal, isFirst, getPlace, logger, now }: JournalSinkPorts): JournalSink {
  let safe = isFirst
  /** The largest place in use. */
  let last = 0
  /** Everything up to this place is booked. */
  let upTo = 0
  /** Booked places after `upTo`. They are few: most charges are booked in order. */
  const ahead = new Set<number>()
  /** Places of charges that exceed the memory limit and are only in the journal file. */
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
  async function findBooked(batch: readonly QueuedOperation[]): Promise<Set<string>> {
    const booked = new Set<string>()
    const places = new Map<string, number>()
    for (const { journaledAt, operation } of batch) {
      if (!journaledAt || !('hold' in operation)) continue
      const place = places.get(journaledAt.journal) ?? (await getPlace(journaledAt.journal))
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
    isFirst,
    accepts: (waiting): waiting is QueuedCharge =>
      journal !== undefined &&
      isPendingCharge(waiting) &&
      !waiting.journaledAt &&
      !waiting.isJournaling &&
      isJournalable(waiting.operation),
    async write(batch) {
      if (!journal) return []
      for (const each of batch) each.isJournaling = true
      try {
        const begin = await journal.append(batch.map(({ operation }) => operation))
        safe = true
        // Places that could not be written.
        for (let place = last + 1; place < begin; place += 1) pass(place)
        for (const [index, each] of batch.entries()) {
          last = begin + index
          if (each.isBooked) pass(last)
          else each.journaledAt = { journal: journal.name, place: last }
        }
        return batch.map(() => 'done' as const)
      } catch (error) {
        if (safe) logger.error('ledger: charges cannot be kept in the journal', { error: String(error) })
        safe = false
        throw error
      } finally {
        for (const each of batch) each.isJournaling = false
      }
    },
    isSafe: () => safe,
    getJournalState(batch, isUncertain) {
      if (!journal) return { ...NOT_JOURNALED, doubt: isUncertain }
      const places = getBookedPlaces(batch)
      if (!isUncertain) return { ...NOT_JOURNALED, places }
      return findBooked(batch).then((booked) => ({ places, booked, doubt: true }))
    },
    markBooked(waiting) {
      waiting.isBooked = true
      if (!journal || waiting.journaledAt?.journal !== journal.name) return
      pass(waiting.journaledAt.place)
      if (upTo === last && !isFirst) void journal.clear()
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
