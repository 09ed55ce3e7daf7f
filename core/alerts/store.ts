import type { PersonalEdit } from '../contract/version.ts'
import type { Alert, AlertInProgress, RuleWithSecret } from './alert.ts'
import type { AlertKind } from './rule-kinds.ts'

/** A measurement; `at` is the start of a quarter of an hour. */
export interface AlertSample {
  kind: AlertKind
  subject: string
  at: number
  value: number
  worst: number
}

/** The changes to an alert after a notification was sent or failed. */
export type NotificationResult = Partial<Pick<AlertInProgress, 'told' | 'told_at' | 'told_to' | 'tries' | 'failure'>>

/** Times in epoch seconds. */
export interface AlertStore {
  rules(): Promise<RuleWithSecret[]>
  find(id: number): Promise<RuleWithSecret | null>
  /** Prevents other transactions from adding a rule until this one ends. */
  lock(): Promise<void>
  insert(rule: Omit<RuleWithSecret, 'id' | 'version'>): Promise<number>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  update(id: number, patch: Partial<RuleWithSecret>, edit: PersonalEdit): Promise<boolean>
  /** Deletes a rule with its alerts. */
  delete(id: number): Promise<boolean>
  /** The newest value of each quarter of an hour, and the worst one. */
  sample(samples: readonly (AlertSample & { bad: 'above' | 'below' })[]): Promise<void>
  /** Returns the samples from `from` to before `to`, by subject and time. */
  samples(kind: AlertKind, from: number, to: number): Promise<AlertSample[]>
  /** Those that last. */
  open(): Promise<Alert[]>
  /** Newest first. */
  history(limit: number): Promise<Alert[]>
  /** Starts an alert unless one of this rule and subject is open. */
  begin(
    alert: Pick<AlertInProgress, 'rule_id' | 'subject' | 'began_at' | 'value' | 'worst'> & Partial<AlertInProgress>,
  ): Promise<void>
  seen(id: number, values: Pick<Alert, 'value' | 'worst'>): Promise<void>
  end(id: number, at: number): Promise<void>
  /**
   * Returns the alerts whose start or end may need a notification, with the time of the last one for the same rule and
   * subject.
   */
  listUnnotified(): Promise<(AlertInProgress & { last_told: number })[]>
  /**
   * Claims a notification for this many seconds by the database's clock. Returns true for one process only, and if none
   * was sent since the read.
   */
  claim(read: Pick<AlertInProgress, 'id' | 'told' | 'told_at' | 'tries'>, hold: number): Promise<boolean>
  /** Stores the result. The alert cannot be claimed for this many more seconds. */
  recordNotification(id: number, result: NotificationResult, pause: number): Promise<void>
  deleteBefore(at: number): Promise<void>
}
