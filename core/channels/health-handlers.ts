// The endpoints of the health of channels.
import type { ContractHandlers } from '../auth/caller.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { estimateQuantile } from '../calls/histogram.ts'
import { WHOLE_LIST } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { ChannelHour, ChannelHourCounter } from './channel-hours.ts'
import { ATTEMPT_FAILURE_KINDS, SECONDS_PER_HOUR, sumHours } from './channel-hours.ts'
import type { ChannelIndex } from './channel-index.ts'
import { parseJsonObjectText, type Channel } from './channel.ts'
import type { channelHealthContract, ChannelHealth, HealthCell } from './health-contract.ts'
import { hasMultipleKeys, parseDisabledKeys } from './keys.ts'
import type { TestOutcome } from './test-outcome.ts'

interface HealthHandlerPorts {
  storage: Storage
  clock: Clock
  index: ChannelIndex
  cooldowns: CircuitBreakers
  hours: ChannelHourCounter
}

const LATE = 0.95

export function createHealthHandlers(ports: HealthHandlerPorts): ContractHandlers<typeof channelHealthContract> {
  const { storage, clock, index, cooldowns } = ports
  const find = async (id: number) => (await storage.channels.find(id)) ?? fail('channel.missing')

  /** `rows`: of the channel alone. */
  function buildHealth(
    channel: Channel,
    rows: ChannelHour[],
    test: TestOutcome | undefined,
  ): Omit<ChannelHealth, 'cells'> {
    const { id, name, status } = channel
    const { status_reason, status_time } = parseJsonObjectText(channel.other_info)
    const last = rows.reduce<ChannelHour | undefined>(
      (newest, row) => (row.error_at > (newest?.error_at ?? 0) ? row : newest),
      undefined,
    )
    return {
      id,
      name,
      status,
      reason: String(status_reason ?? ''),
      since: Number(status_time ?? 0),
      circuits: cooldowns
        .open(id)
        .map(({ key, model, until }) => ({ fingerprint: key, model, until: Math.ceil(until / 1000) })),
      last_error: last
        ? { at: last.error_at, fingerprint: last.key, status: last.error_status, error: last.error }
        : null,
      last_test: test ?? null,
      keys: [],
    }
  }

  /** The keys that the channel has now. */
  const keysHealth = (channel: Channel, rows: ChannelHour[], from: number, hours: number): ChannelHealth['keys'] => {
    const off = parseDisabledKeys(channel.other_info)
    return (hasMultipleKeys(channel) ? (index.find(channel.id)?.keys ?? []) : []).map(({ fingerprint, on }) => ({
      fingerprint,
      on,
      reason: off[fingerprint]?.reason ?? '',
      since: off[fingerprint]?.time ?? 0,
      cells: strip(
        rows.filter(({ key }) => key === fingerprint),
        from,
        hours,
      ),
    }))
  }

  return {
    async health({ id, ids, hours }) {
      await ports.hours.flush()
      const now = seconds(clock)
      const from = now - (now % SECONDS_PER_HOUR) - (hours - 1) * SECONDS_PER_HOUR
      const named = new Set(ids)
      const isMeant = (channel: Channel) => named.size === 0 || named.has(channel.id)
      const found = id > 0 ? [await find(id)] : (await storage.channels.list(WHOLE_LIST)).items.filter(isMeant)
      const rows = new Map<number, ChannelHour[]>()
      for (const row of await storage.channelHours.since(from, id > 0 ? [id] : ids)) {
        const own = rows.get(row.channel_id)
        if (own) own.push(row)
        else rows.set(row.channel_id, [row])
      }
      const tests = new Map((await storage.channelTests.last()).map((test) => [test.channel_id, test]))
      const channels = found.map((channel): ChannelHealth => {
        const own = rows.get(channel.id) ?? []
        return {
          ...buildHealth(channel, own, tests.get(channel.id)),
          cells: strip(own, from, hours),
          ...(id > 0 ? { keys: keysHealth(channel, own, from, hours) } : {}),
        }
      })
      return { from, channels }
    },
    async tests({ id }) {
      await find(id)
      return storage.channelTests.ofChannel(id)
    },
  }
}

/** A cell for each hour, whichever keys were used. */
function strip(rows: ChannelHour[], from: number, hours: number): (HealthCell | null)[] {
  const cells: (ChannelHour | undefined)[] = Array.from({ length: hours })
  for (const row of rows) {
    const place = (row.hour - from) / SECONDS_PER_HOUR
    if (place < hours) cells[place] = cells[place] ? sumHours(cells[place], row) : row
  }
  return cells.map((cell) => (cell ? toCell(cell) : null))
}

function toCell({ hour, answered, failed, abandoned, spans, ms, firsts, first_ms }: ChannelHour): HealthCell {
  const failures = ATTEMPT_FAILURE_KINDS.filter((kind) => failed[kind] > 0).map((kind) => [kind, failed[kind]] as const)
  const timed = spans.reduce((sum, count) => sum + count, 0)
  return {
    hour,
    answered,
    abandoned,
    failed: failures.reduce((sum, [, count]) => sum + count, 0),
    failures: Object.fromEntries(failures),
    avg_ms: timed > 0 ? Math.round(ms / timed) : null,
    p95_ms: estimateQuantile(spans, LATE),
    first_ms: firsts > 0 ? Math.round(first_ms / firsts) : null,
  }
}
