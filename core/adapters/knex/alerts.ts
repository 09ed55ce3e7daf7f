// Alert rules, their samples, and the times at which they held.
import type { Knex } from 'knex'
import { z } from 'zod'
import { Alert, AlertRule, type AlertInProgress, type RuleWithSecret } from '../../alerts/alert.ts'
import type { AlertSample, AlertStore } from '../../alerts/store.ts'
import type { WarningStore } from '../../notify/store.ts'
import type { EncryptedPlace, Secrets } from '../../ports/secrets.ts'
import { DATABASE_TIME_MS } from './connection/connection.ts'
import type { Database } from './connection/database.ts'
import {
  defineTable,
  formatRowsAsJson,
  insertWithSecrets,
  toStorableId,
  toStorableText,
  updateTableRow,
} from './sql/table.ts'
import { joinAccounts, userTableDefinition, addUserIdentities } from './accounts/users.ts'

/** The key of the advisory lock. Any number works, as long as it never changes. */
const RULES_LOCK = 7_330_149

const getSealedPlace = (id: number): EncryptedPlace => ['alert_rules.webhook_secret_sealed', id]

const rules = defineTable('alert_rules', AlertRule, { readonly: ['id', 'version'] })
const columns = [...rules.columns, 'webhook_secret_sealed']
const alerts = defineTable('alerts', Alert.extend({ told_to: z.string(), tries: z.number() }), { readonly: ['id'] })

export function createAlertStore({ kind, write, read }: Database, secrets: Secrets): AlertStore {
  const entity = (row: Record<string, unknown>): RuleWithSecret => {
    const rule = rules.entity(row)
    const sealed = String(row.webhook_secret_sealed)
    return { ...rule, webhook_secret: sealed === '' ? '' : secrets.decrypt(sealed, getSealedPlace(rule.id)) }
  }
  const seal = (secret: string, id: number) => ({
    webhook_secret_sealed: secret === '' ? '' : secrets.encrypt(secret, getSealedPlace(id)),
  })
  const one = (id: number) => write('alerts').where({ id: toStorableId(id) })
  /** By the database's clock, in epoch seconds. */
  const now = `${DATABASE_TIME_MS[kind]} / 1000`
  const after = (pause: number) => write.raw(`${now} + ?`, [pause])
  const findAlerts = async (from: Knex.QueryBuilder): Promise<Alert[]> =>
    ((await from) as Record<string, unknown>[]).map((row) => alerts.entity(row))

  return {
    async lock() {
      if (kind === 'postgres') await write.raw('select pg_advisory_xact_lock(?)', [RULES_LOCK])
    },
    rules: async () => (await read('alert_rules').select(columns).orderBy('alert_rules.id')).map(entity),
    async find(id) {
      const row: Record<string, unknown> | undefined = await read('alert_rules')
        .where({ id: toStorableId(id) })
        .first(columns)
      return row ? entity(row) : null
    },
    async insert({ webhook_secret, ...rule }) {
      const values = rules.values(rule)
      const put = (transaction: Knex.Transaction) =>
        insertWithSecrets(transaction, {
          table: 'alert_rules',
          values,
          seal: (id) => seal(webhook_secret, id),
          columns,
        })
      const row = await (write.isTransaction ? put(write as Knex.Transaction) : write.transaction(put))
      return Number(row.id)
    },
    async update(id, { webhook_secret, ...patch }, edit) {
      const values = { ...rules.values(patch), ...(webhook_secret === undefined ? {} : seal(webhook_secret, id)) }
      return (
        (await updateTableRow(write, { table: 'alert_rules', id: toStorableId(id), noun: 'alert' }, values, edit)) > 0
      )
    },
    async delete(id) {
      await write('alerts')
        .where({ rule_id: toStorableId(id) })
        .delete()
      return (
        (await write('alert_rules')
          .where({ id: toStorableId(id) })
          .delete()) > 0
      )
    },
    async sample(samples) {
      // All processes lock rows in the same order, so that none waits in a cycle.
      const rows = samples
        .map(({ subject, ...sample }) => ({ ...sample, subject: toStorableText(subject) }))
        .sort((a, b) => (`${a.kind} ${a.subject}` < `${b.kind} ${b.subject}` ? -1 : 1))
      for (const bad of ['above', 'below'] as const) {
        const some = rows.filter((row) => row.bad === bad)
        if (some.length > 0) await write.raw(SAMPLE[kind](bad), [formatRowsAsJson(some)])
      }
    },
    samples: async (of, from, to) =>
      (
        await read('alert_samples')
          .where({ kind: of })
          .where('at', '>=', from)
          .where('at', '<', to)
          .orderBy(['subject', 'at'])
          .select('kind', 'subject', 'at', 'value', 'worst')
      ).map((row: AlertSample) => ({ ...row, at: Number(row.at) })),
    open: () => findAlerts(read('alerts').select(alerts.columns).where({ ended_at: 0 }).orderBy('id')),
    history: (limit) => findAlerts(read('alerts').select(alerts.columns).orderBy('id', 'desc').limit(limit)),
    async begin(alert) {
      await write('alerts')
        .insert(alerts.values(alert))
        .onConflict(write.raw('(rule_id, subject) where ended_at = 0'))
        .ignore()
    },
    async seen(id, { value, worst: worstSampleSql }) {
      await one(id).where({ ended_at: 0 }).update({ value, worst: worstSampleSql })
    },
    async end(id, at) {
      await one(id).where({ ended_at: 0 }).update({ ended_at: at })
    },
    async listUnnotified() {
      const last = read('alerts as others')
        .whereRaw('others.rule_id = alerts.rule_id and others.subject = alerts.subject')
        .max('others.told_at')
        .as('last_told')
      const rows = await read('alerts')
        .select([...alerts.columns, last])
        .whereNot({ told: 'over' })
        .whereRaw(`claimed_until <= ${now}`)
        .orderBy('id')
      return rows.map((row) => ({
        ...(alerts.entity(row as Record<string, unknown>) as AlertInProgress),
        last_told: Number((row as { last_told: unknown }).last_told),
      }))
    },
    claim: async ({ id, told, told_at, tries }, hold) =>
      (await one(id)
        .whereRaw(`claimed_until <= ${now}`)
        .whereNot({ told: 'over' })
        .where({ told, told_at, tries })
        .update({ claimed_until: after(hold) })) > 0,
    async recordNotification(id, result, pause) {
      await one(id).update({ ...alerts.values(result), claimed_until: after(pause) })
    },
    async deleteBefore(at) {
      await write('alert_samples').where('at', '<', at).delete()
      await write('alerts').where('ended_at', '>', 0).where('ended_at', '<', at).delete()
    },
  }
}

const selectSampleSql = (from: string) => `
  insert into alert_samples (kind, subject, at, value, worst) ${from}
  on conflict (kind, subject, at) do update set value = excluded.value, worst = `
const ROWS = {
  sqlite:
    selectSampleSql(`select value ->> 'kind', value ->> 'subject', value ->> 'at', value ->> 'value', value ->> 'worst'
    from json_each(?) where true`),
  postgres: selectSampleSql(`select kind, subject, at, value, worst
    from json_to_recordset(?::json) as c(kind text, subject text, at bigint, value float8, worst float8)`),
}
const WORSE = { sqlite: { above: 'max', below: 'min' }, postgres: { above: 'greatest', below: 'least' } } as const
const worstSampleSql = (kind: 'sqlite' | 'postgres') => (bad: 'above' | 'below') =>
  `${ROWS[kind]}${WORSE[kind][bad]}(alert_samples.worst, excluded.worst)`
const SAMPLE = { sqlite: worstSampleSql('sqlite'), postgres: worstSampleSql('postgres') }

// The accounts charged recently, from the ledger's entries.

/** Number of entries read at once. */
const AT_ONCE = 20_000

export function createWarningStore(database: Database): WarningStore {
  const { read, write } = database
  return {
    async lastEntry() {
      const row = await read('ledger_entries').max({ id: 'id' }).first()
      return Number(row?.id ?? 0)
    },
    async charged(after) {
      const entries = () => read('ledger_entries').where('id', '>', after)
      const window = entries().select('id').orderBy('id').limit(AT_ONCE).as('some')
      const row = await read.from(window).max({ id: 'id' }).first()
      const last = Number(row?.id ?? after)
      if (last === after) return { last, users: [] }
      const who = entries()
        .where('id', '<=', last)
        .where({ kind: 'charge' })
        .where('amount', '<', 0)
        .distinct('account_id')
      const rows = await joinAccounts(read)
        .select(userTableDefinition.columns)
        .whereIn('users.id', who)
        .whereNull('deleted_at')
      return { last, users: await addUserIdentities(database, rows.map(userTableDefinition.entity)) }
    },
    claim: async (userId, now, pauseSeconds) =>
      (await write('users')
        .where({ id: toStorableId(userId) })
        .where('warned_time', '<=', now - pauseSeconds)
        .update({ warned_time: now })) > 0,
  }
}
