/** Options as stored: texts by key. Values of secret settings are encrypted at rest. */
export interface SettingsStore {
  all(): Promise<{ key: string; value: string }[]>
  /** Writes several in one transaction. */
  save(entries: { key: string; value: string; secret: boolean }[]): Promise<void>
}
