// Moving on, as people and scripts meet it: copies from SQLite to PostgreSQL and back, with the receipts of before.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterEach, describe, expect, it } from 'vitest'
import { openJournalFolder } from '../../core/adapters/journal-files.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { createJournal } from '../../core/journal/journal.ts'
import { migrations } from '../../migrations/index.ts'
import { silent } from '../support/databases.ts'
import { answerOf, install, whileServing, within } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runHere } from '../support/terminal.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

interface Env extends Record<string, string> {
  WEIR_DATA: string
}

let end: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of end.splice(0).reverse()) await each()
})

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'weir-moving-'))
  end.push(() => rm(made, { recursive: true, force: true }))
  return made
}

/** The latest receipt of an installation, and what proves it. */
const receiptOf = (env: Env) =>
  within(env, async ({ client }) => {
    const entry = (await client.quota.entriesSelf({})).items.find(({ kind }) => kind === 'charge')
    return {
      proof: await client.quota.verify({}),
      receipt: await client.quota.receipt({ receipt_id: entry!.hold_id! }),
      key: await client.quota.receiptKey({}),
    }
  })

describe('weir copy', { timeout: 120_000 }, () => {
  it('goes from SQLite to PostgreSQL and back: keys, balances and receipts of before go on', async () => {
    const env: Env = { WEIR_DATA: await folder() }
    const key = await install(env)
    expect((await answerOf(env, key)).status).toBe(200)
    const before = await receiptOf(env)
    expect(before.proof.ok).toBe(true)

    const url = await freshDatabase()
    const there = await runHere(['copy', '--to', url, '--json'], { env })
    expect(there.code, there.stderr).toBe(0)
    const told = JSON.parse(there.stdout)
    expect(told).toMatchObject({ kind: 'postgres', key_file: null, ledger_ok: true, ledger: { faults: 0 } })
    expect(told.tables).toMatchObject({ users: 1, channels: 1, logs: 2 })
    expect(there.stdout).not.toMatch(/postgres:\/\/[^/]*@/)
    // Progress, by table.
    expect(there.stderr).toMatch(/Copying logs: 2\n[^]*Reading back logs: 2\n/)
    const moved: Env = { ...env, DATABASE_URL: url }
    expect(await receiptOf(moved)).toEqual(before)

    const elsewhere = await folder()
    const back = await runHere(['copy', '--to', join(elsewhere, 'data'), '--language', 'zh'], { env: moved })
    expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/已复制到 .*\n[^]*已核对[^]*weir serve --data/)])
    const home: Env = { WEIR_DATA: join(elsewhere, 'data') }
    expect(await readFile(join(elsewhere, 'data', 'weir.key'), 'utf8')).toBe(
      await readFile(join(env.WEIR_DATA, 'weir.key'), 'utf8'),
    )
    expect(await receiptOf(home)).toEqual(before)
    expect((await answerOf(home, key)).status).toBe(200)
  })

  it('has what a killed process left in its journal', async () => {
    const env: Env = { WEIR_DATA: await folder() }
    await install(env)
    const root = await within(env, async ({ client }) => (await client.users.list({})).items[0]!)
    const journal = createJournal(openJournalFolder(env.WEIR_DATA, 'killed', silent), silent)
    const hold = { id: 'left', account_id: root.id, by_user_id: null, token_id: null, amount: 0 }
    await journal.append([{ kind: 'settle', hold, settlement: { quota: 7, channel_id: 0, billable: true } }])
    await journal.close()

    const there = await runHere(['copy', '--to', await folder().then((made) => join(made, 'data')), '--json'], { env })
    expect(there.code, there.stderr).toBe(0)
    const { place } = JSON.parse(there.stdout) as { place: string }
    const { proof, receipt } = await receiptOf({ WEIR_DATA: place })
    expect(proof).toMatchObject({ ok: true })
    expect(receipt.receipt).toMatchObject({ receipt_id: 'left', amount: 7 })
  })

  it('refuses what is not empty, what is itself, what is served, and what is not there', async () => {
    const env = { WEIR_DATA: await folder() }
    const other = { WEIR_DATA: await folder() }
    await install(env)
    await install(other)
    const copy = (...args: string[]) => runHere(['copy', ...args, '--json'], { env })
    for (const [args, code, said] of [
      [[], 2, /--to/],
      [['--to', other.WEIR_DATA], 1, /another key file/],
      [['--to', env.WEIR_DATA], 2, /the database itself/],
      [['--to', await folder(), '--data', join(await folder(), 'nothing')], 1, /No Weir in/],
      [['--to', await folder(), '--server', 'http://127.0.0.1:1'], 2, /does not accept --server/],
    ] as const) {
      const ended = await copy(...args)
      expect([ended.code, JSON.parse(ended.stderr.split('\n')[0]!).message]).toEqual([
        code,
        expect.stringMatching(said),
      ])
    }
    await rm(join(other.WEIR_DATA, 'weir.key'))
    expect((await copy('--to', other.WEIR_DATA)).stderr).toMatch(/The target is not empty/)
    const target = await folder()
    const busy = await whileServing(env, () => copy('--to', target))
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/Weir is running/)])
    const url = await freshDatabase()
    expect((await copy('--to', url)).code).toBe(0)
    const shared = await whileServing({ ...env, DATABASE_URL: url }, () =>
      runHere(['copy', '--to', target], {
        env: { WEIR_DATA: env.WEIR_DATA, DATABASE_URL: `${url}?application_name=x` },
      }),
    )
    expect([shared.code, shared.stderr]).toEqual([1, expect.stringMatching(/Weir is running/)])
  })
})

describe('weir logs prune', { timeout: 120_000 }, () => {
  it('counts first, keeps receipts, entries and the sums of usage, and needs to know how much is kept', async () => {
    const env = { WEIR_DATA: await folder() }
    const key = await install(env)
    expect((await answerOf(env, key)).status).toBe(200)
    const before = await receiptOf(env)
    const usage = () => within(env, ({ client }) => client.usage.query({ from: '2020-01-01' }))
    const used = await usage()
    const prune = (...args: string[]) => runHere(['logs', 'prune', ...args, '--json'], { env })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect(JSON.parse((await prune('--before', tomorrow, '--dry-run')).stdout)).toMatchObject({ older: 2, removed: 0 })
    expect(JSON.parse((await prune('--keep', '90d', '--yes')).stdout)).toMatchObject({ older: 0, removed: 0 })
    expect(JSON.parse((await prune('--before', tomorrow, '--yes')).stdout)).toMatchObject({ older: 2, removed: 2 })
    expect(await within(env, ({ client }) => client.logs.list({}))).toMatchObject({ total: 0 })
    expect(await receiptOf(env)).toEqual(before)
    expect(await usage()).toEqual(used)
    for (const args of [[], ['--keep', '0d'], ['--keep', '2026-01-01'], ['--keep', '1d', '--before', '1d']])
      expect((await prune(...args, '--yes')).code).toBe(2)
  })
})

describe('weir migrate', { timeout: 120_000 }, () => {
  it.each(listDatabaseKinds())('says what is missing on %s and writes nothing, then takes the steps', async (kind) => {
    const env: Env = {
      WEIR_DATA: await folder(),
      ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    const migrate = (...args: string[]) => runHere(['migrate', ...args, '--json'], { env })
    await install(env)
    const fine = await migrate('--check')
    expect([fine.code, JSON.parse(fine.stdout)]).toMatchObject([0, { missing: [], newer: [] }])
    expect((await whileServing(env, () => migrate('--check'))).code).toBe(0)
    expect((await whileServing(env, () => migrate())).stderr).toMatch(/Weir is running/)
    const change = async (work: (history: Knex.QueryBuilder) => Promise<unknown>) => {
      const place = env.DATABASE_URL ? { database: env.DATABASE_URL } : { folder: env.WEIR_DATA }
      const database = await openDatabase({ ...place, logger: silent })
      await work(database.write('schema_migrations')).finally(() => database.close())
    }
    await change((history) => history.insert({ name: '9999-later.needs-9998', batch: 9 }))
    const newer = await migrate('--check')
    expect([newer.code, JSON.parse(newer.stdout)]).toMatchObject([1, { newer: ['9999-later.needs-9998'] }])
    expect((await migrate()).stderr).toMatch(/changed by a newer version/)
  })

  it('brings an empty database of earlier steps to the last one', async () => {
    const env = { WEIR_DATA: await folder() }
    expect((await runHere(['migrate', '--check'], { env })).stderr).toMatch(/No Weir in/)
    const made = await openDatabase({ folder: env.WEIR_DATA, logger: silent })
    await made.close()
    const check = await runHere(['migrate', '--check', '--quiet'], { env })
    const names = migrations.map(({ name }) => name)
    expect([check.code, check.stdout.trim().split('\n')]).toEqual([1, names])
    expect((await runHere(['migrate', '--check', '--quiet'], { env })).stdout).toBe(check.stdout)
    const taken = await runHere(['migrate', '--language', 'zh'], { env })
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringMatching(/已执行以下步骤/)])
    expect((await runHere(['migrate', '--check'], { env })).stdout).toMatch(/up to date: \d+ steps/)
  })
})
