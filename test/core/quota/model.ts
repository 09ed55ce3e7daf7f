// A model of the ledger in a few lines of arithmetic, and the operations that are run on both.
import { expect, vi } from 'vitest'
import type { Hold } from '../../../core/quota/hold.ts'
import type { Ledger } from '../../../core/quota/ledger.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import type { FakeClock } from '../../support/clock.ts'
import { newLog, newToken, newUser } from '../../storage/samples.ts'
import { flaky, type Failure } from './flaky.ts'
import { anotherLedger, costs } from './world.ts'

export interface ModelHold {
  user: number
  token: number | null
  amount: number
  /** `swept`: reserves nothing any more, but its process may still wake up and settle. */
  state: 'open' | 'swept' | 'settled' | 'released'
  process: number
}

/** The expected state. Users and tokens by position: token n belongs to user n. */
export interface Model {
  users: { quota: number; used: number; calls: number; logged: number }[]
  tokens: { remain: number; used: number; unlimited: boolean }[]
  holds: ModelHold[]
  references: Set<string>
  /** The number of the living process. */
  process: number
}

/** The real thing. `holds` are in the order of the model's. */
export interface Real {
  storage: Storage
  clock: FakeClock
  users: number[]
  tokens: number[]
  holds: Hold[]
  /** The ledger of each process, the living one last. */
  ledgers: Ledger[]
  /** What happens to its next transactions. */
  failures: Failure[]
  /** Ends the living process's timers. */
  stop(): void
  run: number
}

export const emptyModel = (): Model => ({
  users: [0, 1].map(() => ({ quota: 0, used: 0, calls: 0, logged: 0 })),
  tokens: [0, 1].map(() => ({ remain: 0, used: 0, unlimited: false })),
  holds: [],
  references: new Set(),
  process: 0,
})

let runs = 0

/** Fresh accounts and a fresh process on a database that other runs have used before. */
export async function openReal(storage: Storage, clock: FakeClock): Promise<Real> {
  runs += 1
  const users: number[] = []
  const tokens: number[] = []
  for (const each of ['a', 'b']) {
    const { id } = await storage.users.insert(newUser({ username: `${each}${runs}` }))
    users.push(id)
    tokens.push((await storage.tokens.insert(newToken({ user_id: id, key: `${each}${runs}`.padEnd(48, 'x') }))).id)
  }
  const process = clock.process()
  const failures: Failure[] = []
  const ledgers = [await anotherLedger(withOutages(storage, failures), process)]
  return { storage, clock, users, tokens, holds: [], ledgers, failures, stop: process.stop, run: runs }
}

const withOutages = (storage: Storage, failures: Failure[]): Storage => ({
  ...storage,
  ledger: flaky(storage.ledger, failures),
})

const held = (model: Model, of: 'user' | 'token', id: number) =>
  model.holds.reduce((sum, hold) => sum + (hold.state === 'open' && hold[of] === id ? hold.amount : 0), 0)

/** The rules of a hold, in the order in which they refuse; null grants it. */
export function expectedRefusal(model: Model, user: number, token: number | null, amount: number, free: boolean) {
  if (free) return null
  const limited = token === null || model.tokens[token]?.unlimited ? undefined : model.tokens[token]
  if (limited && limited.remain <= 0) return 'key.exhausted'
  const spendable = (model.users[user]?.quota ?? 0) - held(model, 'user', user)
  if (spendable < Math.max(1, amount)) return 'quota.insufficient'
  if (limited && limited.remain - held(model, 'token', token ?? 0) < Math.max(1, amount)) {
    return 'quota.token_insufficient'
  }
  return null
}

export function charge(model: Model, hold: ModelHold, quota: number): void {
  const user = model.users[hold.user]
  const token = hold.token === null ? undefined : model.tokens[hold.token]
  if (user) Object.assign(user, { quota: user.quota - quota, used: user.used + quota, calls: user.calls + 1 })
  if (user) user.logged += quota
  if (token) Object.assign(token, { remain: token.remain - quota, used: token.used + quota })
  hold.state = 'settled'
}

export const payer = (real: Real, user: number, token: number | null) => ({
  account_id: real.users[user] ?? 0,
  by_user_id: null,
  token: token === null ? null : { id: real.tokens[token] ?? 0, mask: 'sk-***' },
})

export const living = (real: Real): Ledger => real.ledgers[real.ledgers.length - 1] as Ledger

/** Settles by the process that took the hold; its log row goes along. */
export const settle = (real: Real, model: Model, index: number, quota: number) => {
  const { process = 0, user = 0 } = model.holds[index] ?? {}
  const log = newLog({ user_id: real.users[user] ?? 0, quota })
  return (real.ledgers[process] as Ledger).settle(real.holds[index] as Hold, costs(quota), log)
}

/** Nobody owes and nobody is owed what the model does not know of. */
export async function check(model: Model, real: Real): Promise<void> {
  for (const [index, { quota, used, calls }] of model.users.entries()) {
    const user = await real.storage.users.find(real.users[index] ?? 0)
    expect(user).toMatchObject({ quota, used_quota: used, request_count: calls })
  }
  for (const [index, { remain, used, unlimited }] of model.tokens.entries()) {
    const token = await real.storage.tokens.find(real.tokens[index] ?? 0)
    expect(token).toMatchObject({ remain_quota: remain, used_quota: used, unlimited_quota: unlimited })
  }
  const mine = model.holds.filter(
    ({ state, process }) => (state === 'open' || state === 'swept') && process === model.process,
  )
  expect(living(real).openHolds()).toBe(mine.length)
}

/** What the books say at the end: sums of entries, reservations, log rows. */
export async function audit(model: Model, real: Real): Promise<void> {
  expect(await real.storage.ledger.faults()).toEqual([])
  for (const [index, { logged, used }] of model.users.entries()) {
    const filter = { user_id: real.users[index] ?? 0 }
    expect((await real.storage.logs.statistics(filter, 0)).quota).toBe(logged)
    expect(used).toBe(logged)
  }
  if (real.storage.ledger.exclusive) return
  expect(await real.storage.ledger.countHolds()).toBe(model.holds.filter(({ state }) => state === 'open').length)
}

/** Storage goes away in the middle of some work; time passes until the work is done and nothing waits any more. */
export async function inOutage<T>(real: Real, failures: Failure[], work: () => Promise<T>): Promise<T> {
  real.failures.push(...failures)
  const result = await inTime(real, work())
  real.failures.splice(0)
  const asked = () => living(real).credit({ account_id: real.users[0] ?? 0, kind: 'gift', amount: 0 })
  while (await inTime(real, asked().then(never, always)));
  return result
}

const never = () => false
const always = () => true

async function inTime<T>(real: Real, work: Promise<T>): Promise<T> {
  let over = false
  const result = work.finally(() => (over = true))
  result.catch(() => undefined)
  while (!over) {
    real.clock.advance(2_000)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return result
}

/** The process vanishes without a word and another takes its place. */
export async function crash(model: Model, real: Real): Promise<void> {
  real.stop()
  const process = real.clock.process()
  real.ledgers.push(await anotherLedger(withOutages(real.storage, real.failures), process))
  real.stop = process.stop
  model.process += 1
  // Holds that lived in the memory of the one owner are gone with it.
  if (real.storage.ledger.exclusive) for (const hold of model.holds) if (hold.state === 'open') hold.state = 'released'
}

/** Time passes and the living process sweeps: exactly the holds of the dead are freed. */
export async function sweep(model: Model, real: Real): Promise<void> {
  const dead = model.holds.filter(({ state, process }) => state === 'open' && process !== model.process)
  real.clock.advance(15_000)
  if (!real.storage.ledger.exclusive) {
    const orphans = () => real.storage.ledger.orphanedHolds(500)
    await vi.waitFor(async () => expect(await orphans()).toHaveLength(dead.length), { timeout: 5000, interval: 2 })
  }
  expect(await living(real).sweep()).toBe(dead.length)
  for (const hold of dead) hold.state = 'swept'
}
