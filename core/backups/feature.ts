// Backups: everything in one file.
import type { Feature } from '../feature.ts'
import { backupsContract } from './contract.ts'
import { createBackupHandlers, type BackupPorts } from './handlers.ts'

export const backupsFeature: Feature<BackupPorts, typeof backupsContract> = {
  contract: backupsContract,
  handlers: createBackupHandlers,
}
