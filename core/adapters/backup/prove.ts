// Proves a database that was taken out of a backup, in its folder: schema, rows, and the ledger where its key is known.
import type { BackupManifest } from '../../backups/manifest.ts'
import { fail } from '../../errors.ts'
import type { Logger } from '../../ports/logger.ts'
import { createSecrets } from '../crypto.ts'
import { proveBooks, type BooksProof } from '../knex/books.ts'
import { connectSqlite } from '../knex/connect.ts'
import { matchesSecret, storedCheck } from '../knex/installation.ts'
import { appliedSteps, migrate } from '../knex/migrate.ts'
import { rowCount } from '../knex/transfer.ts'

interface Unpacked {
  folder: string
  manifest: BackupManifest
  /** Secrets that may be its own. */
  candidates: readonly string[]
  logger: Logger
}

export interface ProvenCopy {
  /** The one that is its own; null where none is. */
  secret: string | null
  /** Null where its secret is not known. */
  ledger: BooksProof | null
}

/**
 * `forward` brings it to this version's schema as well.
 * @throws GatewayError backup.damaged where it is not what the backup says of it
 */
export async function proveUnpacked(
  { folder, manifest, candidates, logger }: Unpacked,
  { forward = false } = {},
): Promise<ProvenCopy> {
  const database = await connectSqlite(folder, logger)
  try {
    const steps = await appliedSteps(database.read)
    if (steps.join() !== manifest.steps.join()) fail('backup.damaged')
    for (const [name, count] of Object.entries(manifest.tables))
      if ((await rowCount(database.read, name)) !== count) fail('backup.damaged')
    const check = await storedCheck(database.read)
    const secret = candidates.find((each) => matchesSecret(createSecrets(each), check)) ?? null
    if (forward) await migrate(database)
    const ledger = secret === null ? null : await proveBooks(database, createSecrets(secret))
    await database.write.raw('pragma wal_checkpoint(truncate)')
    return { secret, ledger }
  } finally {
    await database.close()
  }
}
