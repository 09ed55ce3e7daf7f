// Alerts while the database is unavailable: each process sends notifications about its measurements once, and stores
// the alerts when the database is back.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import type { User } from '../users/user.ts'
import type { TellingAlert, TellingRule } from './alert.ts'
import { isBad, pickWorse } from './evaluate.ts'
import type { Fact } from './facts.ts'
import { getRuleKind } from './rule-kinds.ts'
import type { NotifyRecipients } from './tell.ts'

interface OfflineAlertPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  tell: NotifyRecipients
}

interface Known {
  rules: readonly TellingRule[]
  root: User | null
}

export function createOfflineAlerts({ storage, clock, logger, tell: notify }: OfflineAlertPorts) {
  const open = new Map<string, TellingAlert>()

  return {
    async look({ rules, root }: Known, facts: readonly Fact[]): Promise<void> {
      for (const rule of rules) {
        const kind = getRuleKind(rule.kind)
        if (!rule.enabled || !kind.local) continue
        for (const { subject, value } of facts.filter((fact) => fact.kind === rule.kind)) {
          if (!isBad(kind, rule.threshold, value)) continue
          const place = `${rule.id} ${subject}`
          const known = open.get(place)
          if (known) {
            Object.assign(known, { value, worst: pickWorse(kind, known.worst, value) })
            continue
          }
          const now = seconds(clock)
          const alert: TellingAlert = {
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
