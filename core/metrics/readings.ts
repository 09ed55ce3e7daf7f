// Reads the gauges from memory alone, so that an unavailable database does not delay a scrape.
import { CHANNEL_STATUS } from '../channels/channel.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { CircuitBreakers } from '../channels/circuit-breaker.ts'
import type { SinkCounts } from '../calls/sinks.ts'
import type { Storage } from '../ports/storage.ts'
import type { MetricReading } from '../ports/metric-store.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Metrics } from './metrics.ts'

interface GaugeSources {
  version: string
  storage: Storage
  ledger: Pick<Ledger, 'openHolds' | 'getBacklog' | 'takesCalls'>
  index: Pick<ChannelIndex, 'all'>
  cooldowns: Pick<CircuitBreakers, 'open'>
  activeCalls: { readonly counts: Readonly<Record<string, number>> }
  /** Number in this process since its start. */
  refusedCharges(): number
  settings(): Settings
  sinks(): Record<string, SinkCounts>
}

export function registerGauges({ reads }: Pick<Metrics, 'reads'>, known: GaugeSources): void {
  const { storage, ledger, index, cooldowns, activeCalls, settings, sinks } = known
  reads('weir_build_info', () => [[{ version: known.version }, 1]])
  reads('weir_processes', () => 1)
  reads('weir_calls_open', () => Object.entries(activeCalls.counts).map(([kind, count]) => [{ kind }, count]))
  reads('weir_holds_open', ledger.openHolds)
  reads('weir_ledger_waiting', () => ledger.getBacklog().charges)
  reads('weir_ledger_waiting_seconds', () => ledger.getBacklog().waited_ms / 1000)
  reads('weir_ledger_waiting_safe', () => Number(ledger.getBacklog().safe))
  reads('weir_ledger_refused_total', known.refusedCharges)
  reads(
    'weir_dead_letters',
    lately(() => storage.deadLetters.count()),
  )
  reads('weir_storage_ready', () => Number(ledger.takesCalls()))
  reads('weir_quota_per_unit', () => settings().QuotaPerUnit)
  reads('weir_circuits_open', () => {
    const open = counted(cooldowns.open().map(({ channel }) => String(channel)))
    return [...index.all()].map(({ id }) => [{ channel: String(id) }, open.get(String(id)) ?? 0])
  })
  reads('weir_channels', () => {
    const by = counted([...index.all()].map(({ status }) => status))
    return Object.entries(CHANNEL_STATUS).map(([status, number]) => [{ status }, by.get(number) ?? 0])
  })
  reads('weir_channel_info', () => [...index.all()].map(({ id, name }) => [{ channel: String(id), name }, 1]))
  reads('weir_listener_records_total', () =>
    Object.entries(sinks()).flatMap(([listener, { taken, dropped }]): MetricReading[] => [
      [{ listener, result: 'taken' }, taken],
      [{ listener, result: 'missed' }, dropped],
    ]),
  )
  reads('weir_database_connections', () =>
    storage
      .pools()
      .flatMap(({ pool, ...states }) =>
        Object.entries(states).map(([state, count]): MetricReading => [{ pool, state }, count]),
      ),
  )
  reads('weir_database_bytes', () => Object.entries(storage.fileSizes()).map(([file, bytes]) => [{ file }, bytes]))
}

function counted<T>(all: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

/** Returns a reader that shows the database's last answer and queries it again for the next scrape. */
function lately(ask: () => Promise<number>): () => Iterable<MetricReading> {
  let last: number | undefined
  let asking = false
  return () => {
    if (!asking) {
      asking = true
      ask()
        .then((value) => (last = value))
        .catch(() => undefined)
        .finally(() => (asking = false))
    }
    return last === undefined ? [] : [[{}, last]]
  }
}
