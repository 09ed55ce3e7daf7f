// Verifies an unpacked backup: schema, rows, and the ledger if its key is known.
import type { BackupManifest } from '../../backups/manifest.ts'
import { fail } from '../../errors.ts'
import type { Logger } from '../../ports/logger.ts'
import { createSecrets } from '../crypto.ts'
import { connectSqlite } from '../knex/connection/connection.ts'
import { type LedgerVerification, verifyLedger } from '../knex/ledger/ledger-entries.ts'
import { matchesMasterSecret, loadSecretCheck } from '../knex/schema/installation.ts'
import { listAppliedSteps, migrateDatabase } from '../knex/schema/migrate.ts'
import { countRowsInTable } from '../knex/transfer/transfer.ts'

interface Unpacked {
  folder: string
  manifest: BackupManifest
  /** Secrets that may be the database's. */
  candidates: readonly string[]
  logger: Logger
}

export interface VerifiedCopy {
  /** The matching secret; null if none matches. */
  secret: string | null
  /** null if the secret is unknown. */
  ledger: LedgerVerification | null
}

/**
 * Verifies a database that was unpacked into a folder. `forward` also migrates it to this version's schema.
 * @throws GatewayError backup.damaged if it differs from its manifest
 */
export async function verifyUnpacked(
  { folder, manifest, candidates, logger }: Unpacked,
  { forward = false } = {},
): Promise<VerifiedCopy> {
  const database = await connectSqlite(folder, logger)
  try {
    const steps = await listAppliedSteps(database.read)
    if (steps.join() !== manifest.steps.join()) fail('backup.damaged')
    for (const [name, count] of Object.entries(manifest.tables))
      if ((await countRowsInTable(database.read, name)) !== count) fail('backup.damaged')
    const check = await loadSecretCheck(database.read)
    const secret = candidates.find((each) => matchesMasterSecret(createSecrets(each), check)) ?? null
    if (forward) await migrateDatabase(database)
    const ledger = secret === null ? null : await verifyLedger(database, createSecrets(secret))
    await database.write.raw('pragma wal_checkpoint(truncate)')
    return { secret, ledger }
  } finally {
    await database.close()
  }
}
