// A home of the log that an earlier release created has fewer columns, and its rows have empty values for the others.
import { DuckDBInstance } from '@duckdb/node-api'
import knexFactory from 'knex'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openLogHome } from '../../core/adapters/log-homes/open.ts'
import { LOG_COLUMN_LIST, MISSING_VALUE_DEFAULTS, type LogColumn } from '../../core/calls/log-columns.ts'
import type { StoredLogRow } from '../../core/calls/log-entry.ts'
import { silent } from '../support/databases.ts'
import { CLICKHOUSE, HOMES, isHere, openHome, type HomeKind } from './log-homes.ts'
import { newLog } from './samples.ts'

type Column = LogColumn & { name: keyof StoredLogRow }

let ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

/** The order of all of them was there from the beginning. */
const ADDED = LOG_COLUMN_LIST.filter(({ name }) => !['id', 'created_at'].includes(name))

describe.each(HOMES.map((kind) => ({ kind })))('a home of an earlier release: $kind', ({ kind }) => {
  test.skipIf(!isHere(kind)).each(ADDED)('without $name gets it', { timeout: 60_000 }, async (column) => {
    const made = await openHome(kind)
    await made.home.prepare()
    await made.home.append([row(1), row(2)], { from: 0, to: 2 })
    await made.home.close()
    await withoutColumn[kind](made.address, column)

    const home = await openLogHome(made.address, { folder: '/', logger: silent })
    ends.push(() => home.close(), made.end)
    await home.prepare()
    const before = [1, 2].map((id) => ({ ...row(id), [column.name]: MISSING_VALUE_DEFAULTS[column.kind] }))
    expect(await home.upTo(9).after(0, 10)).toEqual(before)
    await home.append([row(3), row(4)], { from: 2, to: 4 })
    const rows = [...before, row(3), row(4)]
    expect(await home.upTo(9).after(0, 10)).toEqual(rows)
    const { items, total } = await home.upTo(9).list({}, { offset: 0, limit: 10 })
    expect({ items, total }).toEqual({ items: rows.toReversed(), total: 4 })
    expect(await home.upTo(9).days()).toEqual([
      {
        day: 1_699_920_000,
        rows: 4,
        quota: sum(rows, 'quota'),
        tokens: sum(rows, 'prompt_tokens', 'completion_tokens'),
      },
    ])
    expect(await home.deleteOutdated({ before: row(3).created_at })).toBe(2)
    expect(await home.upTo(9).after(0, 10)).toEqual(rows.slice(2))
  })
})

/** Every column of it says something. */
const row = (id: number): StoredLogRow => ({
  ...newLog({
    created_at: 1_700_000_000 + id,
    type: 2,
    user_id: 7,
    username: 'alice',
    token_id: 3,
    token_name: 'laptop',
  }),
  ...{ id, channel: 5, group: 'vip', model_name: 'gpt-4o', operation: 'chat', use_time: 2, is_stream: true, quota: 12 },
  ...{
    prompt_tokens: 10,
    completion_tokens: 4,
    content: 'said',
    other: '{"a":1}',
    request_id: `r${id}`,
    hold_id: `h${id}`,
  },
})

const sum = (rows: readonly StoredLogRow[], ...names: ('quota' | 'prompt_tokens' | 'completion_tokens')[]): number =>
  rows.reduce((whole, each) => whole + names.reduce((part, name) => part + each[name], 0), 0)

/** Takes a column away, as if it had never been there. */
const withoutColumn: Record<HomeKind, (address: string, column: Column) => Promise<void>> = {
  async sqlite(address, { name }) {
    const knex = knexFactory({ client: 'sqlite3', connection: { filename: pathOf(address) }, useNullAsDefault: true })
    try {
      const indexes = (await knex.raw("select name from sqlite_master where type = 'index' and sql <> ''")) as Named[]
      for (const index of indexes) await knex.raw(`drop index "${index.name}"`)
      await knex.raw(`alter table logs drop column "${name}"`)
    } finally {
      await knex.destroy()
    }
  },
  async parquet(address, { name }) {
    const folder = pathOf(address)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    for (const file of (await readdir(folder, { recursive: true })).filter((each) => each.endsWith('.parquet'))) {
      const path = join(folder, file)
      await connection.run(`copy (select * exclude ("${name}") from '${path}') to '${path}.fewer' (format parquet)`)
      await rename(`${path}.fewer`, path)
    }
    connection.closeSync()
    instance.closeSync()
  },
  async clickhouse(address, { name }) {
    const table = new URL(address).searchParams.get('table') ?? ''
    const answer = await fetch(CLICKHOUSE, { method: 'POST', body: `alter table ${table} drop column "${name}"` })
    expect(await answer.text()).toBe('')
  },
}

interface Named {
  name: string
}

const pathOf = (address: string): string => address.replace(/^\w+:/, '').replace(/\?.*/, '')
