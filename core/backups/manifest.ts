// The manifest at the start of a backup, before its database.
import { z } from 'zod'

/** Version of the backup format, raised if an earlier Weir cannot read the new one. */
export const BACKUP_FORMAT_VERSION = 1

export const BackupManifest = z.object({
  format: z.number(),
  /** The Weir that made it. */
  version: z.string(),
  /** Epoch seconds. */
  made_at: z.number(),
  /** The database it was made of. */
  source: z.enum(['sqlite', 'postgres']),
  /** Steps of the schema, in order. */
  steps: z.array(z.string()),
  /** Rows by table. */
  tables: z.record(z.string(), z.number()),
  /** Size of the database's file. */
  bytes: z.number(),
  sha256: z.string(),
  /** The result of checking its ledger when the backup was made; null if it was not checked. */
  ledger: z.object({ ok: z.boolean(), accounts: z.number(), entries: z.number(), faults: z.number() }).nullable(),
})
export type BackupManifest = z.infer<typeof BackupManifest>
