// The things and fields that files manage, as they were applied. A field that differs now has drifted.
import { z } from 'zod'

export const Managed = z.object({
  section: z.string(),
  key: z.string(),
  /** The name of the file. */
  source: z.string(),
  /** Epoch seconds. */
  applied_at: z.number(),
  /** JSON: a keyed hash of each field that the file names, as it was applied. */
  fields: z.string(),
})
export type Managed = z.infer<typeof Managed>

export interface ManagedStore {
  all(): Promise<Managed[]>
  put(rows: readonly Managed[]): Promise<void>
  remove(things: readonly Pick<Managed, 'section' | 'key'>[]): Promise<void>
}
