// A sqlite database with this version's tables: to make them anew for every test takes eight times as long as a copy.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectSqlite, DATABASE_FILE_NAME } from '../../core/adapters/knex/connection/connection.ts'
import { migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'

let image: Promise<Uint8Array> | undefined

/** The bytes of a database with all tables and nothing in them. */
export const migratedImage = (): Promise<Uint8Array> => (image ??= makeImage())

async function makeImage(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-image-'))
  try {
    const database = await connectSqlite(folder, { info() {}, warn() {}, error() {} })
    await migrateDatabase(database).finally(() => database.close())
    return await readFile(join(folder, DATABASE_FILE_NAME))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
