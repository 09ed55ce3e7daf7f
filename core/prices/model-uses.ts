// Recent usage by model, to find models whose price matters and models without a price.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { SLOT_SECONDS, getSlotStart } from '../usage/sums.ts'
import type { ModelUsageSum } from '../usage/store.ts'

interface ModelUsesPorts {
  storage: Storage
  clock: Clock
  rollUp: RollUp
}

const DAY_SECONDS = 24 * 3600
const LATELY_DAYS = 30

/** Returns the usage of the last days by model. */
export async function listModelUses(
  { storage, clock, rollUp }: ModelUsesPorts,
  days = LATELY_DAYS,
): Promise<Map<string, ModelUsageSum>> {
  // The query includes the latest counts.
  await rollUp.flush()
  const now = seconds(clock)
  const uses = await storage.usage.models({
    from: getSlotStart(now - days * DAY_SECONDS),
    to: getSlotStart(now) + SLOT_SECONDS,
  })
  return new Map(uses.map((use) => [use.model, use]))
}
