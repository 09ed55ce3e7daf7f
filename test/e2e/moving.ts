// Backup, restore, copy and clean-up of a large log by the built command: their seconds and memory, and what becomes of them
// when they are killed: npx tsx test/e2e/moving.ts --rows 1000000 --kills 10 --database sqlite|postgres [--only restore]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openMovingBench } from '../support/moving.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '10' },
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

// Whatever the source is, one of the targets is the other kind.
const { database: server = '', stop } = await databaseOfScript('postgres')
let made = 0
const client = new pg.Client({ connectionString: server })
await client.connect()
const freshDatabase = async () => {
  const url = new URL(server)
  url.pathname = `/moving_${(made += 1)}`
  await client.query(`create database ${url.pathname.slice(1)}`)
  return url.href
}

const kind = values.database === 'postgres' ? 'postgres' : 'sqlite'
const bench = await openMovingBench({ kind, rows: Number(values.rows), entries: 20_000, freshDatabase })
const moves = bench.moves.filter(({ name }) => values.only === undefined || name === values.only)
const kills = Number(values.kills)
let failed = 0
say(`${values.rows} log rows on ${kind}`)
for (const move of moves) {
  const { seconds, mebibytes } = await bench.measure(move)
  say(`${move.name}: ${seconds.toFixed(1)} s, ${mebibytes} MiB`)
  const whole = seconds * 1000 * (move.share ?? 1)
  for (let at = 0; at < kills; at++) {
    const after = Math.round((whole * (at + 0.5)) / kills)
    const wrong = await bench.kill(move, after)
    say(`  killed after ${after} ms: ${wrong.length === 0 ? 'well' : `WRONG: ${wrong.join('; ')}`}`)
    if (wrong.length > 0) failed += 1
  }
}
await bench.close()
await client.end()
await stop()
say(failed === 0 ? 'all is well' : `${failed} went wrong`)
process.exitCode = failed === 0 ? 0 : 1
