// Evaluates the conditions of alert rules. Pure functions, used alike for current and past values.
import { getKnownBalance } from '../channels/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Storage } from '../ports/storage.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import { countOverdueCharges } from '../quota/charge-queue.ts'
import type { Settings } from '../settings/index.ts'
import { toMeasures } from '../usage/report.ts'
import { SLOT_SECONDS } from '../usage/sums.ts'
import type { WatchedMetric } from './alert.ts'
import { type AlertKind, getRuleKind, type RuleKind } from './rule-kinds.ts'

/** The value of a quarter of an hour; null if it is unknown. */
export interface QuarterValue {
  /** Start of the quarter, in epoch seconds. */
  at: number
  value: number | null
}

export interface HeldSpan {
  from: number
  to: number
  worst: number
}

type Side = Pick<RuleKind, 'bad'>

export const isBreach = ({ bad }: Side, threshold: number, value: number | null): value is number =>
  value !== null && (bad === 'above' ? value > threshold : value < threshold)

export const pickWorse = ({ bad }: Side, one: number, other: number): number =>
  bad === 'above' ? Math.max(one, other) : Math.min(one, other)

/** Spans of neighbouring quarters in which it held; points by time. */
export function findBreachSpans(kind: Side, threshold: number, points: readonly QuarterValue[]): HeldSpan[] {
  const spans: HeldSpan[] = []
  for (const { at, value } of points) {
    if (!isBreach(kind, threshold, value)) continue
    const last = spans.at(-1)
    if (last?.to === at) {
      last.to = at + SLOT_SECONDS
      last.worst = pickWorse(kind, last.worst, value)
    } else spans.push({ from: at, to: at + SLOT_SECONDS, worst: value })
  }
  return spans
}

/** The worst of all points; null where nothing is known. */
export const findWorst = (kind: Side, points: readonly QuarterValue[]): number | null =>
  points.reduce<number | null>(
    (worst, { value }) => (value === null ? worst : worst === null ? value : pickWorse(kind, worst, value)),
    null,
  )

// Measures the current values for the kinds of alerts whose history is stored nowhere else. Problems of channels and
// charges come from `attention/`.

export interface MeasuredFact {
  kind: AlertKind
  subject: string
  value: number
}

interface FactPorts {
  storage: Storage
  clock: Clock
  machine: HostMachine
  web: WebClient
  ledger: Pick<Ledger, 'getBacklog'>
  settings(): Settings
}

/** Measures what this process can see. @param away_s how long the database has been unavailable, in seconds */
export async function measureLocalFacts({ machine, ledger }: FactPorts, away_s: number): Promise<MeasuredFact[]> {
  const free = await machine.freeDisk()
  return [
    { kind: 'storage', subject: machine.process, value: away_s },
    { kind: 'owed_charges', subject: machine.process, value: countOverdueCharges(ledger) },
    ...(free === null ? [] : [{ kind: 'disk' as const, subject: machine.folder, value: free * 100 }]),
  ]
}

/** Reads the facts in the database, which are the same for every process. */
export async function measureStoredFacts({ storage }: Pick<FactPorts, 'storage'>): Promise<MeasuredFact[]> {
  const [refused, debts, channels] = await Promise.all([
    storage.deadLetters.count(),
    storage.ledger.debts(1),
    storage.channels.balances(),
  ])
  const balances = channels.flatMap((channel): MeasuredFact[] => {
    const value = getKnownBalance(channel)
    return value === null ? [] : [{ kind: 'provider_balance', subject: String(channel.id), value }]
  })
  return [
    { kind: 'owed_charges', subject: REFUSED, value: refused },
    { kind: 'accounts_below_zero', subject: ACCOUNTS, value: debts.accounts },
    ...balances,
  ]
}

/** Charges that storage refused, of all processes. */
const REFUSED = 'dead letters'

/** All accounts, of users and of teams. */
const ACCOUNTS = 'accounts'

const DAY_MS = 86_400_000
const TIMEOUT_MS = 10_000

/**
 * Measures how long the certificate at the server's address is valid; undefined if the address is not https. @throws
 * GatewayError web.*
 */
export async function measureCertificateFact({ web, clock, settings }: FactPorts): Promise<MeasuredFact[]> {
  const address = settings().ServerAddress
  if (!address.startsWith('https://')) return []
  const { certificate_ends } = await web.send({
    method: 'GET',
    url: address,
    certificate: true,
    timeout_ms: TIMEOUT_MS,
  })
  if (certificate_ends === undefined) return []
  const value = Math.floor((certificate_ends - clock.now()) / DAY_MS)
  return [{ kind: 'certificate', subject: new URL(address).host, value }]
}

/** Converts a fact to its stored form. @param at start of its quarter of an hour */
export const toAlertSample = (fact: MeasuredFact, at: number, worst = fact.value) => ({
  ...fact,
  at,
  worst,
  bad: getRuleKind(fact.kind).bad,
})

// How a rule's numbers were over time: usage from its sums, everything else from the samples.

interface SeriesPorts {
  storage: Storage
  settings(): Settings
}

/** Points by subject: a channel, a host; empty for everything. */
export type SubjectSeries = ReadonlyMap<string, QuarterValue[]>

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
): Promise<SubjectSeries> {
  if (getRuleKind(rule.kind).source === 'usage') return new Map([['', await ofUsage(storage, settings(), rule, span)]])
  const series = new Map<string, QuarterValue[]>()
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
): Promise<QuarterValue[]> {
  const slots = Math.ceil((rule.minutes * MINUTE) / SLOT_SECONDS)
  const first = Math.max(0, from - (slots - 1) * SLOT_SECONDS)
  const counted = new Map<number, Sums>()
  const { model, channel, group } = rule
  const filters = {
    ...(model === '' ? {} : { model }),
    ...(channel === 0 ? {} : { channel }),
    ...(group === '' ? {} : { group }),
  }
  for (let at = first; at < to; at += MOST_STEPS * SLOT_SECONDS) {
    const part = { from: at, to: Math.min(to, at + MOST_STEPS * SLOT_SECONDS) }
    const starts = Array.from(
      { length: (part.to - part.from) / SLOT_SECONDS },
      (_, place) => part.from + place * SLOT_SECONDS,
    )
    const totalOnly = { by: [], order: 'calls', limit: 1, times: false } as const
    const { rows } = await storage.usage.ask({ ...part, ...totalOnly, starts, filters })
    for (const row of rows) counted.set(row.at, toMeasures(row.counts))
  }
  const points: QuarterValue[] = []
  const window: Sums = { calls: 0, failed: 0, quota: 0 }
  const add = (at: number, sign: 1 | -1) => {
    const { calls = 0, failed = 0, quota = 0 } = counted.get(at) ?? {}
    window.calls += sign * calls
    window.failed += sign * failed
    window.quota += sign * quota
  }
  for (let at = first; at < to; at += SLOT_SECONDS) {
    add(at, 1)
    add(at - slots * SLOT_SECONDS, -1)
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
