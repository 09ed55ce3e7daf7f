// A ledger whose rates and concurrency are counted by all instances together, outside of the database; money and
// budgets stay in it. While these counts are unavailable, each instance admits its share of every limit, counted in
// memory.
import type { Clock } from '../ports/clock.ts'
import type { CountChange, SharedCountStore } from '../ports/counter.ts'
import { createCalendar } from '../quota/calendar.ts'
import type { Counters } from '../quota/limits.ts'
import type { Hold } from '../quota/hold.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { ConcurrentLimit, Limit, LimitContext, LimitedOutcome, WindowLimit } from '../quota/limits.ts'
import {
  buildLimitError,
  claimLimits,
  correctLimitCounts,
  findLimitRefusal,
  getCorrections,
  releaseLimits,
} from '../quota/limits.ts'

type Rate = WindowLimit | ConcurrentLimit

/** The counts of a call, and the functions that end them. */
interface CountedCall {
  over(outcome: LimitedOutcome): void
  /** Removes all counts of a call that was refused after all. */
  undo(): void
}

interface SharedLedgerPorts {
  counts: SharedCountStore
  clock: Clock
}

const isRate = (limit: Limit): limit is Rate => limit.kind !== 'budget' && limit.kind !== 'held'

export function withSharedLimits(ledger: Ledger, { counts, clock }: SharedLedgerPorts): Ledger {
  const countAlone = createShares(counts, clock)
  const open = new Map<string, CountedCall>()

  async function countCall(rates: readonly Rate[]): Promise<CountedCall> {
    const requested = rates.map((rate) => ({
      key: rate.key,
      length: getLength(rate),
      max: rate.max,
      amount: getAmount(rate),
    }))
    const answer = await counts.take(requested).catch(() => undefined)
    if (!answer) return countAlone(rates)
    const { at, waits } = answer
    const longest = Math.max(...waits)
    const full = rates[waits.indexOf(longest)]
    if (longest > 0 && full) throw buildLimitError(full, longest)
    // Not retried: a count leaves its window automatically, and a call in progress ends with its instance.
    const change = (changes: CountChange[]) =>
      void (changes.length > 0 && counts.change(changes).catch(() => undefined))
    return {
      over: (outcome) =>
        change([
          ...rates.filter(({ kind }) => kind === 'concurrent').map(({ key }) => ({ key, length: 0, at, by: -1 })),
          ...getCorrections(rates, outcome).map(({ limit: { key, length }, by }) => ({ key, length, at, by })),
        ]),
      undo: () => change(requested.map(({ key, length, amount }) => ({ key, length, at, by: -amount }))),
    }
  }

  function end(hold: Hold, outcome: LimitedOutcome): void {
    open.get(hold.id)?.over(outcome)
    open.delete(hold.id)
  }

  return {
    ...ledger,
    async hold(payer, amount, options = {}) {
      const { limits = [] } = options
      const rates = limits.filter(isRate)
      if (rates.length === 0) return ledger.hold(payer, amount, options)
      const call = await countCall(rates)
      try {
        const hold = await ledger.hold(payer, amount, { ...options, limits: limits.filter((each) => !isRate(each)) })
        open.set(hold.id, call)
        return hold
      } catch (error) {
        call.undo()
        throw error
      }
    },
    settle(hold, settlement, log, inTransaction) {
      end(hold, { failed: false, ...(settlement.tokens === undefined ? {} : { tokens: settlement.tokens }) })
      return ledger.settle(hold, settlement, log, inTransaction)
    },
    release(hold, log) {
      end(hold, { failed: true })
      return ledger.release(hold, log)
    },
  }
}

const getLength = (rate: Rate) => (rate.kind === 'concurrent' ? 0 : rate.length)
const getAmount = (rate: Rate) => (rate.kind === 'concurrent' ? 1 : rate.amount)

/** Returns the share of one of several instances. A call that exceeds it may run alone. */
function getShare(rate: Rate, instances: number): Rate {
  const max = Math.max(1, Math.floor(rate.max / instances))
  return rate.kind === 'concurrent' ? { ...rate, max } : { ...rate, max, amount: Math.min(rate.amount, max) }
}

/** Above this number of keys, expired counters are dropped. */
const MANY = 10_000

/** Counts in memory, against the share of one instance. */
function createShares({ instances }: Pick<SharedCountStore, 'instances'>, clock: Clock) {
  const counters: Counters = new Map()
  const calendar = createCalendar()
  const counting = (): LimitContext => ({ counters, calendar, now: clock.now(), databaseNow: clock.systemTime() })

  return (rates: readonly Rate[]): CountedCall => {
    if (counters.size > MANY)
      for (const [key, { expires }] of counters) if (expires <= clock.now()) counters.delete(key)
    const limits = rates.map((rate) => getShare(rate, instances()))
    const claims = { at: clock.now(), limits }
    const refused = findLimitRefusal(claims, { amount: 0, free: true, held: 0 }, counting())
    if (refused) throw refused
    claimLimits(claims, 0, counting())
    const over = (outcome: LimitedOutcome) => {
      correctLimitCounts(claims, outcome, counting())
      releaseLimits(claims, 0, counting())
    }
    // A call that was refused later still counts as a request, as it does while Redis is available.
    return { over, undo: () => over({ failed: true }) }
  }
}
