// A storage that is away, and a journal beside it: calls come to their end, and each charge is booked once, whoever dies when.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openJournalFolder } from '../../../core/adapters/journal-files.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import type { JournalFolder } from '../../../core/ports/journal.ts'
import { describeWithStorage, silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { flaky, type Failure } from './flaky.ts'
import { anotherLedger, costs, openWorld } from './world.ts'

const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))))

describeWithStorage('a ledger with a journal', (open, kind) => {
  let processes = 0

  async function world() {
    const data = await mkdtemp(join(tmpdir(), 'weir-journal-'))
    folders.push(data)
    const made = await openWorld(open)
    await made.ledger.close()
    const failures: Failure[] = []
    const process = async (change: (folder: JournalFolder) => JournalFolder = (folder) => folder) => {
      const folder = change(openJournalFolder(data, `process${(processes += 1)}`, silent))
      const storage = { ...made.storage, ledger: flaky(made.storage.ledger, failures) }
      return anotherLedger(storage, made.clock, { journal: createJournal(folder, silent) })
    }
    const files = async () =>
      (await readdir(join(data, 'journal'), { recursive: true }).catch(() => [])).filter((name) =>
        name.endsWith('.journal'),
      )
    /** Time goes on until it is done. */
    async function inTime<T>(work: Promise<T>): Promise<T> {
      let over = false
      const watched = work.finally(() => (over = true))
      while (!over) {
        made.clock.advance(250)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      return watched
    }
    return { ...made, data, failures, process, files, inTime }
  }

  const away = (failures: Failure[], kind: Failure = 'before') => failures.push(...Array<Failure>(500).fill(kind))

  test('lets an answer end while storage is away, and books it when that is back', async () => {
    const { process, failures, clock, files, ...weir } = await world()
    const ledger = await process()
    const hold = await ledger.hold(weir.byToken, 600)
    away(failures)
    await ledger.settle(hold, costs(250), newLog({ quota: 250 }))
    expect(ledger.getBacklog()).toMatchObject({ charges: 1, safe: true })
    expect(await files()).toHaveLength(1)
    failures.length = 0
    await vi.waitFor(() => {
      clock.advance(2_000)
      expect(ledger.getBacklog().charges).toBe(0)
    })
    expect(await weir.balance()).toBe(750)
    expect(await weir.logs()).toMatchObject([{ quota: 250 }])
    await vi.waitFor(async () => expect(await files()).toEqual([]))
    await ledger.close()
    expect(await weir.storage.ledger.faults()).toEqual([])
  })

  test.each<Failure>(['before', 'after'])(
    'a process that dies meanwhile leaves it to the next one (%s)',
    async (failure) => {
      const { process, failures, files, inTime, ...weir } = await world()
      const ledger = await process()
      const holds = [await ledger.hold(weir.byToken, 300), await ledger.hold(weir.byUser, 300)]
      away(failures, failure)
      for (const hold of holds) await inTime(ledger.settle(hold, costs(200), newLog({ quota: 200 })))
      const closed = ledger.close()
      failures.length = 0
      await closed
      const next = await process()
      await next.replay()
      expect(await weir.balance()).toBe(600)
      expect(await weir.budget()).toEqual({ remain_quota: 800, used_quota: 200 })
      expect(await weir.logs()).toHaveLength(2)
      expect(await files()).toEqual([])
      await next.hold(weir.byUser, 600)
      await next.close()
      if (kind === 'postgres') await next.sweep()
      expect(await weir.storage.ledger.faults()).toEqual([])
    },
  )

  test('takes nothing from a process that lives', async () => {
    const { process, failures, files, ...weir } = await world()
    const ledger = await process()
    const hold = await ledger.hold(weir.byUser, 300)
    away(failures)
    await ledger.settle(hold, costs(200))
    const other = await process()
    expect(await other.replay()).toBe(0)
    expect(await files()).toHaveLength(1)
    await other.close()
    await ledger.close()
  })

  test('a torn record costs nothing of the others; changed bytes are passed over, and their file is kept', async () => {
    const { process, failures, files, data, inTime, ...weir } = await world()
    const ledger = await process()
    const holds = [await ledger.hold(weir.byUser, 100), await ledger.hold(weir.byUser, 100)]
    away(failures)
    for (const hold of holds) await inTime(ledger.settle(hold, costs(100)))
    await ledger.close()
    const [name = ''] = await files()
    const path = join(data, 'journal', name)
    const bytes = await readFile(path)
    bytes[30] = (bytes[30] ?? 0) ^ 4
    await writeFile(path, bytes)
    await writeFile(path, Buffer.concat([bytes, bytes.subarray(8, 40)]))
    failures.length = 0
    const next = await process()
    expect(await next.replay()).toBe(1)
    expect(await weir.balance()).toBe(900)
    expect(await readdir(join(data, 'journal'))).toEqual([expect.stringMatching(/\.damaged$/)])
    await next.close()
  })

  test('waits in memory, with the answer, where nothing can be written', async () => {
    const { process, failures, clock, ...weir } = await world()
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    const ledger = await process((folder) => ({ ...folder, begin: full }))
    const hold = await ledger.hold(weir.byUser, 300)
    away(failures)
    let ended = false
    const settled = ledger.settle(hold, costs(200)).then(() => (ended = true))
    await vi.waitFor(() => expect(failures.length).toBeLessThan(500))
    await expect(ledger.hold(weir.byUser, 1)).rejects.toMatchObject({ code: 'storage.away' })
    expect({ ended, ...ledger.getBacklog() }).toMatchObject({ ended: false, charges: 1, safe: false })
    failures.length = 0
    await vi.waitFor(() => {
      clock.advance(2_000)
      expect(ended).toBe(true)
    })
    await settled
    expect(await weir.balance()).toBe(800)
    await ledger.close()
  })

  if (kind === 'sqlite')
    test('goes on with calls, by the balances that it knows, and no further', async () => {
      const { process, failures, clock, inTime, ...weir } = await world()
      const ledger = await process()
      const first = await ledger.hold(weir.byUser, 400)
      away(failures)
      await inTime(ledger.settle(first, costs(400)))
      const second = await ledger.hold(weir.byUser, 500)
      await inTime(ledger.settle(second, costs(500)))
      await expect(ledger.hold(weir.byUser, 200)).rejects.toMatchObject({ code: 'quota.insufficient' })
      failures.length = 0
      await vi.waitFor(() => {
        clock.advance(2_000)
        expect(ledger.getBacklog().charges).toBe(0)
      })
      expect(await weir.balance()).toBe(100)
      await ledger.close()
    })

  test('a storage that says nothing keeps no answer, and nobody who wants to begin', async () => {
    const { process, clock, storage, ...weir } = await world()
    let answer: () => void = () => undefined
    const silence = new Promise<void>((resolve) => (answer = resolve))
    let says_nothing = false
    const store = storage.ledger
    const mute = {
      ...store,
      transact: (async (...given: Parameters<typeof store.transact>) => {
        if (says_nothing) await silence
        return store.transact(...given)
      }) as typeof store.transact,
      commit: async (write: Parameters<typeof store.commit>[0]) => {
        if (says_nothing) await silence
        return store.commit(write)
      },
    }
    await (await process()).close()
    const folder = openJournalFolder(weir.data, 'mute', silent)
    const ledger = await anotherLedger({ ...storage, ledger: mute }, clock, { journal: createJournal(folder, silent) })
    const hold = await ledger.hold(weir.byUser, 300)
    says_nothing = true
    let ended = false
    const settled = ledger.settle(hold, costs(300)).then(() => (ended = true))
    const begun = kind === 'postgres' ? ledger.hold(weir.byUser, 10).catch((error: unknown) => error) : null
    await vi.waitFor(() => {
      clock.advance(1_000)
      expect(ended).toBe(true)
    })
    await settled
    if (begun) {
      clock.advance(5_000)
      expect(await begun).toMatchObject({ code: 'storage.away' })
    }
    answer()
    says_nothing = false
    await vi.waitFor(() => {
      clock.advance(250)
      expect(ledger.getBacklog().charges).toBe(0)
    })
    expect(await weir.balance()).toBe(700)
    await ledger.close()
  })

  test('what storage refuses for what it says is a dead letter, and is booked when it is asked for again', async () => {
    const { process, storage, clock, ...weir } = await world()
    await (await process()).close()
    const refused: unknown[] = []
    let refuses = true
    const store = storage.ledger
    const picky = {
      ...store,
      transact: (async (work: (transaction: never) => Promise<unknown>, options?: object) =>
        store.transact(async (transaction) => {
          const watched = {
            ...transaction,
            write(write: Parameters<typeof transaction.write>[0]) {
              if (refuses && write.entries.some(({ kind }) => kind === 'charge')) throw new RangeError('too picky')
              transaction.write(write)
            },
          }
          return work(watched as never)
        }, options)) as typeof store.transact,
      commit: async (write: Parameters<typeof store.commit>[0]) => {
        if (refuses && write.entries.some(({ kind }) => kind === 'charge')) throw new RangeError('too picky')
        return store.commit(write)
      },
    }
    const ledger = await anotherLedger({ ...storage, ledger: picky }, clock, {
      onRefused: (letter) => refused.push(letter),
    })
    const hold = await ledger.hold(weir.byToken, 300)
    await expect(ledger.settle(hold, costs(200), newLog({ quota: 200 }))).rejects.toBeInstanceOf(RangeError)
    await vi.waitFor(async () => expect(await storage.deadLetters.count()).toBe(1))
    const [letter] = await storage.deadLetters.list(10)
    expect(letter).toMatchObject({
      hold_id: hold.id,
      quota: 200,
      token_id: weir.token,
      reason: expect.stringContaining('too picky'),
    })
    expect(refused).toHaveLength(1)
    expect(await weir.balance()).toBe(1000)
    if (!letter) throw new Error('no letter')
    const beside = (within: Parameters<Parameters<typeof ledger.retry>[1]>[0]) =>
      within.deadLetters.remove(letter.hold_id)
    await expect(ledger.retry(letter, beside)).rejects.toBeInstanceOf(RangeError)
    await vi.waitFor(async () => expect(await storage.deadLetters.count()).toBe(1))
    refuses = false
    await ledger.retry(letter, beside)
    // Somebody else was as quick.
    await ledger.retry(letter, beside)
    expect(await storage.deadLetters.count()).toBe(0)
    expect(await weir.balance()).toBe(800)
    expect(await weir.budget()).toEqual({ remain_quota: 800, used_quota: 200 })
    await ledger.close()
    expect(await storage.ledger.faults()).toEqual([])
  })
})
