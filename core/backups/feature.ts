// Backups: everything in one file.
import { feature } from '../feature.ts'
import { backups } from './contract.ts'
import { createBackupHandlers } from './handlers.ts'

export const backupsFeature = feature({ contract: backups, handlers: createBackupHandlers })
