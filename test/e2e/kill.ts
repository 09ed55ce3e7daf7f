// Kills and restarts a built Weir again and again: npx tsx test/e2e/kill.ts --rounds 20 --database sqlite|postgres
// On PostgreSQL two processes share the database, and one of them goes on.
import { parseArgs } from 'node:util'
import { openKillBench } from '../support/kill-loop.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, database: { type: 'string', default: 'sqlite' } },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

const { database, stop } = await databaseOfScript(values.database)
const bench = await openKillBench(database ? { database } : {})
let failed = 0
let slowest_ms = 0
let heldByDead = 0
for (let round = 1; round <= Number(values.rounds); round++) {
  const { seen, logged, left, swept_ms, problems } = await bench.round(Math.random)
  say(`round ${round}: ${seen} ends seen, ${logged} logged, ${left} holds left, swept after ${swept_ms} ms`)
  for (const problem of problems) say(`  WRONG: ${problem}`)
  if (problems.length > 0) failed++
  slowest_ms = Math.max(slowest_ms, swept_ms)
  heldByDead += left
}
await bench.close()
await stop()
say(`${values.rounds} rounds, ${heldByDead} holds left by the dead, the last of a round gone after ${slowest_ms} ms`)
say(failed === 0 ? 'all is well' : `${failed} rounds went wrong`)
process.exitCode = failed === 0 ? 0 : 1
