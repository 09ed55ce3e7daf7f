// Compacts SQLite files, so that the space of deleted rows, which SQLite keeps for new ones, is returned to the disk.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { toDiskFullError } from './disk-full.ts'
import { DATABASE_FILE } from './knex/connect.ts'
import { openDatabase } from './knex/open.ts'
import { LOG_FILE } from './log-homes/open.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'

export interface CompactedFile {
  file: string
  /** Bytes. */
  before: number
  after: number
}

/**
 * Rewrites each file without free pages. If interrupted, the files stay as they were. It needs free disk space of the
 * size of a file.
 * @throws StartError if the files are in use or missing; GatewayError disk.full
 */
export async function compactDatabase(config: Config): Promise<CompactedFile[]> {
  if (config.database)
    throw new StartError('PostgreSQL gives room back by itself (autovacuum): this is for the files of SQLite.')
  const folder = resolve(config.data)
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw new StartError(`There is no Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  const names = [DATABASE_FILE, LOG_FILE].filter((name) => existsSync(join(folder, name)))
  const sizes = () => names.map((name) => statSync(join(folder, name)).size)
  const before = sizes()
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const { write, close } = await openDatabase({ folder, logger })
  try {
    await write.raw('vacuum')
    await write.raw('pragma wal_checkpoint(truncate)')
    if (names.includes(LOG_FILE)) {
      await write.raw('attach ? as filed', [join(folder, LOG_FILE)])
      await write.raw('vacuum filed')
      await write.raw('pragma filed.wal_checkpoint(truncate)')
      await write.raw('detach filed')
    }
  } catch (error) {
    throw toDiskFullError(error, folder)
  } finally {
    await close()
  }
  return sizes().map((after, at) => ({ file: join(folder, names[at] ?? ''), before: before[at] ?? 0, after }))
}
