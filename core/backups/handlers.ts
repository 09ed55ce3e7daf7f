// A backup by the API: recorded before it leaves, for it is everything.
import { toAuditAuthor } from '../audit/audit.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { backupsContract } from './contract.ts'

export interface BackupPorts {
  storage: Storage
  clock: Clock
  version: string
}

export const createBackupHandlers = ({
  storage,
  clock,
  version,
}: BackupPorts): ContractHandlers<typeof backupsContract> => ({
  async make({ prove }, { caller }) {
    const made_at = seconds(clock)
    const row = { ...toAuditAuthor(caller), created_at: made_at, action: 'backup.make', target: 'backup' }
    await storage.transaction(({ audit }) => audit.insert([{ ...row, before: '', after: '' }]))
    const { pieces } = await storage.backups.make({ version, made_at, prove })
    const day = new Date(made_at * 1000).toISOString().slice(0, 10)
    return { content_type: 'application/gzip', filename: `weir-${day}.tar.gz`, pieces }
  },
})
