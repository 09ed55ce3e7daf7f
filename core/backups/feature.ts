// Backups: everything in one file.
import { feature } from '../feature.ts'
import { backups } from './contract.ts'
import { createBackupHandlers } from './handlers.ts'
import type { BackupStore } from './store.ts'

export const backupsFeature = feature({ contract: backups, handlers: createBackupHandlers })

declare module '../ports/storage.ts' {
  interface Storage {
    backups: BackupStore
  }
}
