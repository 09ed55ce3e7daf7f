// The public facts about this server: its own, and the settings that are declared as public.
import { z } from 'zod'
import { publicStatusShape } from '../settings/public.ts'

export const PublicStatus = z.object({
  version: z.string(),
  start_time: z.number(),
  setup: z.boolean(),
  ...publicStatusShape,
  enable_batch_update: z.boolean(),
})
z.globalRegistry.add(PublicStatus, { id: 'Status' })
export type PublicStatus = z.infer<typeof PublicStatus>
