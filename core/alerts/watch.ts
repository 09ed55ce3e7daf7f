// Checks the rules once a minute: stores the measurements, starts and ends alerts, and sends notifications. Every
// process checks; the database allows one open alert per rule and subject, and one process at a time to send its
// notification.
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Storage } from '../ports/storage.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { getSlotStart, SLOT_SECONDS } from '../usage/sums.ts'
import type { User } from '../users/user.ts'
import type { Alert, AlertInProgress, RuleWithSecret } from './alert.ts'
import type { MeasuredFact, SubjectSeries } from './conditions.ts'
import {
  toAlertSample,
  measureCertificateFact,
  isBreach,
  measureLocalFacts,
  pickWorse,
  readSeries,
  measureStoredFacts,
} from './conditions.ts'
import { getRecipientNames, type NotifyRecipients } from './recipients.ts'
import { getRuleKind } from './rule-kinds.ts'

// Alerts while the database is unavailable: each process sends notifications about its measurements once, and stores
// the alerts when the database is back.

interface OfflineAlertPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  notifyRecipients: NotifyRecipients
}

interface WatchedFacts {
  rules: readonly RuleWithSecret[]
  root: User | null
}

export function createOfflineAlerts({ storage, clock, logger, notifyRecipients: notify }: OfflineAlertPorts) {
  const open = new Map<string, AlertInProgress>()

  return {
    async look({ rules, root }: WatchedFacts, facts: readonly MeasuredFact[]): Promise<void> {
      for (const rule of rules) {
        const kind = getRuleKind(rule.kind)
        if (!rule.enabled || !kind.local) continue
        for (const { subject, value } of facts.filter((fact) => fact.kind === rule.kind)) {
          if (!isBreach(kind, rule.threshold, value)) continue
          const place = `${rule.id} ${subject}`
          const known = open.get(place)
          if (known) {
            Object.assign(known, { value, worst: pickWorse(kind, known.worst, value) })
            continue
          }
          const now = seconds(clock)
          const alert: AlertInProgress = {
            id: 0,
            rule_id: rule.id,
            subject,
            began_at: now,
            ended_at: 0,
            value,
            worst: value,
            told: 'begun',
            told_at: now,
            told_to: '',
            tries: 0,
            failure: '',
          }
          open.set(place, alert)
          const { failure } = await notify(rule, 'begun', alert, root)
          if (failure === '') continue
          // The notification is sent when the database is back.
          alert.told = ''
          logger.warn('alerts: somebody was not told', { rule: rule.id, failure })
        }
      }
    },
    /** Stores the alerts that were sent. They continue as any other alert, with a notification at the end. */
    async bring(): Promise<void> {
      for (const [place, { id: _, ...alert }] of open) {
        await storage.alerts.begin(alert)
        open.delete(place)
      }
    },
  }
}

interface AlertWatchPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  machine: HostMachine
  web: WebClient
  ledger: Pick<Ledger, 'getBacklog'>
  rollUp: Pick<RollUp, 'flush'>
  notifyRecipients: NotifyRecipients
  settings(): Settings
}

/** A storage that answers no sooner is away. */
const PATIENCE_MS = 20_000
const HOUR = 3600
/** Seconds that one process has to notify all recipients before another one may. */
const CLAIM = 600
/** Seconds until a failed notification is retried, doubled each time. */
const AGAIN = 60
const LONGEST_AGAIN = HOUR
/** Maximum number of attempts. */
const TRIES = 12
/** Retention of samples and alerts, in seconds. */
const KEPT = 90 * 24 * HOUR

export interface AlertWatch {
  look(): Promise<void>
  /** Sends the notifications for alerts that have started or ended. */
  tellAll(): Promise<void>
}

export function createAlertWatch(ports: AlertWatchPorts): AlertWatch {
  const { storage, clock, logger, rollUp, notifyRecipients: notify } = ports
  const store = storage.alerts
  const offlineAlerts = createOfflineAlerts(ports)
  let reached = clock.now()
  /** The last rules read, for use while the database is unavailable. */
  let known: { rules: RuleWithSecret[]; root: User | null } = { rules: [], root: null }
  let certificateAt = -Infinity
  let cleaned = 0

  async function look(): Promise<void> {
    const away_s = Math.max(0, Math.round((clock.now() - reached) / 1000))
    try {
      await soon(write(away_s))
      reached = clock.now()
    } catch (error) {
      logger.warn('alerts: storage takes nothing', { error: String(error) })
      return offlineAlerts.look(known, await measureLocalFacts(ports, Math.round((clock.now() - reached) / 1000)))
    }
    known = { rules: await store.rules(), root: await storage.users.findRoot() }
    await offlineAlerts.bring()
    await watchCertificate()
    const used = known.rules.filter(({ enabled }) => enabled)
    // The query includes the latest counts.
    if (used.some(({ kind }) => getRuleKind(kind).source === 'usage')) await rollUp.flush()
    const open = await store.open()
    const now = seconds(clock)
    for (const rule of known.rules) {
      try {
        await judge(rule, open, now)
      } catch (error) {
        logger.error('alerts: a rule could not be looked at', { rule: rule.id, error: String(error) })
      }
    }
    await cleanUp(now)
  }

  /** How long storage was away is known now that it is back. */
  async function write(away_s: number): Promise<void> {
    const now = seconds(clock)
    const facts = [...(await measureLocalFacts(ports, 0)), ...(await measureStoredFacts(ports))]
    const away = away_s * 1000 > 2 * CHECK_INTERVAL_MS ? away_s : 0
    await store.sample(
      facts.map((fact) => toAlertSample(fact, getSlotStart(now), fact.kind === 'storage' ? away : fact.value)),
    )
  }

  async function soon<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController()
    const late = clock.sleep(PATIENCE_MS, over.signal).then(() => Promise.reject(new Error('it takes too long')))
    late.catch(() => undefined)
    try {
      return await Promise.race([work, late])
    } finally {
      over.abort()
      // A result after the timeout is ignored.
      work.catch(() => undefined)
    }
  }

  /** Checks the certificate once an hour, if a rule needs it. */
  async function watchCertificate(): Promise<void> {
    if (!known.rules.some(({ kind, enabled }) => enabled && kind === 'certificate')) return
    const now = seconds(clock)
    if (now - certificateAt >= HOUR) {
      certificateAt = now
      certificate = await measureCertificateFact(ports).catch((error: unknown) => {
        logger.warn('alerts: the certificate could not be looked at', { error: String(error) })
        return []
      })
    }
    await store.sample(certificate.map((fact) => toAlertSample(fact, getSlotStart(now))))
  }
  let certificate: Awaited<ReturnType<typeof measureCertificateFact>> = []

  /**
   * Returns the current state of a rule. A finished window stays in force for a quarter of an hour, so that its parts
   * do not raise separate alerts.
   */
  async function judge(rule: RuleWithSecret, open: readonly Alert[], now: number): Promise<void> {
    const kind = getRuleKind(rule.kind)
    const openBySubject = new Map(
      open.filter(({ rule_id }) => rule_id === rule.id).map((alert) => [alert.subject, alert]),
    )
    const span = { from: getSlotStart(now) - SLOT_SECONDS, to: getSlotStart(now) + SLOT_SECONDS, worst: false }
    const series: SubjectSeries = rule.enabled ? await readSeries(ports, rule, span) : new Map()
    for (const [subject, points] of series) {
      const lately = kind.source === 'usage' ? points : points.slice(-1)
      const value = lately.findLast(({ value }) => isBreach(kind, rule.threshold, value))?.value ?? null
      if (value === null) continue
      const alert = openBySubject.get(subject)
      openBySubject.delete(subject)
      if (alert) await store.seen(alert.id, { value, worst: pickWorse(kind, alert.worst, value) })
      else await store.begin({ rule_id: rule.id, subject, began_at: now, value, worst: value })
    }
    for (const { id } of openBySubject.values()) await store.end(id, now)
  }

  async function tellAll(): Promise<void> {
    const now = seconds(clock)
    const { rules, root } = known
    for (const alert of await store.listUnnotified()) {
      const rule = rules.find(({ id }) => id === alert.rule_id)
      if (!rule) continue
      const turn = getDueNotification(alert, rule, now)
      if (!turn || !(await store.claim(alert, CLAIM))) continue
      if (turn === 'nobody') {
        await store.recordNotification(alert.id, { told: 'over' }, 0)
        continue
      }
      // Another process may have notified some of them before it stopped.
      const done = alert.told_to === '' ? [] : alert.told_to.split('\n')
      const { told_to, failure } = await notify(rule, turn, alert, root, done)
      const tries = alert.tries + 1
      const isDone = failure === '' || tries >= TRIES
      if (failure !== '') logger.warn('alerts: somebody was not told', { rule: rule.id, tries, failure })
      if (isDone) {
        const notifiedTurn = turn === 'over' ? 'over' : 'begun'
        await store.recordNotification(
          alert.id,
          { told: notifiedTurn, told_at: now, told_to: '', tries: 0, failure },
          0,
        )
      } else {
        const pause = Math.min(LONGEST_AGAIN, AGAIN * 2 ** alert.tries)
        await store.recordNotification(alert.id, { told_to: told_to.join('\n'), tries, failure }, pause)
      }
    }
  }

  async function cleanUp(now: number): Promise<void> {
    if (now - cleaned < HOUR) return
    cleaned = now
    await store.deleteBefore(now - KEPT)
  }

  return { look, tellAll }
}

/** How often it looks. */
export const CHECK_INTERVAL_MS = 60_000

type Due = 'begun' | 'again' | 'over' | 'nobody'

/**
 * Returns the notification that is due now. An alert that starts within the quiet time of the last one waits, and may
 * end without a notification.
 */
export function getDueNotification(
  {
    ended_at,
    told,
    told_at,
    last_told,
    told_to,
  }: Pick<Alert, 'ended_at' | 'told' | 'told_at'> & { last_told: number; told_to: string },
  rule: RuleWithSecret,
  now: number,
): Due | undefined {
  const isNobodys = getRecipientNames(rule).length === 0
  const quiet = rule.quiet_minutes * 60
  if (told === 'begun') {
    if (ended_at > 0) return isNobodys ? 'nobody' : 'over'
    return quiet > 0 && !isNobodys && now - told_at >= quiet ? 'again' : undefined
  }
  if (told === 'over') return undefined
  if (ended_at > 0 && told_to === '') return 'nobody'
  const waits = last_told > 0 && now - last_told < quiet
  if (isNobodys || waits) return undefined
  return 'begun'
}
