// The public facts about this server: its own, and the settings that are declared as public.
import { z } from 'zod'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import { publicStatusShape, readPublicSettings } from '../settings/public.ts'

export const PublicStatus = z.object({
  version: z.string(),
  start_time: z.number(),
  setup: z.boolean(),
  ...publicStatusShape,
  enable_batch_update: z.boolean(),
})
z.globalRegistry.add(PublicStatus, { id: 'Status' })
export type PublicStatus = z.infer<typeof PublicStatus>

interface StatusSources {
  version: string
  clock: Clock
  settings(): Settings
  isSetUp(): Promise<boolean>
}

/** Creates the function that reads the status. Once Weir is set up, it reads memory only. */
export function createPublicStatus({ version, clock, settings, isSetUp }: StatusSources): () => Promise<PublicStatus> {
  const start_time = seconds(clock)
  return async () => ({
    version,
    start_time,
    setup: await isSetUp(),
    ...readPublicSettings(settings()),
    // The ledger writes what arrives together in one commit, always; nothing is collected beyond it.
    enable_batch_update: false,
  })
}
