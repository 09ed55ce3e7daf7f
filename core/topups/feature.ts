// Buying quota; orders that were not paid in time expire.
import type { Feature } from '../feature.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { topupsContract } from './contract.ts'
import { createTopUpHandlers, type TopUpPorts } from './handlers.ts'
import { ORDER_LIFETIME_SECONDS } from './topup.ts'

// Expires orders that were not paid in time.

const EVERY_MS = 10 * 60_000
const ORDERS_AT_ONCE = 100

function createTopUpJobs({ storage, clock }: { storage: Storage; clock: Clock }) {
  async function expire(): Promise<void> {
    for (;;) {
      const orders = await storage.topups.unpaid(seconds(clock) - ORDER_LIFETIME_SECONDS, ORDERS_AT_ONCE)
      for (const { id, trade_no } of orders) {
        // Credited, but the process ended before it wrote so: the entry decides.
        const entry = await storage.entries.findByReference('topup', trade_no)
        if (entry) await storage.topups.markPaid(id, { time: entry.created_at, provider_trade_no: '' })
        else await storage.topups.expire(id)
      }
      if (orders.length < ORDERS_AT_ONCE) return
    }
  }
  return [{ name: 'give up unpaid orders', every_ms: EVERY_MS, run: expire }]
}

export const topupsFeature: Feature<TopUpPorts, typeof topupsContract> = {
  contract: topupsContract,
  handlers: createTopUpHandlers,
  jobs: createTopUpJobs,
}
