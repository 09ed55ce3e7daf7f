// Quota leases, if several processes share the database. A lease is a part of a busy account's balance that this
// process holds as one row and admits calls against in memory, so a call costs one transaction instead of two.
//
// A lease is a hold like any other: its row is freed with its process, and the sum of all never exceeds the balance. A
// charge reduces its lease in the transaction that books it.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { ChargeQueue } from './charge-queue.ts'
import type { Hold, LeasedBy, Payer } from './hold.ts'
import { isStorageUnavailable } from './charge-sink.ts'

export interface QuotaLeases {
  /**
   * Takes a hold out of the leases of this process, if they cover it, and sets its lease id. Otherwise the request is
   * counted as demand.
   */
  grant(hold: Hold, payer: Payer): boolean
  /** True if this process has unspent leased quota of an account, with this token or without one. */
  hasRoom(of: Pick<Hold, 'account_id' | 'token_id'>): boolean
  /** Ends a hold of which `quota` was charged (0 for nothing). */
  endHold(hold: Hold, quota: number): void
  /** Returns the quota that no call holds, because others need it or the spendable amount has changed. */
  giveBack(scope: LeasedBy): Promise<void>
  /** Returns all leased quota. */
  close(): Promise<void>
}

interface Ports {
  queue: Pick<ChargeQueue, 'enqueue' | 'flush'>
  id(): string
  /** False if others may consider this process dead. */
  isAlive(): boolean
  clock: Clock
}

/** The prefix of lease ids. */
export const LEASE_PREFIX = 'lease-'
/** Minimum rate of calls per second. A slower account is served as well by one row per call. */
const BUSY = 16
/** A lease covers the demand of this many seconds. */
const AHEAD_SECONDS = 2
/** Minimum number of calls that a lease must cover to be worth its row. */
const WORTH_CALLS = 4
const TICK_MS = 1_000

/** `left` is the amount in its row minus submitted charges; `open` is the part that calls hold. Quota units. */
interface Lease {
  hold: Hold
  remaining: number
  open: number
  /** True while it is being returned: no hold is taken from it any more. */
  leaving: boolean
}

/** A payer: an account, with a token or without. */
interface Pot {
  leases: Lease[]
  /** Demand of the current second and of the one before: number and sum of the requested holds. */
  now: { at: number; calls: number; units: number }
  before: { calls: number; units: number }
  asking: boolean
  /** The second in which a lease was last refused. */
  refused: number
}

/** Returns leased quota when the spendable amount of its account changes in any process. */
export function returnLeasesOnChange(
  { onChange }: Pick<Storage, 'onChange'>,
  ledger: { giveBack(scope: LeasedBy): Promise<void> },
): void {
  onChange(({ topic, id }) => {
    if (topic === 'quota' || topic === 'users') return ledger.giveBack(id === 0 ? {} : { account_id: id })
    if (topic === 'tokens') return ledger.giveBack(id === 0 ? {} : { token_id: id })
  })
}

const potKey = (accountId: number, tokenId: number | null): string => `${accountId} ${tokenId ?? ''}`

const getRoom = (lease: Lease) => lease.remaining - lease.open

export function createQuotaLeases({ queue, id, isAlive, clock }: Ports): QuotaLeases {
  const pots = new Map<string, Pot>()
  /** Leases by the ids of the holds that were taken from them. */
  const uses = new Map<string, Lease>()
  /** Lease requests and returns in progress. */
  const running = new Set<Promise<void>>()
  let closed = false

  function track(work: Promise<void>): Promise<void> {
    const done = work.finally(() => running.delete(done))
    running.add(done)
    return done
  }

  function getPot({ account_id, token_id }: Hold): Pot {
    const key = potKey(account_id, token_id)
    let pot = pots.get(key)
    if (!pot) {
      const now = { at: seconds(clock), calls: 0, units: 0 }
      pots.set(key, (pot = { leases: [], now, before: { calls: 0, units: 0 }, asking: false, refused: 0 }))
    }
    return pot
  }

  function count(pot: Pot, amount: number): void {
    const at = seconds(clock)
    if (at !== pot.now.at) {
      pot.before = at === pot.now.at + 1 ? pot.now : { calls: 0, units: 0 }
      pot.now = { at, calls: 0, units: 0 }
    }
    pot.now.calls += 1
    pot.now.units += amount
  }

  /** Requests another lease in the background. */
  function ask(pot: Pot, hold: Hold, payer: Payer): void {
    const demand = AHEAD_SECONDS * Math.max(pot.now.units, pot.before.units)
    const room = pot.leases.reduce((sum, lease) => sum + getRoom(lease), 0)
    if (pot.asking || closed || demand === 0 || room * 2 > demand || pot.refused === pot.now.at) return
    pot.asking = true
    const { account_id, token_id } = hold
    const leased: Hold = { id: LEASE_PREFIX + id(), account_id, by_user_id: null, token_id, amount: 0 }
    const least = WORTH_CALLS * Math.max(1, hold.amount)
    const request = queue
      .enqueue({ kind: 'lease', hold: leased, payer, requested: Math.max(demand - room, least), least })
      .then(
        () => void pot.leases.push({ hold: leased, remaining: leased.amount, open: 0, leaving: false }),
        (error: unknown) => {
          pot.refused = pot.now.at
          // The lease may have been written all the same, and no one else would free it.
          if (isStorageUnavailable(error)) queue.enqueue({ kind: 'release', hold: leased }).catch(() => undefined)
        },
      )
      .finally(() => (pot.asking = false))
    void track(request)
  }

  /** Returns the quota that no call holds. Submitted charges leave the row first. */
  async function trim(pot: Pot, lease: Lease): Promise<void> {
    if (lease.leaving) return
    lease.leaving = true
    await queue.flush()
    const keep = lease.open
    lease.remaining = keep
    const verdict = await queue.enqueue({ kind: 'trim', hold: lease.hold, keep }).catch(() => undefined)
    // The lease is empty, or another process considered this one dead and freed the row: its calls are charged all the
    // same. If the database was unavailable, the row may still exist and the next tick tries again.
    if (verdict === 'repeated' || (verdict === 'done' && keep === 0)) pot.leases.splice(pot.leases.indexOf(lease), 1)
    lease.leaving = false
  }

  /** Returns idle leases and the rest of used-up ones. */
  function tick(): void {
    const at = seconds(clock)
    for (const [key, pot] of pots) {
      const isIdle = at > pot.now.at + 1
      const small = pot.now.units / pot.now.calls
      for (const lease of pot.leases)
        if (isIdle ? getRoom(lease) > 0 || lease.open === 0 : lease.open === 0 && lease.remaining < small)
          void track(trim(pot, lease))
      if (isIdle && pot.leases.length === 0 && !pot.asking) pots.delete(key)
    }
  }
  const stopTicking = clock.every(TICK_MS, tick)

  return {
    grant(hold, payer) {
      const pot = getPot(hold)
      count(pot, hold.amount)
      if (!isAlive() || closed) return false
      const isBusy = Math.max(pot.now.calls, pot.before.calls) >= BUSY
      const lease = pot.leases.find((each) => !each.leaving && getRoom(each) >= Math.max(1, hold.amount))
      if (isBusy) ask(pot, hold, payer)
      if (!lease) return false
      lease.open += hold.amount
      hold.lease = lease.hold.id
      uses.set(hold.id, lease)
      return true
    },
    hasRoom: ({ account_id, token_id }) =>
      isAlive() &&
      (pots.get(potKey(account_id, token_id))?.leases ?? []).some(
        ({ leaving, remaining: left }) => !leaving && left > 0,
      ),
    endHold(hold, quota) {
      const lease = uses.get(hold.id)
      if (!lease) return
      uses.delete(hold.id)
      lease.open -= hold.amount
      // A charge above its hold is taken from the balance.
      lease.remaining -= Math.min(Math.max(0, quota), hold.amount)
    },
    async giveBack({ account_id, token_id }) {
      const given: Promise<void>[] = []
      const isTheirs = ({ hold }: Lease) =>
        (account_id === undefined || hold.account_id === account_id) &&
        (token_id === undefined || hold.token_id === token_id)
      for (const pot of pots.values())
        for (const lease of pot.leases.filter(isTheirs)) given.push(track(trim(pot, lease)))
      await Promise.all(given)
    },
    async close() {
      closed = true
      stopTicking()
      await Promise.all(running)
      for (const pot of pots.values())
        for (const lease of pot.leases.splice(0))
          queue.enqueue({ kind: 'trim', hold: lease.hold, keep: 0 }).catch(() => undefined)
    },
  }
}
