// Answers that wait for the journal alone: whoever asks finds what was charged, and each charge is booked once, whoever dies when.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { openJournalFolder } from '../../../core/adapters/journal-files.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import type { Hold } from '../../../core/quota/hold.ts'
import type { Ledger } from '../../../core/quota/ledger.ts'
import type { JournalFolder } from '../../../core/ports/journal.ts'
import { describeWithStorage, silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { followerTo, newestId, openHome } from '../../storage/log-homes.ts'
import { flaky, type Failure } from './flaky.ts'
import { anotherLedger, costs, openWorld } from './world.ts'

const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))))
let processes = 0

describeWithStorage('a ledger that follows its journal', (open, kind) => {
  async function world(given?: Parameters<typeof openWorld>[1]) {
    const data = await mkdtemp(join(tmpdir(), 'weir-journal-'))
    folders.push(data)
    const made = await openWorld(open, given)
    await made.ledger.close()
    const failures: Failure[] = []
    const process = async (change: (folder: JournalFolder) => JournalFolder = (folder) => folder) => {
      const folder = change(openJournalFolder(data, `first${(processes += 1)}`, silent))
      const storage = { ...made.storage, ledger: flaky(made.storage.ledger, failures) }
      const ledger = await anotherLedger(storage, made.clock, {
        journal: createJournal(folder, silent),
        journalFirst: true,
      })
      /** As kill -9 does: storage hears nothing more of it, and its files are nobody's. */
      const die = async () => {
        failures.push(...Array<Failure>(10_000).fill('before'))
        await ledger.close()
        failures.length = 0
      }
      return Object.assign(ledger, { die })
    }
    const files = async () =>
      (await readdir(join(data, 'journal'), { recursive: true }).catch(() => [])).filter((name) =>
        name.endsWith('.journal'),
      )
    return { ...made, data, failures, process, files }
  }

  const charge = async (ledger: Ledger, hold: Hold, quota: number) =>
    ledger.settle(hold, costs(quota), newLog({ quota, request_id: hold.id }))

  test('an answer ends before storage has its charge, and whoever asks waits for it', async () => {
    const { process, ...weir } = await world()
    const ledger = await process()
    const hold = await ledger.hold(weir.byToken, 300)
    await charge(ledger, hold, 200)
    expect(await weir.balance()).toBe(1000)
    expect(ledger.getBacklog().charges).toBe(0)
    await ledger.applied()
    expect(await weir.balance()).toBe(800)
    expect(await weir.budget()).toEqual({ remain_quota: 800, used_quota: 200 })
    expect(await weir.logs()).toMatchObject([{ quota: 200 }])
    expect(ledger.applied()).toBeUndefined()
    await ledger.close()
    expect(await weir.storage.ledger.faults()).toEqual([])
  })

  test('books by itself, many at once', async () => {
    const { process, clock, files, ...weir } = await world()
    const ledger = await process()
    const holds = await Promise.all(Array.from({ length: 40 }, () => ledger.hold(weir.byUser, 10)))
    await Promise.all(holds.map((hold) => charge(ledger, hold, 7)))
    await vi.waitFor(async () => {
      clock.advance(100)
      expect(await weir.balance()).toBe(1000 - 40 * 7)
    })
    expect(await files()).toHaveLength(1)
    await ledger.close()
    expect(await files()).toEqual([])
  })

  test('somebody who changes a balance sees it after all that was charged before', async () => {
    const { process, ...weir } = await world()
    const ledger = await process()
    await charge(ledger, await ledger.hold(weir.byUser, 300), 200)
    await ledger.credit({ account_id: weir.user, kind: 'gift', amount: 50 })
    expect(await weir.balance()).toBe(850)
    const { items } = await weir.storage.entries.list({ account_id: weir.user }, { offset: 0, limit: 2 })
    expect(items.map(({ amount }) => amount)).toEqual([50, -200])
    await ledger.close()
  })

  if (kind === 'sqlite')
    test('admission counts what is in the journal: what was charged, and not what was held for it', async () => {
      const { process, ...weir } = await world()
      const ledger = await process()
      await charge(ledger, await ledger.hold(weir.byToken, 100), 700)
      await expect(ledger.hold(weir.byToken, 301)).rejects.toMatchObject({ code: 'quota.insufficient' })
      await charge(ledger, await ledger.hold(weir.byToken, 300), 1)
      await ledger.hold(weir.byToken, 299)
      expect(await weir.balance()).toBe(1000)
      await ledger.close()
      expect(await weir.balance()).toBe(299)
    })

  test('a call that is over is no call in progress, booked or not', async () => {
    const { process, ...weir } = await world()
    const ledger = await process()
    const limits = [{ kind: 'concurrent', key: 'c', max: 1 }] as const
    for (let call = 0; call < 3; call += 1) await charge(ledger, await ledger.hold(weir.byUser, 10, { limits }), 5)
    const held = await ledger.hold(weir.byUser, 10, { limits })
    await expect(ledger.hold(weir.byUser, 10, { limits })).rejects.toMatchObject({ code: 'limit.concurrent' })
    await ledger.release(held, newLog())
    await ledger.hold(weir.byUser, 10, { limits })
    await ledger.close()
  })

  test('what a process leaves that is killed is booked once, with one row of the log for each call', async () => {
    const { process, files, ...weir } = await world()
    const first = await process()
    await charge(first, await first.hold(weir.byToken, 100), 100)
    await first.release(await first.hold(weir.byToken, 100), newLog({ request_id: 'failed early' }))
    await first.applied()
    const [late, failed] = [await first.hold(weir.byToken, 100), await first.hold(weir.byToken, 100)]
    await charge(first, late, 150)
    await first.release(failed, newLog({ request_id: 'failed late' }))
    await first.die()
    expect(await files()).toHaveLength(1)
    const second = await process()
    expect(await second.replay()).toBe(1)
    expect(await weir.balance()).toBe(750)
    expect(await weir.logs()).toHaveLength(4)
    expect(await files()).toEqual([])
    await second.close()
    if (kind === 'postgres') await second.sweep()
    expect(await weir.storage.ledger.faults()).toEqual([])
  })

  test('what is refused is a dead letter once, also where the process dies behind it', async () => {
    const { process, ...weir } = await world()
    const first = await process()
    await charge(first, await first.hold(weir.byUser, 10), 3)
    await first.credit({ account_id: weir.user, kind: 'gift', amount: -1000 })
    const bad = await first.hold({ ...weir.byUser }, 0, { free: true })
    await charge(first, bad, Number.MAX_SAFE_INTEGER)
    await first.applied()
    await first.die()
    const second = await process()
    await second.replay()
    expect(await weir.storage.deadLetters.list(10)).toMatchObject([{ hold_id: bad.id }])
    expect(await weir.logs()).toHaveLength(2)
    await second.close()
  })

  test('a disk that takes nothing makes answers wait for storage, as without a journal', async () => {
    const { process, ...weir } = await world()
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    const ledger = await process((folder) => ({ ...folder, begin: full }))
    await charge(ledger, await ledger.hold(weir.byUser, 300), 200)
    expect(await weir.balance()).toBe(800)
    await ledger.close()
  })

  test('a byte that is changed in a file costs one record, is told, and the file is kept', async () => {
    const { process, data, files, ...weir } = await world()
    const first = await process()
    const holds = await Promise.all([1, 2, 3].map(() => first.hold(weir.byUser, 100)))
    for (const hold of holds) await charge(first, hold, 100)
    await first.die()
    const [name = ''] = await files()
    const path = join(data, 'journal', name)
    const bytes = await readFile(path)
    bytes[60] = (bytes[60] ?? 0) ^ 4
    await writeFile(path, bytes)
    const second = await process()
    expect(await second.replay()).toBe(2)
    expect(await weir.balance()).toBe(800)
    expect(await readdir(join(data, 'journal'))).toEqual([expect.stringMatching(/\.damaged$/)])
    await second.close()
  })

  test(
    'whatever happens in whatever order, what was answered is charged once, logged once and has its receipt, and nothing else',
    { timeout: 180_000 },
    async () => {
      const step = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({ does: fc.constant('call' as const), quota: fc.integer({ min: 0, max: 90 }) }),
        },
        { weight: 2, arbitrary: fc.record({ does: fc.constant('fail' as const) }) },
        { weight: 2, arbitrary: fc.record({ does: fc.constant('ask' as const) }) },
        {
          weight: 1,
          arbitrary: fc.record({ does: fc.constant('gift' as const), quota: fc.integer({ min: 1, max: 50 }) }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ does: fc.constant('time' as const), ms: fc.integer({ min: -500, max: 3000 }) }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            does: fc.constant('away' as const),
            times: fc.integer({ min: 1, max: 3 }),
            how: fc.constantFrom<Failure>('before', 'after'),
          }),
        },
        { weight: 1, arbitrary: fc.record({ does: fc.constant('die' as const) }) },
        { weight: 1, arbitrary: fc.record({ does: fc.constant('follow' as const) }) },
      )
      const { process, failures, clock, ...weir } = await world({ quota: 1_000_000, remain_quota: 1_000_000 })
      const rowsThere = async () => (await weir.storage.logs.list({}, { offset: 0, limit: 1 })).total
      // Rows of the log are followed to another place, now and then: by somebody who is behind for the rest of the time.
      const { home, end } = await openHome('sqlite')
      const follower = followerTo(weir.storage, home, () => newestId(weir.storage))
      const follow = () => follower.run(new AbortController().signal)
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          let ledger = await process()
          let balance = await weir.balance()
          let rows = await rowsThere()
          let { used_quota, remain_quota } = await weir.budget()
          const charged = new Map<string, number>()
          let over = false
          const ticking = (async () => {
            while (!over) {
              clock.advance(20)
              await new Promise((resolve) => setTimeout(resolve, 1))
            }
          })()
          for (const each of steps) {
            if (each.does === 'call' || each.does === 'fail') {
              const hold = await ledger.hold(weir.byToken, 60).catch(() => null)
              if (!hold) continue
              rows += 1
              if (each.does === 'fail') await ledger.release(hold, newLog({ request_id: hold.id }))
              else {
                await charge(ledger, hold, each.quota)
                charged.set(hold.id, each.quota)
                balance -= each.quota
                used_quota += each.quota
                remain_quota -= each.quota
              }
            } else if (each.does === 'ask') {
              failures.length = 0
              await vi.waitFor(async () => {
                await ledger.applied()
                expect(await weir.balance()).toBe(balance)
              })
            } else if (each.does === 'gift') {
              failures.length = 0
              await vi.waitFor(() => ledger.credit({ account_id: weir.user, kind: 'gift', amount: each.quota }))
              balance += each.quota
            } else if (each.does === 'time') clock.advance(each.ms)
            else if (each.does === 'follow') await follow()
            else if (each.does === 'away') failures.push(...Array<Failure>(each.times).fill(each.how))
            else {
              await ledger.die()
              ledger = await process()
              await ledger.replay()
            }
          }
          failures.length = 0
          await vi.waitFor(async () => {
            await ledger.applied()
            expect(ledger.getBacklog().charges).toBe(0)
          })
          await ledger.close()
          over = true
          await ticking
          if (kind === 'postgres') {
            clock.advance(60_000)
            await ledger.sweep()
          }
          expect(await weir.balance()).toBe(balance)
          expect(await rowsThere()).toBe(rows)
          expect(await weir.budget()).toEqual({ used_quota, remain_quota })
          for (const [holdId, quota] of charged) {
            const entry = await weir.storage.entries.findByHold(holdId)
            expect((entry?.amount ?? Number.NaN) + quota).toBe(0)
          }
          expect(await weir.storage.ledger.faults()).toEqual([])
          await follow()
          expect(await home.count({ from: 0, to: follower.state().place })).toBe(rows)
        }),
        { numRuns: kind === 'sqlite' ? 25 : 10 },
      )
      await end()
    },
  )
})
