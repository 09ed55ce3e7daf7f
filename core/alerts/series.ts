// How a rule's numbers were over time: usage from its sums, everything else from the samples.
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { toMeasures } from '../usage/report.ts'
import { SLOT } from '../usage/sums.ts'
import type { WatchedMetric } from './alert.ts'
import type { Point } from './evaluate.ts'
import { getRuleKind } from './rule-kinds.ts'

interface SeriesPorts {
  storage: Storage
  settings(): Settings
}

/** Points by subject: a channel, a host; empty for everything. */
export type Series = ReadonlyMap<string, Point[]>

/** Maximum number of steps in one query. */
const MOST_STEPS = 500
const MINUTE = 60

/**
 * Reads the points from `from` to before `to`: whole quarters of an hour, in epoch seconds. `worst` is the worst value
 * of each, not the last one.
 */
export async function readSeries(
  { storage, settings }: SeriesPorts,
  rule: WatchedMetric,
  span: { from: number; to: number; worst: boolean },
): Promise<Series> {
  if (getRuleKind(rule.kind).source === 'usage') return new Map([['', await ofUsage(storage, settings(), rule, span)]])
  const series = new Map<string, Point[]>()
  for (const { subject, at, value, worst } of await storage.alerts.samples(rule.kind, span.from, span.to)) {
    if (rule.channel > 0 && subject !== String(rule.channel)) continue
    series.set(subject, [...(series.get(subject) ?? []), { at, value: span.worst ? worst : value }])
  }
  return series
}

interface Sums {
  calls: number
  failed: number
  quota: number
}

/** Each point is the sum of the window that ends with its quarter. */
async function ofUsage(
  storage: Storage,
  settings: Settings,
  rule: WatchedMetric,
  { from, to }: { from: number; to: number },
): Promise<Point[]> {
  const slots = Math.ceil((rule.minutes * MINUTE) / SLOT)
  const first = Math.max(0, from - (slots - 1) * SLOT)
  const counted = new Map<number, Sums>()
  const { model, channel, group } = rule
  const filters = {
    ...(model === '' ? {} : { model }),
    ...(channel === 0 ? {} : { channel }),
    ...(group === '' ? {} : { group }),
  }
  for (let at = first; at < to; at += MOST_STEPS * SLOT) {
    const part = { from: at, to: Math.min(to, at + MOST_STEPS * SLOT) }
    const starts = Array.from({ length: (part.to - part.from) / SLOT }, (_, place) => part.from + place * SLOT)
    const totalOnly = { by: [], order: 'calls', limit: 1, times: false } as const
    const { rows } = await storage.usage.ask({ ...part, ...totalOnly, starts, filters })
    for (const row of rows) counted.set(row.at, toMeasures(row.counts))
  }
  const points: Point[] = []
  const window: Sums = { calls: 0, failed: 0, quota: 0 }
  const add = (at: number, sign: 1 | -1) => {
    const { calls = 0, failed = 0, quota = 0 } = counted.get(at) ?? {}
    window.calls += sign * calls
    window.failed += sign * failed
    window.quota += sign * quota
  }
  for (let at = first; at < to; at += SLOT) {
    add(at, 1)
    add(at - slots * SLOT, -1)
    if (at >= from) points.push({ at, value: computeValue(rule, window, settings) })
  }
  return points
}

function computeValue(
  { kind, least }: WatchedMetric,
  { calls, failed, quota }: Sums,
  settings: Settings,
): number | null {
  if (kind === 'spend') return quota / settings.QuotaPerUnit
  return calls === 0 || calls < least ? null : (failed / calls) * 100
}
