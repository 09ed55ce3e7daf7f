// `weir alerts …`: alert rules and their recipients.
import type { RuleWithState } from '../../core/alerts/alert.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment, LIST_COMMAND } from '../command.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { parseDollarFlag } from '../input/amount.ts'
import { parseFlagValues, toFlags, parsePositiveNumber, parseWholeNumber } from '../input/flags.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { alertRuleView, firedAlertView, requireAlertRule, pastAlertView, formatPreviewResult } from '../nouns/alert.ts'
import { findChannelId } from '../nouns/channel.ts'
import { buildFieldQuestions } from '../nouns/field-questions.ts'
import type { FormAnswers } from '../parts/form-state.ts'
import { words } from '../texts.ts'
import { alertRuleForm, alertRulePatch, watchedMetric } from '../input/forms.built.ts'

const rule = { rule: { spec: '<rule>', help: words('id or name of the rule') } } as const

const list = command({
  endpoint: 'alerts.list',
  ...LIST_COMMAND,
  output: { view: alertRuleView, many: true },
  summary: words('List alert rules and their current state'),
  async run({ client, print }) {
    const weir = await client()
    await print.list(await weir.alerts.list(), alertRuleView, {
      empty: words('No alert rule: `weir alerts add` makes one.'),
    })
  },
})

/** Alerts that the endpoint returns at most. */
const MAX_HISTORY = 1000

const history = command({
  endpoint: 'alerts.history',
  name: 'history',
  readOnly: true,
  output: { view: pastAlertView, many: true },
  summary: words('List past alerts, latest first'),
  options: { limit: { flag: '--limit <number>', help: words('maximum number, up to 1000 (default: 100)') } },
  async run({ client, print, options }) {
    const isWhole = options.limit === undefined && print.form !== 'human'
    const limit = isWhole ? MAX_HISTORY : parsePositiveNumber('--limit', options.limit ?? '100', MAX_HISTORY)
    const weir = await client()
    const alerts = await weir.alerts.history({ limit })
    if (isWhole && alerts.length === limit)
      throw new UsageError(fillTemplate(words('There may be more than {limit} alerts: give --limit.'), { limit }))
    await print.list(alerts, pastAlertView, { empty: words('No alerts yet.') })
    if (!isWhole && alerts.length === limit)
      print.warn(fillTemplate(words('The newest {limit} are shown; --limit shows more.'), { limit }))
  },
})

const channel = {
  flag: '--channel <channel>',
  help: words('only of this channel, by id or name; 0 for all'),
} as const

/** Replaces the name of a channel by its id. @throws Refusal if none or several match */
async function withChannelId<T extends { channel?: string | undefined }>(
  options: T,
  client: CommandEnvironment['client'],
): Promise<T> {
  if (options.channel === undefined || /^\d+$/.test(options.channel)) return options
  return { ...options, channel: String(await findChannelId(await client(), options.channel)) }
}

/**
 * Converts a threshold of spending, which is an amount like any other: `$100`, `100usd` or `1,000`. Other thresholds are
 * plain numbers.
 * @throws UsageError
 */
function withDollars<T extends { threshold?: string }>(options: T, kind = 'spend'): T {
  const { threshold } = options
  if (threshold === undefined || (kind !== 'spend' && !/\$|usd/i.test(threshold))) return options
  if (kind === 'spend') return { ...options, threshold: String(parseDollarFlag('--threshold', threshold)) }
  throw new UsageError(fillTemplate(words('--threshold of {kind} is not in dollars.'), { kind }))
}

const add = command({
  endpoint: 'alerts.create',
  name: 'add',
  aliases: ['create'],
  output: { view: alertRuleView, many: false },
  summary: words('Add an alert rule'),
  details: words('weir alerts add --name "Errors" --kind error_rate --threshold 20 --mails ops@example.com'),
  options: { ...toFlags(alertRuleForm), channel },
  async run({ client, print, options: given }) {
    const options = await withChannelId(given, client)
    const values = parseFlagValues(alertRuleForm, withDollars(options, options.kind))
    for (const needed of ['name', 'kind', 'threshold'] as const)
      if (options[needed] === undefined)
        throw new UsageError(fillTemplate(words('--{needed} is required.'), { needed }))
    const weir = await client()
    const made = await weir.alerts.create(values as NewRule)
    await print.done(made, alertRuleView, {
      human: fillRule(words('Added rule {id} "{name}".'), made),
      quietOutput: String(made.id),
    })
  },
})

/** A new rule; the server fills in what is left out, and refuses wrong values. */
type NewRule = NonNullable<Parameters<WeirClient['alerts']['create']>[0]>
type WatchedRule = NonNullable<Parameters<WeirClient['alerts']['preview']>[0]>

/** Fields of the endpoint that are no flags. */
const NOT_EDITED = ['id', 'version'] as const

const edit = command({
  endpoint: 'alerts.update',
  name: 'edit',
  output: { view: alertRuleView, many: false },
  summary: words('Change an alert rule: what is not named stays; on a terminal without flags it asks'),
  arguments: rule,
  options: { ...toFlags(alertRulePatch, NOT_EDITED), channel },
  async run({ client, money, print, ask, args, options: given }) {
    let options: Partial<FormAnswers> = await withChannelId(given, client)
    const usesForm = ask.possible && Object.values(given).every((value) => value === undefined)
    if (!usesForm) parseFlagValues(alertRulePatch, withDollars(options), NOT_EDITED)
    const weir = await client()
    const found = await requireAlertRule(weir, args.rule)
    const { id, version, kind } = found
    const questions = async () =>
      buildFieldQuestions(alertRulePatch, found, { without: NOT_EDITED, money: await money() })
    if (usesForm) options = await ask.fields(fillRule(words('Rule {id} "{name}"'), found), await questions(), '--name')
    const patch = parseFlagValues(alertRulePatch, withDollars(options, kind), NOT_EDITED)
    const changed = await weir.alerts.update({ ...patch, id, version })
    await print.done(changed, alertRuleView, {
      human: fillRule(words('Changed rule {id} "{name}".'), changed),
      quietOutput: String(id),
    })
  },
})

const remove = command({
  endpoint: 'alerts.delete',
  name: 'rm',
  aliases: ['delete'],
  output: { view: alertRuleView, many: false },
  summary: words('Delete an alert rule with its alerts'),
  arguments: rule,
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await requireAlertRule(weir, args.rule)
    await sure(fillRule(words('Delete rule {id} "{name}"?'), found))
    await weir.alerts.delete({ id: found.id })
    await print.done(found, alertRuleView, {
      human: fillRule(words('Deleted rule {id} "{name}".'), found),
      quietOutput: String(found.id),
    })
  },
})

const test = command({
  endpoint: 'alerts.test',
  name: 'test',
  output: { view: alertRuleView, many: false },
  summary: words('Send a test to all recipients of a rule'),
  arguments: rule,
  async run({ client, print, args }) {
    const weir = await client()
    const found = await requireAlertRule(weir, args.rule)
    const { told: delivered, failure } = await weir.alerts.test({ id: found.id })
    if (failure !== '') {
      const template = fillTemplate(words('{told} notified. Not notified: {failure}'), {
        told: delivered,
        failure,
      })
      throw new GatewayRefusal(template, 'alert.untold')
    }
    await print.done(found, alertRuleView, {
      human: fillTemplate(words('Sent to {delivered} recipients.'), { delivered }),
      quietOutput: String(delivered),
    })
  },
})

const DAYS = 7

const preview = command({
  endpoint: 'alerts.preview',
  name: 'preview',
  readOnly: true,
  output: { view: firedAlertView, many: true },
  summary: words(
    'Show when a rule would have notified somebody in the last days: an existing one, or one given by flags',
  ),
  details: words('weir alerts preview --kind spend --threshold 100 --minutes 60 --days 30'),
  arguments: { rule: { spec: '[rule]', help: words('id or name of a rule') } },
  options: {
    ...toFlags(watchedMetric),
    channel,
    days: { flag: '--days <number>', help: words('how far back, at most 30 (default: 7)') },
  },
  async run({ client, print, args, options: given }) {
    const options = await withChannelId(given, client)
    const days = options.days === undefined ? DAYS : parseWholeNumber('--days', options.days)
    const flags = parseFlagValues(watchedMetric, withDollars(options, options.kind))
    if (args.rule === undefined && (flags.kind === undefined || flags.threshold === undefined))
      throw new UsageError(words('Name a rule, or give --kind and --threshold.'))
    const weir = await client()
    const saved = args.rule === undefined ? {} : await requireAlertRule(weir, args.rule)
    const known = Object.entries({ ...saved, ...flags }).filter(([name]) => Object.hasOwn(watchedMetric, name))
    const watched = Object.fromEntries(known) as Pick<WatchedRule, 'kind' | 'threshold'>
    const found = await weir.alerts.preview({ ...watched, days })
    print.say(formatPreviewResult(watched.kind, found, days))
    await print.list(found.fired, firedAlertView, { empty: words('It would not have notified anybody.') })
  },
})

/** Fills in the rule's number and name. */
const fillRule = (template: Words, { id, name }: RuleWithState): Words => fillTemplate(template, { id, name })

export const alertsCommand = group({
  name: 'alerts',
  summary: words('Notifications when something goes wrong'),
  commands: [list, add, edit, remove, test, preview, history],
})
