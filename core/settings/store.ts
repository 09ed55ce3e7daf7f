import type { NewAuditRow } from '../audit/audit.ts'

/** Options as stored: texts by key. Values of secret settings are encrypted at rest. */
export interface SettingsStore {
  all(): Promise<{ key: string; value: string }[]>
  /** Writes several, and the record of the change, in one transaction. `null` forgets what is stored. */
  save(entries: { key: string; value: string | null; secret: boolean }[], audit?: NewAuditRow[]): Promise<void>
}
