// What was used by whom, of which model, in which hour: what the dashboard draws.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'

export const HOUR = 3600
/** Users may look at so much at once, in seconds: 30 days. */
export const LONGEST_SPAN = 2_592_000

export const UsageRow = z.object({
  user_id: z.number(),
  username: z.string(),
  model_name: z.string(),
  /** The beginning of the hour, in epoch seconds. */
  created_at: z.number(),
  /** Prompt and completion tokens. */
  token_used: z.number(),
  /** Calls. */
  count: z.number(),
  /** Quota units. */
  quota: z.number(),
})
namedSchemas.add(UsageRow, { id: 'UsageRow' })
export type UsageRow = z.infer<typeof UsageRow>

/** Times in epoch seconds, inclusive. */
export interface UsageFilter {
  user_id?: number
  username?: string
  start_timestamp: number
  end_timestamp: number
}

/** Hours are summed up from the log: what is in the log is counted once, however often and wherever this runs. */
export interface UsageStore {
  /**
   * Adds rows of the log that are not counted yet and older than `before` (epoch seconds), at most `limit` of them.
   * False when none was left.
   */
  collect(before: number, limit: number): Promise<boolean>
  /** Rows by hour, oldest first: those of one user, or everybody's summed by model and hour. */
  list(filter: UsageFilter): Promise<UsageRow[]>
}
