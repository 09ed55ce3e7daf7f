// Imported data: the imported rows, and the columns that only an import writes.
import type { Knex } from 'knex'
import { NUMBERED_TABLES, UNIQUE_TEXT_COLUMNS, type ImportStore } from '../../imports/store.ts'
import { TopupOrder } from '../../topups/topup.ts'
import { StoredTask } from '../../tasks/task.ts'
import type { Database } from './connection/database.ts'
import { insertLogRows, toLogValues } from './logs/logs.ts'
import { type SqlColumns, createRowEncoder, createRunner, encodeBoundRows, selectFromJson } from './sql/statements.ts'
import { addSums, lockSums } from './logs/usage.ts'
import { toStorableId, toStorableText, defineTable } from './sql/table.ts'
import { buildWriteStatements, encodeCommitPart } from './ledger/ledger-sql.ts'

type DatabaseKind = Database['kind']

/** Number of values that one statement accepts on both databases. */
const AT_ONCE = 400

const brought = { source_id: 'bigint', kind: 'text', foreign_id: 'text', our_id: 'bigint' } satisfies SqlColumns
const columns = Object.keys(brought).join(', ')
const rememberSql = (kind: DatabaseKind) =>
  `insert into imported (${columns}) select ${columns} from ${selectFromJson[kind](brought)}`

const orders = defineTable('topups', TopupOrder, { readonly: ['id'] })
const tasks = defineTable('tasks', StoredTask, { readonly: ['id'] })

export function createImportStore(kind: DatabaseKind, transaction: Knex.Transaction): ImportStore {
  const run = async (sql: string, bound: unknown) =>
    createRunner(kind, await transaction.client.acquireConnection())(sql, [bound])

  async function inParts<T, R>(all: readonly T[], ask: (part: T[]) => PromiseLike<R[]>): Promise<R[]> {
    const found: R[] = []
    for (let from = 0; from < all.length; from += AT_ONCE) found.push(...(await ask(all.slice(from, from + AT_ONCE))))
    return found
  }

  return {
    async source(product, marks, now) {
      const texts = marks.map(toStorableText)
      const known: { source_id: number; mark: string }[] = await transaction('import_marks')
        .where({ product })
        .whereIn('mark', texts)
        .select('source_id', 'mark')
      const id = known[0]
        ? Number(known[0].source_id)
        : Number((await transaction('import_sources').insert({ product, created_time: now }).returning('id'))[0].id)
      const has = new Set(known.map(({ mark }) => mark))
      const fresh = [...new Set(texts)].filter((mark) => !has.has(mark))
      if (fresh.length > 0)
        await transaction('import_marks').insert(fresh.map((mark) => ({ product, mark, source_id: id })))
      return id
    },
    async brought(source, kinds) {
      const rows: { kind: string; foreign_id: string; our_id: number }[] = await transaction('imported')
        .where({ source_id: source })
        .whereIn('kind', [...kinds])
        .select('kind', 'foreign_id', 'our_id')
      const found = new Map(kinds.map((each) => [each, new Map<string, number>()]))
      for (const row of rows) found.get(row.kind)?.set(row.foreign_id, Number(row.our_id))
      return found
    },
    async broughtOf(source, of, ids) {
      const rows = await inParts(ids.map(toStorableText), (part) =>
        transaction('imported').where({ source_id: source, kind: of }).whereIn('foreign_id', part).select('foreign_id'),
      )
      return new Set(rows.map((row: { foreign_id: string }) => row.foreign_id))
    },
    async remember(source, rows) {
      if (rows.length === 0) return
      const whole = rows.map((row) => ({ source_id: source, ...row }))
      await run(rememberSql(kind), encodeBoundRows(kind, whole, createRowEncoder(brought)))
    },
    async users() {
      const rows = await transaction('users').select('id', 'username', 'email', 'aff_code')
      return rows.map((row) => ({ ...row, id: Number(row.id), aff_code: row.aff_code ?? '' }))
    },
    async numbers(of, requested) {
      const table = NUMBERED_TABLES[of]
      const ids = requested.map(toStorableId)
      const rows = await inParts(ids, (part) => transaction(table).whereIn('id', part).select('id'))
      const used = new Set(rows.map((row: { id: number }) => Number(row.id)))
      const last = await transaction(table).max({ id: 'id' }).first()
      let largest = ids.reduce((most, id) => Math.max(most, id), Number(last?.id ?? 0))
      const given = ids.map((id) => {
        const isFree = id > 0 && !used.has(id)
        if (isFree) used.add(id)
        return isFree ? id : ++largest
      })
      if (kind === 'postgres' && given.length > 0)
        await transaction.raw(`select setval(pg_get_serial_sequence(?, 'id'), ?::bigint)`, [table, largest])
      return given
    },
    async taken(what, values) {
      const [table, column] = UNIQUE_TEXT_COLUMNS[what]
      const rows = await inParts(values.map(toStorableText), (part) =>
        transaction(table).whereIn(column, part).select(column),
      )
      return new Set(rows.map((row: Record<string, string>) => row[column] as string))
    },
    async takenIdentities(pairs) {
      const rows = await inParts(pairs, (part) =>
        transaction('identities')
          .whereIn(
            'subject',
            part.map(({ subject }) => subject),
          )
          .select('provider', 'subject'),
      )
      return new Set(rows.map((row: { provider: string; subject: string }) => `${row.provider} ${row.subject}`))
    },
    async bindIdentities(rows) {
      for (let from = 0; from < rows.length; from += AT_ONCE / 4)
        await transaction('identities').insert(rows.slice(from, from + AT_ONCE / 4))
    },
    async finishUser(id, row) {
      await transaction('users')
        .where({ id })
        .update({ ...row, setting: toStorableText(row.setting) })
    },
    async openAccounts(accounts) {
      const entries = accounts.flatMap(({ entry }) => (entry ? [entry] : []))
      if (entries.length > 0) await run(buildWriteStatements[kind].entries, encodeCommitPart(kind, 'entries', entries))
      const changes = accounts.map(({ entry, ...figures }) => ({
        ...figures,
        held: 0,
        entries_hash: entry?.hash ?? null,
      }))
      if (changes.length > 0)
        await run(buildWriteStatements[kind].accounts, encodeCommitPart(kind, 'accounts', changes))
    },
    async addHistory(id, { used_quota, request_count }) {
      const none = { quota: 0, held: 0, aff_quota: 0, aff_history: 0, aff_count: 0, entries_hash: null }
      await run(
        buildWriteStatements[kind].accounts,
        encodeCommitPart(kind, 'accounts', [{ id, ...none, used_quota, request_count }]),
      )
    },
    async finishToken(id, row) {
      await transaction('tokens').where({ id }).update(row)
    },
    async finishChannel(id, row) {
      await transaction('channels').where({ id }).update(row)
    },
    async finishCode(id, row) {
      await transaction('redemptions').where({ id }).update(row)
    },
    async addOrder(order) {
      const [made] = await transaction('topups').insert(orders.values(order)).returning('id')
      return Number(made.id)
    },
    async addPast(rows, sums) {
      if (rows.length > 0) await run(insertLogRows[kind], encodeBoundRows(kind, rows, toLogValues))
      if (sums.length === 0) return
      const sumUp = createRunner(kind, await transaction.client.acquireConnection())
      await lockSums(kind, sumUp)
      await addSums(kind, sumUp, sums)
    },
    async addTasks(added) {
      for (const task of added) await transaction('tasks').insert(tasks.values(task))
    },
  }
}
