// Backups: everything in one file.
import type { Feature } from '../feature.ts'
import { backupsContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'

// A backup by the API: recorded before it leaves, for it is everything.

interface BackupPorts {
  storage: Storage
  clock: Clock
  version: string
}

const createBackupHandlers = ({ storage, clock, version }: BackupPorts): ContractHandlers<typeof backupsContract> => ({
  async make({ prove }, { caller }) {
    const made_at = seconds(clock)
    const row = { ...toAuditAuthor(caller), created_at: made_at, action: 'backup.make', target: 'backup' }
    await storage.transaction(({ audit }) => audit.insert([{ ...row, before: '', after: '' }]))
    const { pieces } = await storage.backups.make({ version, made_at, prove })
    const day = new Date(made_at * 1000).toISOString().slice(0, 10)
    return { content_type: 'application/gzip', filename: `weir-${day}.tar.gz`, pieces }
  },
})

export const backupsFeature: Feature<BackupPorts, typeof backupsContract> = {
  contract: backupsContract,
  handlers: createBackupHandlers,
}
