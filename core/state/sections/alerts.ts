// The alert rules of the state, by name: the metric and the recipients of each.
import { z } from 'zod'
import { AlertRuleForm, AlertRulePatch, MAX_ALERT_RULES, type RuleWithSecret } from '../../alerts/alert.ts'
import { toAuditedRule, checkRecipientPlaces, clearUnusedFields } from '../../alerts/rule-form.ts'
import { parseInput } from '../../contract/validation.ts'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { type StoredSection, writeSectionAudit } from '../section.ts'
import type { StateEntry } from '../state.ts'

const { id: _id, version: _version, name: _name, ...patch } = AlertRulePatch.shape
/** The fields of the rule's form, with the slug of the channel; empty for all channels. */
const RuleEntry = z.strictObject({
  ...patch,
  kind: AlertRuleForm.shape.kind,
  threshold: AlertRuleForm.shape.threshold,
  channel: z.string().optional(),
})
type RuleEntry = z.infer<typeof RuleEntry>

const SECRETS = ['webhook_url', 'webhook_secret'] as const

/** Returns the rules by name, oldest first. Later rules with the same name also have their id in the key. */
async function everyRule({ alerts }: ChangeStores): Promise<Map<string, RuleWithSecret>> {
  const named = new Map<string, RuleWithSecret>()
  for (const rule of await alerts.rules())
    named.set(named.has(rule.name) ? `${rule.name} #${rule.id}` : rule.name, rule)
  return named
}

export const alertsStateSection: StoredSection = {
  in: 'stores',
  name: 'alerts',
  comment: words(
    'Alert rules by name: the metric (a channel by its slug) and the recipients. Webhook addresses are secrets',
  ),
  entry: RuleEntry as z.ZodType<StateEntry>,
  key: AlertRuleForm.shape.name,
  defaults: {
    enabled: true,
    minutes: 60,
    least: 20,
    model: '',
    channel: '',
    group: '',
    root: true,
    mails: '',
    webhook_url: '',
    webhook_format: 'weir',
    webhook_secret: '',
    language: 'both',
    quiet_minutes: 240,
  },
  secrets: (_key, entry) => SECRETS.filter((name) => (entry as RuleEntry)[name]).map((name) => [name]),
  normal(_key, entry) {
    if (entry === null) return null
    const unused = Object.keys(clearUnusedFields((entry as RuleEntry).kind)).filter((field) =>
      Object.hasOwn(entry as object, field),
    )
    return { ...(entry as object), ...Object.fromEntries(unused.map((field) => [field, ''])) }
  },
  async read(stores) {
    const slugs = new Map((await stores.channels.all()).map(({ id, slug }) => [id, slug]))
    const entries = [...(await everyRule(stores))].map(([key, rule]) => {
      const { id: _, version: __, created_time: ___, name: ____, channel, ...entry } = rule
      return [key, { ...entry, channel: slugs.get(channel) ?? '' } as StateEntry] as const
    })
    return { entries: new Map(entries), initial: new Map() }
  },
  async writer(to) {
    const { within, clock } = to
    const rules = await everyRule(within)
    const ids = new Map((await within.channels.all()).map(({ id, slug }) => [slug, id]))
    const record = writeSectionAudit('alert', to)

    /** The number of the rule. */
    async function insert(name: string, { webhook_secret = '', ...form }: z.infer<typeof AlertRuleForm>) {
      await within.alerts.lock()
      if ((await within.alerts.rules()).length >= MAX_ALERT_RULES) fail('alert.too_many', { most: MAX_ALERT_RULES })
      const rule = { ...form, ...clearUnusedFields(form.kind), name, webhook_secret, created_time: seconds(clock) }
      checkRecipientPlaces(rule)
      const id = await within.alerts.insert(rule)
      await record('create', id, null, toAuditedRule({ ...rule, id, version: 1 }))
    }

    return async ({ key, target }) => {
      const before = rules.get(key)
      if (before && (target === null || (target as RuleEntry).kind !== before.kind)) {
        await within.alerts.delete(before.id)
        await record('delete', before.id, toAuditedRule(before))
      }
      if (target === null) return
      const { channel: slug, ...ruleFields } = target as RuleEntry
      const channel =
        slug === undefined ? {} : { channel: slug === '' ? 0 : (ids.get(slug) ?? fail('state.no_channel', { slug })) }
      if (before?.kind !== ruleFields.kind) {
        const { id: _, version: __, created_time: ___, ...known } = before ?? {}
        return insert(
          before?.name ?? key,
          parseInput(AlertRuleForm, { name: key, ...known, ...ruleFields, ...channel }),
        )
      }
      const after: RuleWithSecret = { ...before, ...ruleFields, ...channel, ...clearUnusedFields(before.kind) }
      checkRecipientPlaces(after)
      await within.alerts.update(before.id, after, { version: before.version, raises: true })
      await record('update', before.id, toAuditedRule(before), toAuditedRule(after))
    }
  },
}
