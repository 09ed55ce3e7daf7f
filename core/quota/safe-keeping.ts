// What is owed and not yet booked, kept in the journal meanwhile: those for whom an answer waits are free to go, and beyond a
// bound it waits on the disk alone.
import type { Journal } from '../journal/journal.ts'
import { isJournalable, type JournaledCharge } from '../journal/owed.ts'
import type { JournalPlace } from '../journal/place.ts'
import type { Logger } from '../ports/logger.ts'
import { NOT_JOURNALED, type Journaled } from './operation.ts'
import { isPendingCharge, type QueuedOperation, type QueuedCharge } from './waiting.ts'

export interface SafeKeeping {
  /** Puts into the journal what is owed and not there yet, and lets go of those who wait for it. Never rejects. */
  keep(waiting: readonly QueuedOperation[]): Promise<void>
  /** Was what was last given to it kept? */
  safe(): boolean
  /** What journals have to do with a commit of these; `isUncertain` where the answer to the last one was lost. */
  journaled(batch: readonly QueuedOperation[], isUncertain: boolean): Promise<Journaled> | Journaled
  /** Storage has it. */
  booked(waiting: QueuedOperation): void
  /** Takes out of a queue what the journal has, beyond what memory is for. */
  spill(queue: QueuedOperation[]): void
  /** Some of what was taken out of memory, when that is free again; empty for nothing. */
  more(): Promise<QueuedOperation[]>
  /** How many wait on the disk alone. */
  spilled(): number
  /** Gives whether all that was kept is booked. */
  close(): Promise<boolean>
}

/** So many wait in memory; the others are read again when these are through. */
const MOST_IN_MEMORY = 10_000
const PART = 5_000

interface Ports {
  journal?: Journal
  /** Its files stay while calls come: everything that is owed goes through it. */
  first: boolean
  /** How far storage has booked a journal. */
  placeOf(journal: string): Promise<number>
  logger: Logger
  now(): number
}

export function createJournalQueue({ journal, first, placeOf, logger, now }: Ports): SafeKeeping {
  let safe = first
  /** The largest place there is. */
  let last = 0
  /** Up to here all is booked. */
  let upTo = 0
  /** What is booked beyond it, as few are: most come to be booked in their order. */
  const ahead = new Set<number>()
  /** Places that are on the disk alone. */
  const spilled = new Set<number>()
  let reading: { from: AsyncGenerator<JournaledCharge, void>; found: number } | undefined

  /** Up to here all would be booked if these were, too. */
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

  /** How far each journal is booked once these are. */
  function placesOf(batch: readonly QueuedOperation[]): JournalPlace[] {
    const own = new Set<number>()
    const others = new Map<string, number>()
    for (const { kept } of batch) {
      if (!kept) continue
      if (kept.journal === journal?.name) own.add(kept.place)
      else others.set(kept.journal, kept.place)
    }
    const all = [...others].map(([name, place]) => ({ journal: name, place }))
    if (own.size > 0 && journal) all.push({ journal: journal.name, place: bookedWith(own) })
    return all
  }

  /** A commit whose answer was lost may have been made: then storage knows how far the journal is booked. */
  async function bookedBefore(batch: readonly QueuedOperation[]): Promise<Set<string>> {
    const booked = new Set<string>()
    const places = new Map<string, number>()
    for (const { kept, operation } of batch) {
      if (!kept || !('hold' in operation)) continue
      const place = places.get(kept.journal) ?? (await placeOf(kept.journal))
      places.set(kept.journal, place)
      if (kept.place <= place) booked.add(operation.hold.id)
    }
    return booked
  }

  /** The journal was read from end to end, and has them no more: somebody took its files away. */
  function giveUp(): void {
    logger.error('journal: charges that were kept cannot be found in it', { places: [...spilled].slice(0, 100) })
    for (const place of spilled) pass(place)
    spilled.clear()
  }

  return {
    async keep(waiting) {
      const fresh = waiting.filter((each): each is QueuedCharge => isPendingCharge(each) && !each.kept && !each.keeping)
      const fit = fresh.filter(({ operation }) => isJournalable(operation))
      if (!journal || fit.length === 0) return
      for (const each of fit) each.keeping = true
      try {
        const begin = await journal.append(fit.map(({ operation }) => operation))
        safe = true
        // Places that could not be written.
        for (let place = last + 1; place < begin; place += 1) pass(place)
        for (const [index, each] of fit.entries()) {
          last = begin + index
          each.resolve('done')
          if (each.booked) pass(last)
          else each.kept = { journal: journal.name, place: last }
        }
      } catch (error) {
        if (safe) logger.error('ledger: charges cannot be kept in the journal', { error: String(error) })
        safe = false
      }
      for (const each of fit) each.keeping = false
    },
    safe: () => safe,
    journaled(batch, isUncertain) {
      if (!journal) return { ...NOT_JOURNALED, doubt: isUncertain }
      const places = placesOf(batch)
      if (!isUncertain) return { ...NOT_JOURNALED, places }
      return bookedBefore(batch).then((booked) => ({ places, booked, doubt: true }))
    },
    booked(waiting) {
      waiting.booked = true
      if (!journal || waiting.kept?.journal !== journal.name) return
      pass(waiting.kept.place)
      if (upTo === last && !first) void journal.clear()
      else journal.passed(upTo)
    },
    spill(queue) {
      if (queue.length <= MOST_IN_MEMORY) return
      for (const waiting of queue.splice(MOST_IN_MEMORY)) {
        if (waiting.kept && waiting.kept.journal === journal?.name) spilled.add(waiting.kept.place)
        else queue.push(waiting)
      }
    },
    async more() {
      const part: QueuedOperation[] = []
      if (!journal || spilled.size === 0) return part
      reading ??= { from: journal.kept(), found: 0 }
      while (part.length < PART) {
        const { value: found, done } = await reading.from.next()
        if (done) {
          if (reading.found === 0) giveUp()
          reading = undefined
          break
        }
        if (!spilled.delete(found.place)) continue
        reading.found += 1
        const { owed: operation, ...kept } = found
        part.push({ operation, since: now(), kept, resolve: () => undefined, reject: () => undefined })
      }
      return part
    },
    spilled: () => spilled.size,
    async close() {
      const done = upTo === last
      if (done) await journal?.clear()
      await journal?.close()
      return done
    },
  }
}
