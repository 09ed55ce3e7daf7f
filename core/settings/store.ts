import type { NewAuditRow } from '../audit/audit.ts'
import type { RowPage, ListSlice } from '../contract/page.ts'
import type { PriceKey } from './stored-price.ts'
import type { NewPriceChange, PriceChange } from './price-change.ts'

/** The rows written in the transaction of a change of settings. */
export interface ChangeRows {
  audit?: readonly NewAuditRow[]
  prices?: readonly NewPriceChange[]
  /** The texts of those settings as the change has read them; null for none. */
  was?: ReadonlyMap<string, string | null>
}

/** Options as stored: texts by key. Values of secret settings are encrypted at rest. */
export interface SettingsStore {
  all(): Promise<{ key: string; value: string }[]>
  /**
   * Writes several settings and the rows of the change in one transaction. `null` deletes a value. Returns false,
   * without writing, if a setting has changed since it was read.
   */
  save(entries: { key: string; value: string | null; secret: boolean }[], inTransaction?: ChangeRows): Promise<boolean>
  /** Changes of prices, newest first; an empty text does not filter. */
  priceChanges(filter: { model: string; channel: string }, slice: ListSlice): Promise<RowPage<PriceChange>>
  priceChange(id: number): Promise<PriceChange | undefined>
  /** The newest one of a price; of the same channel, or of what the model is sold at. */
  lastPriceChange(of: PriceKey): Promise<PriceChange | undefined>
}
