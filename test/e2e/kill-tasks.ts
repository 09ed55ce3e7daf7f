// Kills and restarts a built Weir with 200 open tasks again and again:
//   npx tsx test/e2e/kill-tasks.ts --rounds 50 --database sqlite|postgres
// On PostgreSQL two processes share the tasks, and one of them goes on.
import { parseArgs } from 'node:util'
import { openTaskKillBench } from '../support/kill-tasks.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, database: { type: 'string', default: 'sqlite' } },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

const { database, stop } = await databaseOfScript(values.database)
const bench = await openTaskKillBench(database ? { database } : {})
let failed = 0
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const { told, open, done, failed: over, problems } = await bench.round(Math.random)
  say(`round ${round}: ${told} told, ${open} open, ${done} done, ${over} failed and given back`)
  for (const problem of problems) say(`  WRONG: ${problem}`)
  if (problems.length > 0) failed += 1
}
const last = await bench.finish()
for (const problem of last) say(`  WRONG at the end: ${problem}`)
await bench.close()
await stop()
say(failed === 0 && last.length === 0 ? 'all is well' : `${failed} rounds went wrong`)
process.exitCode = failed === 0 && last.length === 0 ? 0 : 1
