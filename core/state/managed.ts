// The things and fields that files manage, as they were applied. A field that differs now has drifted.
import { z } from 'zod'

export const ManagedEntry = z.object({
  section: z.string(),
  key: z.string(),
  /** The name of the file. */
  source: z.string(),
  /** Epoch seconds. */
  applied_at: z.number(),
  /** JSON: a keyed hash of each field that the file names, as it was applied. */
  fields: z.string(),
})
export type ManagedEntry = z.infer<typeof ManagedEntry>

export interface ManagedStore {
  all(): Promise<ManagedEntry[]>
  put(rows: readonly ManagedEntry[]): Promise<void>
  remove(things: readonly Pick<ManagedEntry, 'section' | 'key'>[]): Promise<void>
}
