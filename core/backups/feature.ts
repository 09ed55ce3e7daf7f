// Backups: everything in one file.
import type { Feature } from '../feature.ts'
import { backups } from './contract.ts'
import { createBackupHandlers, type BackupPorts } from './handlers.ts'

export const backupsFeature: Feature<BackupPorts, typeof backups> = {
  contract: backups,
  handlers: createBackupHandlers,
}
