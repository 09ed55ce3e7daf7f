// Any sequence of operations, crashes among them, leaves the books in order (docs/billing.md, 17).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../support/clock.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { runsAllTests } from '../../support/suite.ts'
import type { Hold } from '../../../core/quota/hold.ts'
import * as book from './model.ts'
import type { Model, Real } from './model.ts'
import { leasedBy } from './world.ts'

type Command = fc.AsyncCommand<Model, Real>

/** A command that is always possible; it ends with a look at every balance. */
const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run: async (model, real) => {
    await run(model, real)
    await book.check(model, real)
  },
  toString: () => name,
})

const who = fc.record({ user: fc.nat(1), byToken: fc.boolean() })
const money = fc.oneof(fc.nat(120), fc.constantFrom(0, 1, 1000))
const pick = fc.nat(1000)

async function take(model: Model, real: Real, user: number, token: number | null, amount: number, free: boolean) {
  const refused = book.expectedRefusal(model, user, token, amount, free)
  const work = book.living(real).hold(book.payer(real, user, token), amount, { free })
  if (refused) return void (await expect(work).rejects.toMatchObject({ code: refused }))
  real.holds.push(await work)
  model.holds.push({ user, token, amount, state: 'open', process: model.process })
}

const holds = fc
  .record({ who, amount: money, free: fc.boolean() })
  .map(({ who: { user, byToken }, amount, free }) =>
    command(`hold ${amount} of ${user}${byToken ? ' by token' : ''}${free ? ' (free)' : ''}`, (model, real) =>
      take(model, real, user, byToken ? user : null, free ? 0 : amount, free),
    ),
  )

const bursts = fc.record({ who, amount: money, count: fc.integer({ min: 2, max: 12 }) }).map((given) =>
  command(`${given.count} holds of ${given.amount} at once`, async (model, real) => {
    const { user, byToken } = given.who
    const token = byToken ? user : null
    const works = Array.from({ length: given.count }, () =>
      book.living(real).hold(book.payer(real, user, token), given.amount),
    )
    for (const result of await Promise.allSettled(works)) {
      const refused = book.expectedRefusal(model, user, token, given.amount, false)
      if (refused) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: refused } })
      } else {
        expect(result.status).toBe('fulfilled')
        real.holds.push((result as PromiseFulfilledResult<Hold>).value)
        model.holds.push({ user, token, amount: given.amount, state: 'open', process: model.process })
      }
    }
  }),
)

/** Settles any hold there ever was, as often as asked, all at once. */
const settlements = fc.record({ pick, quota: money, times: fc.integer({ min: 1, max: 3 }) }).map((given) =>
  command(`settle hold ${given.pick} at ${given.quota}, ${given.times} times`, async (model, real) => {
    if (model.holds.length === 0) return
    const index = given.pick % model.holds.length
    const hold = model.holds[index]
    if (!hold || (real.storage.ledger.exclusive && hold.process !== model.process)) return
    await Promise.all(Array.from({ length: given.times }, () => book.settle(real, model, index, given.quota)))
    if (hold.state === 'open' || hold.state === 'swept') book.charge(model, hold, given.quota)
  }),
)

const releases = fc.record({ pick, again: fc.boolean() }).map((given) =>
  command(`release hold ${given.pick}`, async (model, real) => {
    if (model.holds.length === 0) return
    const index = given.pick % model.holds.length
    const hold = model.holds[index]
    if (!hold || (real.storage.ledger.exclusive && hold.process !== model.process)) return
    const release = () => real.ledgers[hold.process]?.release(real.holds[index] as Hold)
    await Promise.all(given.again ? [release(), release()] : [release()])
    if (hold.state !== 'settled') hold.state = 'released'
  }),
)

/** A settlement and a release of one hold at the same moment: the first one counts. */
const races = fc.record({ pick, quota: money }).map((given) =>
  command(`settle and release hold ${given.pick}`, async (model, real) => {
    const own = model.holds.flatMap((hold, index) => (hold.process === model.process ? [index] : []))
    const index = own[given.pick % Math.max(1, own.length)]
    const hold = index === undefined ? undefined : model.holds[index]
    if (index === undefined || !hold) return
    const work = book.settle(real, model, index, given.quota)
    await Promise.all([work, book.living(real).release(real.holds[index] as Hold)])
    if (hold.state === 'open') book.charge(model, hold, given.quota)
  }),
)

const credits = fc
  .record({
    user: fc.nat(1),
    amount: fc.integer({ min: -50, max: 400 }),
    order: fc.option(fc.nat(3), { nil: undefined }),
  })
  .map(({ user, amount, order }) =>
    command(`credit ${amount} to ${user}${order === undefined ? '' : ` for order ${order}`}`, async (model, real) => {
      const reference = order === undefined ? {} : { reference: `run ${real.run} order ${order}` }
      const known = order !== undefined && model.references.has(`order ${order}`)
      const credit = { account_id: real.users[user] ?? 0, kind: 'topup' as const, amount, ...reference }
      expect(await book.living(real).credit(credit)).toBe(!known)
      if (order !== undefined) model.references.add(`order ${order}`)
      const account = model.users[user]
      if (account && !known) account.quota += amount
    }),
  )

const budgets = fc.record({ token: fc.nat(1), remain: fc.nat(500), unlimited: fc.boolean() }).map((given) =>
  command(`budget ${given.remain}${given.unlimited ? ', unlimited' : ''}`, async (model, real) => {
    const id = real.tokens[given.token] ?? 0
    await book.living(real).setBudget({ id, remain_quota: given.remain, unlimited_quota: given.unlimited })
    Object.assign(model.tokens[given.token] ?? {}, { remain: given.remain, unlimited: given.unlimited })
  }),
)

const failures = fc.array(fc.constantFrom('before' as const, 'after' as const), { minLength: 1, maxLength: 4 })

/** Storage goes away while a hold is settled and released, by several at once: it is charged once all the same. */
const outages = fc.record({ pick, quota: money, failures, release: fc.boolean() }).map((given) =>
  command(
    `settle hold ${given.pick} at ${given.quota} in an outage (${given.failures.join()})`,
    async (model, real) => {
      const own = model.holds.flatMap((hold, index) => (hold.process === model.process ? [index] : []))
      const index = own[given.pick % Math.max(1, own.length)]
      const hold = index === undefined ? undefined : model.holds[index]
      if (index === undefined || !hold) return
      const taken = real.holds[index] as Hold
      await book.inOutage(real, given.failures, async () => {
        const settled = book.settle(real, model, index, given.quota)
        await Promise.all([settled, given.release ? book.living(real).release(taken) : undefined])
      })
      if (hold.state === 'open') book.charge(model, hold, given.quota)
    },
  ),
)

/** A hold that storage does not answer for is refused, and reserves nothing. */
const unanswered = fc.record({ who, amount: money, failures }).map((given) =>
  command(`hold ${given.amount} in an outage (${given.failures.join()})`, async (model, real) => {
    const { user, byToken } = given.who
    const token = byToken ? user : null
    const refused = book.expectedRefusal(model, user, token, given.amount, false)
    const hold = await book.inOutage(real, given.failures, () =>
      book
        .living(real)
        .hold(book.payer(real, user, token), given.amount)
        .catch((error: { code: string }) => error.code),
    )
    if (typeof hold === 'string') return expect(['storage.away', refused]).toContain(hold)
    expect(refused).toBeNull()
    real.holds.push(hold)
    model.holds.push({ user, token, amount: given.amount, state: 'open', process: model.process })
  }),
)

/** A payment whose notice is repeated until it is taken. */
const notices = fc.record({ user: fc.nat(1), amount: fc.nat(400), order: fc.nat(3), failures }).map((given) =>
  command(`order ${given.order} of ${given.amount} in an outage (${given.failures.join()})`, async (model, real) => {
    const reference = `run ${real.run} order ${given.order}`
    const credit = { account_id: real.users[given.user] ?? 0, kind: 'topup' as const, amount: given.amount, reference }
    const known = model.references.has(`order ${given.order}`)
    await book.inOutage(real, given.failures, async () => {
      const notice = () =>
        book
          .living(real)
          .credit(credit)
          .then(
            () => true,
            () => false,
          )
      while (!(await notice()));
    })
    model.references.add(`order ${given.order}`)
    const account = model.users[given.user]
    if (account && !known) account.quota += given.amount
  }),
)

const crashes = fc.constant(command('crash', book.crash))
const sweeps = fc.constant(command('time passes, sweep', book.sweep))

const sequences = fc.commands(
  [
    ...[holds, holds, bursts, settlements, settlements, releases, races, credits, credits, budgets, crashes, sweeps],
    ...[outages, unanswered, notices],
  ],
  {
    size: 'max',
    maxCommands: 60,
  },
)

const RUNS = runsAllTests ? 60 : 40

describeWithStorage('the ledger, whatever happens,', (open, kind) => {
  test('never loses, invents or overspends quota', async () => {
    const clock = createFakeClock()
    const storage = leasedBy(clock, await open({ clock }))
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const model = book.emptyModel()
        const real = await book.openReal(storage, clock)
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await book.audit(model, real)
        // The next run finds no hold of this one.
        await book.crash(model, real)
        await book.sweep(model, real)
        real.stop()
        await book.audit(model, real)
      }),
      { seed: 20260101, numRuns: kind === 'sqlite' ? RUNS : 25, endOnFailure: true },
    )
  }, 60_000)
})
