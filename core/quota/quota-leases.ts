// Quota leases, where several processes share the database: a part of a busy account's balance that this process holds as one
// row, and admits calls against in memory. So a call of a busy account costs one transaction in place of two. A lease is a hold like
// any other: its row is freed with its process, and the sum of all never exceeds the balance. What is charged of it leaves it in the
// transaction of the charge.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Hold, Payer } from './hold.ts'
import type { LedgerOperation } from './operation.ts'
import { isStorageAway } from './uncertain-commits.ts'

export interface QuotaLeases {
  /** Takes a hold out of what this process has leased, if there is enough: then it names its lease. Otherwise it is heard that it was asked for. */
  grant(hold: Hold, payer: Payer): boolean
  /** Has this process leased something of an account, by this token or without one, that is not spent? */
  hasRoom(of: Pick<Hold, 'account_id' | 'token_id'>): boolean
  /** The call is over, and so much of its hold was charged (0 for nothing). */
  over(hold: Hold, quota: number): void
  /** Gives back what no call holds: others need it, or what may be spent has changed. */
  giveBack(whose: LeasedBy): Promise<void>
  /** Gives everything back. */
  close(): Promise<void>
}

/** An account, a token, or with neither everybody. */
export type LeasedBy = Partial<Pick<Hold, 'account_id' | 'token_id'>>

interface Ports {
  submit(operation: LedgerOperation): Promise<'done' | 'repeated'>
  /** Resolves when storage has what was submitted before. */
  applied(): Promise<void> | undefined
  id(): string
  /** False where others may think that this process is dead. */
  isAlive(): boolean
  clock: Clock
}

/** What the ids of their rows begin with. */
export const LEASE_PREFIX = 'lease-'
/** Who asks less often in a second is served as well by a row for each call. */
const BUSY = 16
/** A lease is for what comes in so many seconds. */
const AHEAD_SECONDS = 2
/** A lease that is not enough for so many calls is not worth its row. */
const WORTH_CALLS = 4
const TICK_MS = 1_000

/** `left` is what its row has, as far as charges are submitted; `open` what calls hold of it. Quota units. */
interface Lease {
  hold: Hold
  left: number
  open: number
  /** On its way back: nothing more is taken out of it. */
  leaving: boolean
}

/** Who pays: an account, by a token or without. */
interface Pot {
  leases: Lease[]
  /** Of this second and of the one before: how many asked, and for how much. */
  now: { at: number; calls: number; units: number }
  before: { calls: number; units: number }
  asking: boolean
  /** The second in which it was refused last. */
  refused: number
}

/** Where what may be spent has changed, somewhere, what is leased of it goes back. */
export function returnLeasesOnChange(
  { onChange }: Pick<Storage, 'onChange'>,
  ledger: { giveBack(whose: LeasedBy): Promise<void> },
): void {
  onChange(({ topic, id }) => {
    if (topic === 'quota' || topic === 'users') return ledger.giveBack(id === 0 ? {} : { account_id: id })
    if (topic === 'tokens') return ledger.giveBack(id === 0 ? {} : { token_id: id })
  })
}

const potKey = (accountId: number, tokenId: number | null): string => `${accountId} ${tokenId ?? ''}`

const roomOf = (lease: Lease) => lease.left - lease.open

export function createQuotaLeases({ submit, applied, id, isAlive, clock }: Ports): QuotaLeases {
  const pots = new Map<string, Pot>()
  /** Leases by the ids of the holds that are taken out of them. */
  const uses = new Map<string, Lease>()
  /** What is asked for, or given back, just now. */
  const underway = new Set<Promise<void>>()
  let closed = false

  function track(work: Promise<void>): Promise<void> {
    const done = work.finally(() => underway.delete(done))
    underway.add(done)
    return done
  }

  function potOf({ account_id, token_id }: Hold): Pot {
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

  /** Asks for more, behind the calls. */
  function ask(pot: Pot, hold: Hold, payer: Payer): void {
    const wanted = AHEAD_SECONDS * Math.max(pot.now.units, pot.before.units)
    const room = pot.leases.reduce((sum, lease) => sum + roomOf(lease), 0)
    if (pot.asking || closed || wanted === 0 || room * 2 > wanted || pot.refused === pot.now.at) return
    pot.asking = true
    const { account_id, token_id } = hold
    const leased: Hold = { id: LEASE_PREFIX + id(), account_id, by_user_id: null, token_id, amount: 0 }
    const least = WORTH_CALLS * Math.max(1, hold.amount)
    const asked = submit({ kind: 'lease', hold: leased, payer, wanted: Math.max(wanted - room, least), least })
      .then(
        () => void pot.leases.push({ hold: leased, left: leased.amount, open: 0, leaving: false }),
        (error: unknown) => {
          pot.refused = pot.now.at
          // It may have been written all the same, and nobody else would free it.
          if (isStorageAway(error)) submit({ kind: 'release', hold: leased }).catch(() => undefined)
        },
      )
      .finally(() => (pot.asking = false))
    void track(asked)
  }

  /** Gives back what no call holds. What was charged of it leaves its row first. */
  async function trim(pot: Pot, lease: Lease): Promise<void> {
    if (lease.leaving) return
    lease.leaving = true
    await applied()
    const keep = lease.open
    lease.left = keep
    const verdict = await submit({ kind: 'trim', hold: lease.hold, keep }).catch(() => undefined)
    // Nothing of it is left, or its row was freed by somebody who thought this process dead: its calls are charged all the same.
    // Where storage was away the row may be there still: the next tick tries again.
    if (verdict === 'repeated' || (verdict === 'done' && keep === 0)) pot.leases.splice(pot.leases.indexOf(lease), 1)
    lease.leaving = false
  }

  /** Idle ones, and what is left of those that are used up, go back. */
  function tick(): void {
    const at = seconds(clock)
    for (const [key, pot] of pots) {
      const isIdle = at > pot.now.at + 1
      const small = pot.now.units / Math.max(1, pot.now.calls)
      for (const lease of pot.leases)
        if (isIdle ? roomOf(lease) > 0 || lease.open === 0 : lease.open === 0 && lease.left < small)
          void track(trim(pot, lease))
      if (isIdle && pot.leases.length === 0 && !pot.asking) pots.delete(key)
    }
  }
  const stopTicking = clock.every(TICK_MS, tick)

  return {
    grant(hold, payer) {
      const pot = potOf(hold)
      count(pot, hold.amount)
      if (!isAlive() || closed) return false
      const isBusy = Math.max(pot.now.calls, pot.before.calls) >= BUSY
      const lease = pot.leases.find((each) => !each.leaving && roomOf(each) >= Math.max(1, hold.amount))
      if (isBusy) ask(pot, hold, payer)
      if (!lease) return false
      lease.open += hold.amount
      hold.lease = lease.hold.id
      uses.set(hold.id, lease)
      return true
    },
    hasRoom: ({ account_id, token_id }) =>
      isAlive() &&
      (pots.get(potKey(account_id, token_id))?.leases ?? []).some(({ leaving, left }) => !leaving && left > 0),
    over(hold, quota) {
      const lease = uses.get(hold.id)
      if (!lease) return
      uses.delete(hold.id)
      lease.open -= hold.amount
      // What is charged beyond its hold is the balance's.
      lease.left -= Math.min(Math.max(0, quota), hold.amount)
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
      await Promise.all(underway)
      for (const pot of pots.values())
        for (const lease of pot.leases.splice(0))
          submit({ kind: 'trim', hold: lease.hold, keep: 0 }).catch(() => undefined)
    },
  }
}
