// A database brought over into another: every table or a reason, every value as it was, whenever it is cut short.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toDiskFullError } from '../../core/adapters/start-error.ts'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { openDatabase, type DatabaseLocation } from '../../core/adapters/knex/schema/open.ts'
import { quoteSqlName } from '../../core/adapters/knex/sql/row-pages.ts'
import {
  MIGRATION_HISTORY_TABLES,
  queryDatabaseRows,
  listTableNames,
  readTableShapes,
} from '../../core/adapters/knex/schema/table-shapes.ts'
import { finishTransfer, SKIPPED_TABLES, transferDatabase } from '../../core/adapters/knex/transfer/transfer.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { openMemoryGateway } from '../core/gateway.ts'
import { plant } from './plant.ts'

let end: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of end.splice(0).reverse()) await each()
})

const kinds = ['sqlite', 'postgres'] as const

async function placed(kind: Database['kind']): Promise<DatabaseLocation> {
  if (kind === 'postgres') return { database: await freshDatabase(), logger: silent }
  const folder = await mkdtemp(join(tmpdir(), 'weir-transfer-'))
  end.push(() => rm(folder, { recursive: true, force: true }))
  return { folder, logger: silent }
}
const opened = async (place: DatabaseLocation): Promise<Database> => {
  const database = await openDatabase(place)
  end.push(() => database.close())
  return database
}

const TEXT = `"sqlName" \\ back'tick' \u0001\u007f\u2028 — 汉字 🙂 {"a": [1]}\n\ttab`
const LARGEST = Number.MAX_SAFE_INTEGER

/** An installation with rows in every table, and many in one. */
async function filled(place: DatabaseLocation): Promise<Database> {
  const weir = await openMemoryGateway({ isNew: true, place })
  await plant(weir)
  await weir.close()
  const database = await opened(place)
  for (const { name, columns } of await readTableShapes(database, database.read)) {
    if ((await queryDatabaseRows(database.read, `select 1 from ${quoteSqlName(name)} limit 1`)).length > 0) continue
    const values = columns.map(
      ({ name: column, kind }) =>
        ({ whole: 1, real: 0.1 + 0.2, flag: true, text: column === 'role' ? 'owner' : TEXT })[kind],
    )
    await database.write.raw(
      `insert into ${quoteSqlName(name)} (${columns.map((column) => quoteSqlName(column.name)).join(', ')}) values (${values.map(() => '?').join(', ')})`,
      values,
    )
  }
  await database.write('accounts').update({ held: 7 })
  await database.write('channels').update({ balance: 1 / 3, name: TEXT })
  const rows = Array.from({ length: 3000 }, (_, at) => ({ username: `row ${at}`, content: TEXT, created_at: at }))
  for (let at = 0; at < rows.length; at += 500) await database.write('logs').insert(rows.slice(at, at + 500).map(log))
  await database.write('logs').where({ username: 'row 5' }).update({ quota: LARGEST, is_stream: true })
  // Numbers that were given are not given again.
  await database.write('logs').where({ username: 'row 2999' }).delete()
  return database
}
const log = (row: object) => ({ ...row, user_id: 1, type: 2, other: '' })

/** Every value as the driver gives it. */
async function everything(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, columns } of await readTableShapes(database, database.read)) {
    if (name in SKIPPED_TABLES) continue
    const rows: Record<string, unknown>[] = await database.read(name).select()
    const own = columns.map((column) => column.name).sort()
    const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
    found[name] = rows.map((row) => JSON.stringify(own.map((column) => [column, plain(row[column])]))).sort()
  }
  return found
}

const without = (text: string) => text.replace(/\["held",\d+\]/, '["held",0]')

describe.each(kinds)('from %s', (from) => {
  // Filling takes longest, and a copy leaves its source as it is.
  let source: Database
  let ends: typeof end = []
  beforeAll(async () => {
    source = await filled(await placed(from))
    ends = end.splice(0)
  }, 120_000)
  afterAll(async () => {
    for (const each of ends.reverse()) await each()
  })

  describe.each(kinds)('a copy to %s', (to) => {
    it('has every value of every table, and goes on with its numbers', async () => {
      const target = await placed(to)
      const database = await openDatabase(target)
      const counts = await transferDatabase(source, database)
      await finishTransfer(database)
      const expected = await everything(source)
      for (const name of ['accounts', 'tokens']) expected[name] = expected[name]!.map(without)
      expect(await everything(database)).toEqual(expected)
      expect(Object.keys(counts).sort()).toEqual(Object.keys(expected).sort())
      for (const [name, rows] of Object.entries(expected)) expect(counts[name], name).toBe(rows.length)
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
      const [added]: { id: number }[] = await database
        .write('logs')
        .insert(log({ username: 'new', created_at: 1 }))
        .returning('id')
      expect(Number(added!.id)).toBe(3002)
      await database.close()
      const storage = await openStorage({ ...target, ...ports() })
      expect((await storage.channels.find(1))?.key).toBe('planted channel')
      await storage.close()
    })

    it('is served by nobody before its end, and goes on where it was cut short', async () => {
      const target = await placed(to)
      for (const cut of [1, 4, 30]) {
        const database = await openDatabase(target)
        let steps = 0
        const dying = transferDatabase(source, database, () => {
          if ((steps += 1) === cut) throw new Error('killed')
        })
        await expect(dying).rejects.toThrow('killed')
        await database.close()
        await expect(openStorage({ ...target, ...ports() })).rejects.toThrow(/not come to its end/)
      }
      // What was copied already is another by now.
      const rows = await countLogs(source)
      await source
        .write('options')
        .where({ key: 'SystemName' })
        .update({ value: `changed for ${to}` })
      await source
        .write('logs')
        .where({ username: `row ${to === 'sqlite' ? 3 : 4}` })
        .delete()
      const database = await opened(target)
      const counts = await transferDatabase(source, database)
      await finishTransfer(database)
      expect(counts.logs).toBe(rows - 1)
      expect(await database.read('options').where({ key: 'SystemName' }).first('value')).toEqual({
        value: `changed for ${to}`,
      })
      await expect(transferDatabase(source, database)).rejects.toMatchObject({ code: 'copy.not_empty' })
    })
  })
})

const countLogs = async (database: Database): Promise<number> =>
  Number((await database.read('logs').count({ count: '*' }).first())?.count)

it('a disk that gets full is said in a sentence; with room the copy goes on', async () => {
  const source = await filled(await placed('sqlite'))
  const target = await placed('sqlite')
  const small = await openDatabase(target)
  await small.write.raw('pragma max_page_count = 200')
  const full = await transferDatabase(source, small).catch((error: unknown) => toDiskFullError(error, 'here'))
  expect(full).toMatchObject({ code: 'disk.full', parameters: { place: 'here' } })
  await small.close()
  await expect(openStorage({ ...target, ...ports() })).rejects.toThrow(/not come to its end/)
  expect((await transferDatabase(source, await opened(target))).logs).toBe(3000)
  // What the system says of a full disk is the same; another fault stays what it was.
  const of = (code: string) => toDiskFullError(Object.assign(new Error('no'), { code }), 'there')
  for (const code of ['ENOSPC', '53100', 'EDQUOT']) expect(of(code)).toMatchObject({ code: 'disk.full' })
  expect(of('EACCES')).toMatchObject({ code: 'EACCES' })
})

it('every table that stays behind is one, and has a reason', async () => {
  const place = await placed('sqlite')
  await (await openStorage({ ...place, ...ports() })).close()
  const database = await opened(place)
  const names = (await listTableNames(database, database.read)).filter(
    (name) => !MIGRATION_HISTORY_TABLES.includes(name),
  )
  expect(Object.keys(SKIPPED_TABLES).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.values(SKIPPED_TABLES).filter((reason) => reason.length < 20)).toEqual([])
})
