// The whole log to another home and back, and what Weir says of homes that it is not started with.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLogHomes, type LogHomeRegistry } from '../../core/logs/homes.ts'
import { createLogsInTwoPlaces } from '../../core/logs/two-places.ts'
import { openLogHome, withLogHome } from '../../core/adapters/log-homes/open.ts'
import { createSystemRandom } from '../../core/adapters/platform.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { describeWithStorage, ports, silent } from '../support/databases.ts'
import { eventually } from '../support/gateway.ts'
import { install, within } from '../support/installation.ts'
import { followerTo, newestId, openHome } from './log-homes.ts'
import { newLog, newUser } from './samples.ts'

const going = new AbortController().signal
let ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
})

async function place(kind: 'sqlite' | 'parquet') {
  const { home, address, end } = await openHome(kind)
  ends.push(end)
  return { home, address }
}
const openHomeAt = (address: string) => openLogHome(address, { folder: '.', logger: silent })
const all = (logs: Storage['logs']) => logs.after(0, 1000)

async function moved(homes: LogHomeRegistry, to: string) {
  await homes.move(to)
  const progress = await eventually(homes.progress, ({ running }) => !running, 20_000)
  expect(progress).toMatchObject({ differing: [], failure: '' })
  return progress
}

describeWithStorage('moving the log', (open) => {
  test('brings every row to another home and back, by the name of each', { timeout: 60_000 }, async () => {
    const storage = await open()
    const first = await place('sqlite')
    const second = await place('parquet')
    const rows = Array.from({ length: 250 }, (_, at) => newLog({ created_at: 1_700_000_000 + at * 5000, quota: at }))
    await storage.databaseLogs.insert(rows)
    const expected = await all(storage.databaseLogs)
    await storage.logPlaces.begin(first.home.name)
    await followerTo(storage, first.home, () => Promise.resolve(150)).run(going)
    await storage.databaseLogs.removeUpTo(150, 1000)

    const logs = createLogsInTwoPlaces(storage, first.home)
    const inTwo = { ...storage, logs, logHome: first.home, openLogHome: openHomeAt }
    const homes = createLogHomes({ ...ports(), storage: inTwo, random: createSystemRandom() })
    const there = await moved(homes, second.address)
    expect(there).toMatchObject({ target: 250, place: 250, days: 16 })
    const kept = await second.home.upTo(250).after(0, 1000)
    expect(await storage.databaseLogs.named(kept)).toEqual(expected)

    // Whatever is in neither of them is still in the database; nothing goes from there while rows come back.
    const back = await moved(homes, 'database')
    expect(back).toMatchObject({ place: 150 })
    expect(await all(storage.databaseLogs)).toEqual(expected)
    expect(await all(logs)).toEqual(expected)
    expect(await storage.logPlaces.of(first.home.name)).toEqual({ place: 0, pending: 0 })
    await homes.close()
  })

  test.each(['sqlite', 'parquet'] as const)('back from %s and there again has each row once', async (kind) => {
    const storage = await open()
    const { home } = await place(kind)
    const logs = createLogsInTwoPlaces(storage, home)
    const rows = (count: number) => Array.from({ length: count }, (_, at) => newLog({ quota: at }))
    const bring = async (...upTo: number[]) => {
      for (const id of upTo) await followerTo(storage, home, () => Promise.resolve(id)).run(going)
    }
    await storage.databaseLogs.insert(rows(250))
    await storage.logPlaces.begin(home.name)
    await bring(100, 250)
    const homes = createLogHomes({
      ...ports(),
      storage: { ...storage, logs, logHome: home },
      random: createSystemRandom(),
    })
    await moved(homes, 'database')
    await storage.databaseLogs.insert(rows(30))
    const expected = await all(storage.databaseLogs)
    await storage.logPlaces.begin(home.name)
    // Other spans than before.
    await bring(90, 280)
    const there = await home.upTo(280).after(0, 1000)
    expect(await storage.databaseLogs.named(there)).toEqual(expected)
    expect(await all(logs)).toEqual(expected)
  })

  test('says which homes have rows that it is not started with', async () => {
    const storage = await open()
    const first = await place('sqlite')
    const second = await place('sqlite')
    await storage.databaseLogs.insert([newLog(), newLog()])
    await storage.logPlaces.begin(first.home.name)
    await followerTo(storage, first.home, () => newestId(storage)).run(going)
    const warned: unknown[] = []
    const logger = { ...silent, warn: (_said: string, more?: object) => void warned.push(more) }
    await withLogHome(storage, undefined, { folder: '.', logger })
    const opened = await withLogHome(storage, second.address, { folder: '.', logger })
    const seen = { home: first.home.name, up_to: 2 }
    expect(warned).toEqual([seen, seen])
    await opened.logHome?.close()
    expect(await storage.logPlaces.begin(first.home.name)).toEqual([])
  })

  test('is recorded, without what is secret in the address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-log-move-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const env = { WEIR_DATA: folder }
    await install(env)
    await within(env, async ({ client }) => {
      await client.logs.move({ to: 'sqlite:other.db?days=0' })
      const ended = await eventually(client.logs.home, ({ move }) => !move.running, 20_000)
      expect(ended).toMatchObject({
        home: 'sqlite:logs.db',
        move: { to: 'sqlite:other.db', differing: [], failure: '' },
      })
      const { items } = await client.audit.list({ action: 'log.move' })
      expect(items.map(({ before, after }) => [before, after])).toEqual([
        ['sqlite:logs.db', 'moved to sqlite:other.db'],
      ])
    })
  })

  test('brings nothing back of who was forgotten meanwhile: their rows are looked for in the new place', async () => {
    const storage = await open()
    const [old, next] = [await place('sqlite'), await place('parquet')]
    const { id } = await storage.users.insert(newUser({ username: 'ada' }))
    await storage.databaseLogs.insert([newLog({ user_id: id })])
    await storage.logPlaces.begin(old.home.name)
    const bring = (to: typeof old) => followerTo(storage, to.home, () => Promise.resolve(1)).run(going)
    await bring(old)
    await bring(next)
    const ada = await storage.users.find(id)
    await storage.transaction(({ privacy }) => privacy.forget(ada!, 100))
    await storage.privacy.done(id, 200)
    expect(await storage.privacy.pending()).toEqual([])
    await storage.logPlaces.isWhole(next.home.name)
    await storage.logPlaces.begin(next.home.name)
    expect(await storage.privacy.pending()).toMatchObject([{ user_id: id, done_at: null }])
  })

  test('begins one move at a time, and none to where the log is', async () => {
    const storage = await open()
    const { home, address } = await place('sqlite')
    const alone = createLogHomes({
      ...ports(),
      storage: { ...storage, openLogHome: openHomeAt },
      random: createSystemRandom(),
    })
    await expect(alone.move('database')).rejects.toMatchObject({ code: 'log.no_home' })
    await expect(alone.move('ftp://there')).rejects.toMatchObject({ code: 'log.home' })
    const inTwo = { ...storage, logHome: home, openLogHome: openHomeAt }
    const homes = createLogHomes({ ...ports(), storage: inTwo, random: createSystemRandom() })
    await expect(homes.move(address)).rejects.toMatchObject({ code: 'log.same_home' })
    await alone.close()
  })
})
