// Alerts: rules over time, with recipients. Current problems are in `attention/`.
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { Feature } from '../feature.ts'
import { createDeliverTo, type DeliverMessage } from '../notify/deliver.ts'
import type { SendMail } from '../notify/email.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { alertsContract } from './contract.ts'
import { createAlertNotifier, describeSubject, getRecipientNames } from './recipients.ts'
import { CHECK_INTERVAL_MS, createAlertWatch } from './watch.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import { findBreachSpans, findWorst, readSeries } from './conditions.ts'
import { fail } from '../errors.ts'
import type { ApiLimits } from '../limits/api-rate.ts'
import { SLOT_SECONDS, getSlotStart } from '../usage/sums.ts'
import { MAX_ALERT_RULES, type Alert, type RuleWithState, type RuleWithSecret } from './alert.ts'
import { toAuditedRule, checkRecipientPlaces, clearUnusedFields } from './rule-form.ts'
import { getRuleKind } from './rule-kinds.ts'

interface AlertPorts {
  storage: Storage
  clock: Clock
  rollUp: RollUp
  index: ChannelIndex
  limits: ApiLimits
  deliver: DeliverMessage
  sendMail: SendMail
  web: WebClient
  secrets: Secrets
  settings(): Settings
}

const DAY = 86_400
const MOST_FIRED = 1000

function createAlertHandlers(ports: AlertPorts): ContractHandlers<typeof alertsContract> {
  const { storage, clock, rollUp, index, settings } = ports
  const store = storage.alerts
  const notify = createAlertNotifier({ ...ports, deliverTo: createDeliverTo(ports) })
  const find = async (id: number) => (await store.find(id)) ?? fail('alert.missing')

  /** Why nothing is known of it. */
  async function findUnknownReason(rule: RuleWithSecret): Promise<RuleWithState['unknown']> {
    const { source } = getRuleKind(rule.kind)
    if (source === 'usage') return settings().DataExportEnabled ? '' : 'no_usage'
    if (rule.kind === 'certificate' && !settings().ServerAddress.startsWith('https://')) return 'no_certificate'
    const now = getSlotStart(seconds(clock))
    const series = await readSeries(ports, rule, { from: now - SLOT_SECONDS, to: now + 2 * SLOT_SECONDS, worst: false })
    return series.size === 0 ? 'no_sample' : ''
  }

  async function describeRule(rule: RuleWithSecret, open: readonly Alert[]): Promise<RuleWithState> {
    const { webhook_secret, ...shown } = rule
    const ofRule = open.filter(({ rule_id }) => rule_id === rule.id)
    return {
      ...shown,
      has_secret: webhook_secret !== '',
      alerts: ofRule.map((alert) => ({ ...alert, subject: describeSubject(index, rule, alert.subject) })),
      unknown: rule.enabled ? await findUnknownReason(rule) : '',
    }
  }
  const one = async (id: number) => describeRule(await find(id), await store.open())

  const buildAuditRow = (
    caller: Caller,
    verb: string,
    before: RuleWithSecret | null,
    after: RuleWithSecret | null,
  ) => ({
    ...toAuditAuthor(caller),
    created_at: seconds(clock),
    action: `alert.${verb}`,
    target: String((after ?? before)?.id ?? 0),
    before: toAuditText(before),
    after: toAuditText(after),
  })

  return {
    async list() {
      const [rules, open] = await Promise.all([store.rules(), store.open()])
      return Promise.all(rules.map((rule) => describeRule(rule, open)))
    },
    async history({ limit }) {
      const [rules, past] = await Promise.all([store.rules(), store.history(limit)])
      const byId = new Map(rules.map((rule) => [rule.id, rule]))
      return past.flatMap((alert) => {
        const rule = byId.get(alert.rule_id)
        return rule ? [{ ...alert, rule_name: rule.name, subject: describeSubject(index, rule, alert.subject) }] : []
      })
    },
    async create({ webhook_secret = '', ...form }, { caller }) {
      checkRecipientPlaces(form)
      const rule = { ...form, ...clearUnusedFields(form.kind), webhook_secret, created_time: seconds(clock) }
      const id = await storage.transaction(async (within) => {
        await within.alerts.lock()
        if ((await within.alerts.rules()).length >= MAX_ALERT_RULES) fail('alert.too_many', { most: MAX_ALERT_RULES })
        const made = await within.alerts.insert(rule)
        await within.audit.insert([buildAuditRow(caller, 'create', null, { ...rule, id: made, version: 1 })])
        return made
      })
      return one(id)
    },
    async update({ id, version, ...patch }, { caller }) {
      const before = await find(id)
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      const after: RuleWithSecret = { ...before, ...given, ...clearUnusedFields(before.kind) }
      checkRecipientPlaces(after)
      const raises = JSON.stringify(before) !== JSON.stringify(after)
      await storage.transaction(async (within) => {
        if (!(await within.alerts.update(id, { ...given, ...clearUnusedFields(before.kind) }, { version, raises })))
          fail('alert.missing')
        if (raises) await within.audit.insert([buildAuditRow(caller, 'update', before, after)])
      })
      return one(id)
    },
    async delete({ id }, { caller }) {
      const before = await find(id)
      await storage.transaction(async (within) => {
        if (!(await within.alerts.delete(id))) fail('alert.missing')
        await within.audit.insert([buildAuditRow(caller, 'delete', before, null)])
      })
      return null
    },
    async test({ id }, { caller }) {
      const rule = await find(id)
      if (getRecipientNames(rule).length === 0) fail('alert.nobody')
      await ports.limits.count('verification', `alert ${caller.user?.id ?? 0}`)
      const { told_to, failure } = await notify(rule, 'test', null, await storage.users.findRoot())
      return { told: told_to.length, failure }
    },
    async preview({ days, ...watched }) {
      // The query includes the latest counts.
      await rollUp.flush()
      const kind = getRuleKind(watched.kind)
      const rule = { ...watched, ...clearUnusedFields(watched.kind) }
      const to = getSlotStart(seconds(clock)) + SLOT_SECONDS
      const from = to - days * DAY
      const series = await readSeries(ports, rule, { from, to, worst: true })
      const fired = [...series].flatMap(([subject, points]) =>
        findBreachSpans(kind, rule.threshold, points).map((span) => ({
          subject: describeSubject(index, rule, subject),
          ...span,
        })),
      )
      fired.sort((one, other) => one.from - other.from)
      const all = [...series.values()].flat()
      const seen = all.filter(({ value }) => value !== null).map(({ at }) => at)
      return {
        from,
        to,
        known_from: seen.reduce((least, at) => Math.min(least, at), seen[0] ?? 0),
        fired: fired.slice(-MOST_FIRED),
        times: fired.length,
        worst: findWorst(kind, all),
      }
    },
  }
}

const toAuditText = (rule: RuleWithSecret | null): string => (rule ? JSON.stringify(toAuditedRule(rule)) : '')

// Checks the rules and sends notifications.

const TELL_MS = 10_000

interface AlertJobPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  machine: HostMachine
  web: WebClient
  secrets: Secrets
  ledger: Pick<Ledger, 'getBacklog'>
  rollUp: Pick<RollUp, 'flush'>
  index: Pick<ChannelIndex, 'find'>
  deliver: DeliverMessage
  sendMail: SendMail
  settings(): Settings
}

function createAlertJobs(ports: AlertJobPorts) {
  const watch = createAlertWatch({
    ...ports,
    notifyRecipients: createAlertNotifier({ ...ports, deliverTo: createDeliverTo(ports) }),
  })
  return [
    { name: 'look for alerts', every_ms: CHECK_INTERVAL_MS, run: watch.look },
    { name: 'tell of alerts', every_ms: TELL_MS, run: watch.tellAll },
  ]
}

export const alertsFeature: Feature<AlertPorts & AlertJobPorts, typeof alertsContract> = {
  contract: alertsContract,
  handlers: createAlertHandlers,
  jobs: createAlertJobs,
}
