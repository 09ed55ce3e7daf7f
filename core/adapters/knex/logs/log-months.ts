// The PostgreSQL log in one table per month (UTC), so that expired months are dropped instead of deleted row by row. An
// unpartitioned log becomes the first partition as it is, while writes continue.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { MonthlyLogTables } from '../../../logs/store.ts'
import { seconds, type Clock } from '../../../ports/clock.ts'
import type { Logger } from '../../../ports/logger.ts'
import { getMonthStart } from '../../../usage/steps.ts'
import { quoteSqlName } from '../sql/row-pages.ts'
import { queryDatabaseRows } from '../schema/table-shapes.ts'

/** All rows from before partitioning, in one table. */
const BEFORE = 'logs_before'
const BEFORE_KEY = `${BEFORE}_key`
const BEFORE_END = `${BEFORE}_end`
/** Rows whose month has no table, for example because this user may not create one. */
const OTHERS = 'logs_others'
/** Number of months after the current one that have their tables. */
const AHEAD = 2
/** The first table takes rows up to a month that is at least this far ahead: partitioning finishes long before. */
const MARGIN_DAYS = 14
const DAY = 86_400

/** The key of the advisory lock. Any number works, as long as it never changes. */
const ADVISORY_LOCK = 7_330_148
/** Maximum time, in ms, that calls wait for a change of the tables, which itself waits for running queries. */
const LOCK_MS = 300
const PAUSE_MS = 300
const ATTEMPTS = 100
const TELL_MS = 10_000
/** Error codes: lock_not_available, deadlock_detected. */
const IN_THE_WAY = new Set(['55P03', '40P01'])

interface LogMonthsPorts {
  /** A pool without timeouts. */
  patient: Knex
  clock: Clock
  logger: Logger
}

interface MonthTable {
  name: string
  /** The end of its rows, in epoch seconds. undefined for the default table, which takes all other rows. */
  to?: number
}

export function createLogMonths({ patient, clock, logger }: LogMonthsPorts): MonthlyLogTables {
  /**
   * Runs work that only one process does at a time. It holds no open transaction, because creating an index waits for
   * all transactions.
   */
  async function runAlone<T>(work: () => Promise<T>, instead: T): Promise<T> {
    const connection: unknown = await patient.client.acquireConnection()
    const lock = (sql: string) => patient.raw(sql, [ADVISORY_LOCK]).connection(connection)
    try {
      const { rows } = await lock('select pg_try_advisory_lock(?) as got')
      if (!rows[0].got) return instead
      try {
        return await work()
      } finally {
        await lock('select pg_advisory_unlock(?)')
      }
    } finally {
      await patient.client.releaseConnection(connection)
    }
  }

  /** Runs a short transaction that gives way to others and is retried. */
  async function briefly(work: (transaction: Knex.Transaction) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await patient.transaction(async (transaction) => {
          await transaction.raw(`set local lock_timeout = ${LOCK_MS}`)
          await work(transaction)
        })
      } catch (error) {
        if (!isInTheWay(error) || attempt === ATTEMPTS) throw error
        await sleep(PAUSE_MS)
      }
    }
  }

  const tables = async (from: Knex = patient): Promise<MonthTable[]> => {
    const found = await queryDatabaseRows<{ name: string; bound: string }>(
      from,
      `select parts.relname as name, pg_get_expr(parts.relpartbound, parts.oid) as bound
       from pg_inherits join pg_class as parts on parts.oid = inhrelid where inhparent = 'logs'::regclass`,
    )
    return found.map(({ name, bound }) => {
      const to = /TO \('?(\d+)'?\)/.exec(bound)?.[1]
      return to === undefined ? { name } : { name, to: Number(to) }
    })
  }

  async function isDivided(): Promise<boolean> {
    const [table] = await queryDatabaseRows<{ kind: string }>(
      patient,
      `select relkind as kind from pg_class where oid = 'logs'::regclass`,
    )
    return table?.kind === 'p'
  }

  async function makeMonths(from: Knex, begin: number): Promise<void> {
    const until = getMonthStart(seconds(clock), AHEAD + 1)
    for (let month = begin; month < until;) {
      const end = getMonthStart(month, 1)
      await from.raw(`create table ${getTableName(month)} partition of logs for values from (${month}) to (${end})`)
      month = end
    }
  }

  /** Forbids rows at or after the end until the log is partitioned. Existing rows are checked without locking them. */
  async function addBound(): Promise<number> {
    const [known] = await queryDatabaseRows<{ definition: string }>(
      patient,
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = 'logs'::regclass and conname = ?`,
      [BEFORE_END],
    )
    const currentEnd = Number(/< '?(\d+)/.exec(known?.definition ?? '')?.[1] ?? 0)
    const requiredEnd = getMonthStart(seconds(clock) + MARGIN_DAYS * DAY, 1)
    const [latest] = await queryDatabaseRows<{ at: number | null }>(patient, 'select max(created_at) as at from logs')
    if (Number(latest?.at) >= Math.max(currentEnd, requiredEnd))
      throw new Error(`it has rows of a far future, up to ${formatDay(Number(latest?.at))}: remove them`)
    if (currentEnd < requiredEnd)
      await briefly(async (transaction) => {
        await dropBound(transaction)
        await transaction.raw(
          `alter table logs add constraint ${BEFORE_END} check (created_at < ${requiredEnd}) not valid`,
        )
      })
    await patient.raw(`alter table logs validate constraint ${BEFORE_END}`)
    return Math.max(currentEnd, requiredEnd)
  }

  const dropBound = async (transaction: Knex): Promise<void> =>
    void (await transaction.raw(`alter table logs drop constraint if exists ${BEFORE_END}`))

  async function createKey(): Promise<void> {
    // An index whose creation was interrupted is unusable.
    await patient.raw(`drop index concurrently if exists ${BEFORE_KEY}`)
    const reportingEnd = new AbortController()
    const reporting = reportProgress(reportingEnd.signal)
    try {
      await patient.raw(`create unique index concurrently ${BEFORE_KEY} on logs (id, created_at)`)
    } finally {
      reportingEnd.abort()
      await reporting
    }
  }

  const keyProgress = () =>
    queryDatabaseRows<{ phase: string; done: number; total: number }>(
      patient,
      `select phase, blocks_done + tuples_done as done, blocks_total + tuples_total as total
       from pg_stat_progress_create_index where relid = 'logs'::regclass`,
    )

  async function reportProgress(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(TELL_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      const [at] = await keyProgress().catch(() => [])
      if (at) logger.info('The log is being divided by month', { ...at })
    }
  }

  async function divide(): Promise<void> {
    const [some] = await queryDatabaseRows(patient, 'select 1 from logs limit 1')
    if (!some) return briefly((transaction) => divideAt(transaction, getMonthStart(seconds(clock), 0), false))
    logger.info('The log is being divided by month; calls go on')
    try {
      const end = await addBound()
      await createKey()
      await briefly((transaction) => divideAt(transaction, end, true))
    } catch (error) {
      // Rows of that time and later must not be rejected while the log is not partitioned.
      await briefly(dropBound).catch(() => undefined)
      throw error
    }
    await patient.raw('analyze logs')
    logger.info('The log is divided by month')
  }

  /**
   * Turns the existing table into the partition up to `end` of a new table with its name. A log that already has its
   * key is not scanned.
   */
  async function divideAt(transaction: Knex.Transaction, end: number, isKeyed: boolean): Promise<void> {
    const run = async (sql: string) => void (await transaction.raw(sql))
    await run('lock table logs in access exclusive mode')
    const indexes = await queryDatabaseRows<{ name: string; made: string }>(
      transaction,
      `select indexes.relname as name, pg_get_indexdef(indexes.oid) as made
       from pg_index join pg_class as indexes on indexes.oid = indexrelid
       where indrelid = 'logs'::regclass and not indisprimary and indexes.relname <> '${BEFORE_KEY}'`,
    )
    const [sequence] = await queryDatabaseRows<{ name: string }>(
      transaction,
      `select pg_get_serial_sequence('logs', 'id') as name`,
    )
    await run(`alter table logs rename to ${BEFORE}`)
    for (const [at, { name }] of indexes.entries())
      await run(`alter index ${quoteSqlName(name)} rename to ${BEFORE}_index_${at}`)
    await run(`alter table ${BEFORE} drop constraint logs_pkey`)
    if (!isKeyed) await run(`create unique index ${BEFORE_KEY} on ${BEFORE} (id, created_at)`)
    await run(`alter table ${BEFORE} add constraint ${BEFORE}_pkey primary key using index ${BEFORE_KEY}`)
    await run(`create table logs (like ${BEFORE} including defaults) partition by range (created_at)`)
    await run('alter table logs add constraint logs_pkey primary key (id, created_at)')
    for (const { made } of indexes) await run(made)
    await run(`alter sequence ${sequence?.name} owned by logs.id`)
    await run(`alter table logs attach partition ${BEFORE} for values from (minvalue) to (${end})`)
    await run(`alter table ${BEFORE} drop constraint if exists ${BEFORE_END}`)
    await run(`create table ${OTHERS} partition of logs default`)
    await makeMonths(transaction, end)
  }

  return {
    async state() {
      const isOne = !(await isDivided())
      const [at] = isOne ? await keyProgress() : []
      if (isOne)
        return { months: 0, divided: at ? Math.floor((100 * Number(at.done)) / Math.max(1, Number(at.total))) : 0 }
      return { months: (await tables()).length, divided: 100 }
    },
    keep: () =>
      runAlone(async () => {
        if (!(await isDivided())) return divide()
        const last = Math.max(...(await tables()).map(({ to = 0 }) => to))
        if (getMonthStart(seconds(clock), AHEAD) < last) return
        await briefly((transaction) => makeMonths(transaction, last))
        await patient.raw('analyze logs')
      }, undefined),
    drop: (before) =>
      runAlone(async () => {
        let rows = 0
        if (!(await isDivided())) return rows
        for (const { name, to } of await tables()) {
          if (to === undefined || to > before) continue
          const [counted] = await queryDatabaseRows<{ total: number }>(patient, `select count(*) as total from ${name}`)
          await briefly(async (transaction) => void (await transaction.raw(`drop table ${name}`)))
          rows += Number(counted?.total)
        }
        return rows
      }, 0),
  }
}

/** A pool that reports unavailability has wrapped the server's error. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && (IN_THE_WAY.has((error as { code?: string }).code ?? '') || isInTheWay(error.cause))

const formatDay = (time: number) => new Date(time * 1000).toISOString().slice(0, 10)
const getTableName = (month: number) => `logs_${formatDay(month).slice(0, 7).replace('-', '_')}`
