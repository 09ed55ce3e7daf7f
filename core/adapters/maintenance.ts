// The work of an operator on a stopped Weir: copies, backups, the master secret, the schema. `node.ts` runs one.
import { resolve } from 'node:path'
import { copyBookedDatabase, type DatabaseCopy } from './copy-database.ts'
import { hasJournal } from './journal-files.ts'
import { openGateway } from './node.ts'

export { restoreBackup, type RestoredBackup } from './backup/restore.ts'
export { saveBackup, type SavedBackup } from './backup/save.ts'
export { isEncryptedFile } from './backup/read.ts'
export { compactDatabase, type CompactedFile } from './copy-database.ts'
export { type DatabaseCopy } from './copy-database.ts'
export { rotateMasterSecret, type RotationResult } from './rotate-secret.ts'
export { readSchemaSteps, applySchemaSteps, type SchemaStepState } from './schema-steps.ts'

/**
 * Copies the database that the configuration names, after booking the charges that a killed process left in the
 * journal. Running it again resumes an interrupted copy.
 * @throws StartError or GatewayError for the operator: the source is in use, the target is not empty, the disk is full
 */
export async function copyDatabase(...given: Parameters<typeof copyBookedDatabase>): Promise<DatabaseCopy> {
  const [config] = given
  if (await hasJournal(resolve(config.data))) await (await openGateway(config)).close()
  return copyBookedDatabase(...given)
}
