// Usage by user, model and hour, as the dashboards of this kind of gateway read it.
import { z } from 'zod'

/** Maximum period of a user's query in seconds: 30 days. */
export const MAX_USER_SPAN = 2_592_000

export const UsageRow = z.object({
  user_id: z.number(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour, in epoch seconds. */
  created_at: z.number(),
  /** Prompt and completion tokens. */
  token_used: z.number(),
  /** Calls that gave something. */
  count: z.number(),
  /** Quota units. */
  quota: z.number(),
})
z.globalRegistry.add(UsageRow, { id: 'UsageRow' })
export type UsageRow = z.infer<typeof UsageRow>
