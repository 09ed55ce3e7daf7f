// The endpoints of channel health: hourly statistics, the current state, and the results of tests.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filterByIds, filterByNumber } from '../contract/filter.ts'
import { words } from '../errors.ts'
import { TestOutcome } from './test-outcome.ts'

/** Number of stored hours: a week. */
export const KEPT_HEALTH_HOURS = 7 * 24

/** The attempts that began in an hour. Times in ms; null if none was measured. */
const HealthCell = z.object({
  hour: z.number(),
  answered: z.number(),
  failed: z.number(),
  /** How many failed for which reason, of those that there were. */
  failures: z.record(z.string(), z.number()),
  abandoned: z.number(),
  avg_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  first_ms: z.number().nullable(),
})
z.globalRegistry.add(HealthCell, { id: 'HealthCell' })
export type HealthCell = z.infer<typeof HealthCell>

/** One for each hour from `from` on; null for an hour without a try. */
const cells = z.array(HealthCell.nullable())

const KeyHealth = z.object({
  fingerprint: z.string(),
  on: z.boolean(),
  reason: z.string(),
  since: z.number(),
  cells,
})

const ChannelHealth = z.object({
  id: z.number(),
  name: z.string(),
  status: z.number(),
  /** Reason and time (epoch seconds) of being disabled automatically; otherwise empty and 0. */
  reason: z.string(),
  since: z.number(),
  /** Left alone for now, by the process that answers: which key for which model, until when (epoch seconds). */
  circuits: z.array(z.object({ fingerprint: z.string(), model: z.string(), until: z.number() })),
  /** The last failure of these hours that was the channel's. */
  last_error: z.object({ at: z.number(), fingerprint: z.string(), status: z.number(), error: z.string() }).nullable(),
  last_test: TestOutcome.nullable(),
  cells,
  /** The keys of a channel with several, if one channel is requested. */
  keys: z.array(KeyHealth),
})
z.globalRegistry.add(ChannelHealth, { id: 'ChannelHealth' })
export type ChannelHealth = z.infer<typeof ChannelHealth>

export const channelHealthContract = {
  health: endpoint({
    method: 'GET',
    path: '/api/channel/health',
    access: 'admin',
    scope: 'read',
    summary: words(
      'How channels did hour by hour, and what state they are in: of all, of those named, or of one with its keys',
    ),
    query: z.object({
      id: filterByNumber,
      ids: filterByIds,
      hours: z.coerce.number().int().min(1).max(KEPT_HEALTH_HOURS).default(24),
    }),
    reply: z.object({ from: z.number(), channels: z.array(ChannelHealth) }),
  }),
  tests: endpoint({
    method: 'GET',
    path: '/api/channel/tests/{id}',
    access: 'admin',
    scope: 'read',
    summary: words("Results of a channel's last tests, newest first"),
    params: z.object({ id: z.coerce.number().int() }),
    reply: z.array(TestOutcome),
  }),
}
