// Copies log rows from a separate SQLite file into a copy of the database, so that a backup is complete, and a restored
// log starts in the database again.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from '../knex/connection/database.ts'
import { createLogPlaces } from '../knex/logs/log-places.ts'
import { createLogStore } from '../knex/logs/logs.ts'
import { LOG_COLUMN_LIST } from '../../calls/log-columns.ts'
import type { LogHomeQueries } from '../../logs/home.ts'
import type { DatabaseLogRows } from '../../logs/store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { openSqliteFile } from './sqlite-file.ts'

const KIND = 'sqlite:'
const ROWS = 1000
const HERE = LOG_COLUMN_LIST.map(({ name, column }) => `"${column ?? name}"`).join(', ')
const THERE = LOG_COLUMN_LIST.map(({ name }) => `"${name}"`).join(', ')

interface CopyTarget {
  /** The folder that relative names are resolved in. */
  folder: string
  clock: Clock
  logger: Logger
}

export async function copyFiledRows(copy: Database, { folder, clock, logger }: CopyTarget): Promise<void> {
  const places = createLogPlaces(copy)
  for (const { home, place } of await places.inUse()) {
    if (!home.startsWith(KIND)) continue
    const file = resolve(folder, home.slice(KIND.length))
    if (!existsSync(file)) {
      logger.warn('older rows of the log are not in the copy: their file is gone', { file })
      continue
    }
    const filed = await openSqliteFile(new URL(encodeURI(home)), folder, logger)
    try {
      // A file of an earlier release has fewer columns.
      await filed.prepare()
      if (copy.kind === 'sqlite') await copyAttached(copy, file, place)
      else await pageByPage(filed.upTo(place), createLogStore(copy, { clock, logger }))
    } finally {
      await filed.close()
    }
    await places.leave(home)
  }
}

/** Runs on the thread of the database, so that calls do not wait for it. */
async function copyAttached({ write }: Database, file: string, place: number): Promise<void> {
  await write.raw('attach ? as filed', [file])
  try {
    await write.raw(`insert or ignore into main.logs (${HERE}) select ${THERE} from filed.logs where "id" <= ?`, [
      place,
    ])
  } finally {
    await write.raw('detach filed')
  }
}

async function pageByPage(filed: LogHomeQueries, { restore }: Pick<DatabaseLogRows, 'restore'>): Promise<void> {
  for (let last = 0; ;) {
    const rows = await filed.after(last, ROWS)
    if (rows.length > 0) await restore(rows)
    if (rows.length < ROWS) return
    last = rows.at(-1)?.id ?? last
  }
}
