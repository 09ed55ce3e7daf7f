// Kills a built Weir whose log has a home of its own, and takes that home away for a while; then every charge of the ledger must
// have its row, in one of the two places, once.
//   npx tsx test/e2e/log-homes.ts --home sqlite|parquet|clickhouse --database sqlite|postgres --rounds 20 --away 10
// `--home database`: rows stay there; on PostgreSQL they are divided by month meanwhile.
// ClickHouse: see test/storage/clickhouse.sh. `--away`: so many seconds it is away behind the rounds, with 50 calls a second.
// `--old`: so many charges with their rows of the log were made by an earlier release; they move on under 50 calls a second.
import { rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { openGateway } from '../../core/adapters/node.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { asRoot } from '../support/built-server.ts'
import { openKillBench, type SteadyCalls } from '../support/kill-loop.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import { silent } from '../support/databases.ts'
import { fillRelease010 } from '../storage/former-release.ts'
import { CLICKHOUSE } from '../storage/log-homes.ts'

const { values } = parseArgs({
  options: {
    home: { type: 'string', default: 'sqlite' },
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '20' },
    away: { type: 'string', default: '10' },
    old: { type: 'string', default: '0' },
  },
})
const DOWN = process.env.WEIR_TEST_CLICKHOUSE_DOWN
const ADDRESSES: Record<string, string | undefined> = {
  database: undefined,
  sqlite: 'sqlite:logs.db?days=0',
  parquet: 'parquet:logs?days=0',
  clickhouse: `${CLICKHOUSE.replace(/^http/, 'clickhouse')}?table=killed_${process.pid}`,
}
const CATCH_UP_MS = 120_000
const PAGE = 1000
const PER_SECOND = 50
const STEADY_SECONDS = 10
/** The provider answers as fast as it does. */
const quick = () => 0

const say = (line: string) => process.stdout.write(`${line}\n`)
const logs = ADDRESSES[values.home]
if (!(values.home in ADDRESSES) || (values.home === 'clickhouse' && (CLICKHOUSE === '' || DOWN === undefined))) {
  say(`${values.home} is not here (see test/storage/clickhouse.sh): nothing was tried`)
  process.exit(2)
}

const { database, stop } = await databaseOfScript(values.database)
const SECRET = 'a secret for tests'
const old = Number(values.old)
const bench = await openKillBench({
  ...(database ? { database } : {}),
  ...(logs === undefined ? {} : { logs }),
  ...(old > 0 ? { former: { secret: SECRET, fill: fillOld } } : {}),
})
let failed = 0
if (old > 0) {
  const { client } = await asRoot(bench.url())
  for (let place = -1, settled = 0; place < settled;) {
    const calls = await bench.steady(STEADY_SECONDS, PER_SECOND, quick)
    ;({ place, settled } = await client.logs.home())
    say(`${place} of ${settled} rows have moved on; ${told(calls)}`)
    if (calls.ended < calls.calls) failed += 1
  }
}
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const { seen, logged, problems } = await bench.round(Math.random)
  say(`round ${round}: ${seen} ends seen, ${logged} logged`)
  for (const problem of problems) say(`  WRONG: ${problem}`)
  if (problems.length > 0) failed += 1
}

if (DOWN !== undefined && values.home === 'clickhouse') {
  const seconds = Number(values.away)
  const before = await bench.steady(Math.min(seconds, 20), PER_SECOND, quick)
  await writeFile(DOWN, '')
  setTimeout(() => void rm(DOWN), seconds * 1000)
  const during = await bench.steady(seconds, PER_SECOND, quick)
  say(`home there: ${told(before)}; away for ${seconds} s: ${told(during)}`)
  if (during.ended < during.calls || before.ended < before.calls) failed += 1
}

const { client } = await asRoot(bench.url())
const began = Date.now()
const caughtUp = async () => {
  if (logs === undefined) return true
  const { place, settled } = await client.logs.home()
  return settled > 0 && place === settled
}
while (!(await caughtUp()) && Date.now() - began < CATCH_UP_MS) await new Promise((resolve) => setTimeout(resolve, 200))
say(`all rows have moved on ${Date.now() - began} ms after the last round`)
await bench.stop('SIGTERM')

const gateway = await openGateway({
  ...(old > 0 ? { secret: SECRET } : {}),
  ...{ data: bench.folder, host: '127.0.0.1', port: 0, log_level: 'error' as const, log_format: 'json' as const },
  ...(logs === undefined ? {} : { logs }),
  ...(database ? { database } : {}),
})
const wrong = await differences(gateway.ports.storage)
for (const problem of wrong) say(`  WRONG: ${problem}`)
await gateway.close()
await bench.close()
await stop()
say(failed === 0 && wrong.length === 0 ? 'all is well' : `${failed} rounds and ${wrong.length} charges went wrong`)
process.exit(failed === 0 && wrong.length === 0 ? 0 : 1)

/** An installation of release 0.1.0; prints how long it takes to create it and to bring it to this schema. */
async function fillOld(place: { database?: string; folder: string }): Promise<void> {
  const began = Date.now()
  const former = await openDatabase({ ...place, logger: silent })
  await fillRelease010(former, old, SECRET)
  await former.close()
  const filled = Date.now()
  // As Weir does when it starts.
  const now = await openDatabase({ ...place, logger: silent })
  await migrateDatabase(now)
  await now.close()
  say(`${old} charges made in ${filled - began} ms, brought to this schema in ${Date.now() - filled} ms`)
}

function told({ calls, ended, took }: SteadyCalls): string {
  const at = (share: number) => Math.round(took[Math.floor((took.length - 1) * share)] ?? 0)
  return `${ended} of ${calls} calls answered, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** Charges without their one row of the same amount, and rows of charges that there are none of. */
async function differences({ logs: log, logHome, logPlaces, databaseLogs, entries }: typeof gateway.ports.storage) {
  const rows = new Map<string, LogEntry[]>()
  let count = 0
  for (let last = 0; ;) {
    const page = await log.after(last, PAGE)
    for (const row of page) {
      // Rows of earlier releases name no hold.
      const name = row.hold_id || row.request_id
      if (name !== '') rows.set(name, [...(rows.get(name) ?? []), row])
    }
    count += page.length
    last = page.at(-1)?.id ?? last
    if (page.length < PAGE) break
  }
  const found: string[] = []
  let charges = 0
  await entries.audit(async (books) => {
    for (let last = { account_id: 0, id: 0 }; ;) {
      const page = await books.entries(Number.MAX_SAFE_INTEGER, last, PAGE)
      for (const { hold_id, request_id, amount, kind } of page) {
        if (kind !== 'charge' || hold_id === null) continue
        charges += 1
        const own = rows.get(hold_id) ?? rows.get(request_id ?? '') ?? []
        if (own.length !== 1) found.push(`the charge of ${hold_id} has ${own.length} rows`)
        else if (own[0]?.quota !== -amount)
          found.push(`${hold_id} was charged ${-amount}, its row says ${own[0]?.quota}`)
      }
      const end = page.at(-1)
      if (!end || page.length < PAGE) return
      last = end
    }
  })
  const place = logHome ? (await logPlaces.of(logHome.name)).place : 0
  const there = logHome ? await logHome.count({ from: 0, to: place }) : 0
  const days = await databaseLogs.days({ from: place, to: Number.MAX_SAFE_INTEGER })
  const here = days.reduce((sum, day) => sum + day.rows, 0)
  say(`${charges} charges, ${count} rows: ${there} in ${logHome?.name ?? 'no home'}, ${here} in the database`)
  if (there + here !== count) found.push(`${there} and ${here} rows are not ${count}`)
  return found
}
