// Copies a whole database to an SQLite file in a separate folder, while others keep using the database.
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import type { Logger } from '../../../ports/logger.ts'
import { connectSqlite, DATABASE_FILE_NAME } from '../connection/connection.ts'
import type { Database } from '../connection/database.ts'
import { MIGRATION_HISTORY_TABLES, listTableNames } from '../schema/table-shapes.ts'
import { finishTransfer, SKIPPED_TABLES, countRowsInTable, transferDatabase, type RowCounts } from './transfer.ts'

/** Creates the file and returns it open. Open calls of the original are not in it. */
export async function createSnapshot(folder: string, database: Database, logger: Logger): Promise<Database> {
  if (database.file === undefined) {
    const copy = await connectSqlite(folder, logger)
    try {
      // No durability needed: the file is unknown to others until it is complete.
      await copy.write.raw('pragma synchronous = off')
      await transferDatabase(database, copy)
      await finishTransfer(copy)
      return copy
    } catch (error) {
      await copy.close()
      throw error
    }
  }
  await vacuumInto(database.file, join(folder, DATABASE_FILE_NAME))
  const copy = await connectSqlite(folder, logger)
  for (const table of Object.keys(SKIPPED_TABLES)) await copy.write(table).delete()
  return copy
}

/** Uses a separate connection: SQLite reads a snapshot, and no writer waits for it. */
async function vacuumInto(from: string, to: string): Promise<void> {
  const source = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(from, (error) => (error ? reject(error) : resolve(opened)))
  })
  try {
    await new Promise<void>((resolve, reject) => {
      source.run('vacuum into ?', [to], (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    await new Promise<void>((resolve) => source.close(() => resolve()))
  }
}

/** Returns the number of rows of each copied table. */
export async function countTableRows({ kind, read }: Database): Promise<RowCounts> {
  const names = (await listTableNames({ kind }, read)).filter(
    (name) => !MIGRATION_HISTORY_TABLES.includes(name) && !(name in SKIPPED_TABLES),
  )
  const counts: RowCounts = {}
  for (const name of names) counts[name] = await countRowsInTable(read, name)
  return counts
}
