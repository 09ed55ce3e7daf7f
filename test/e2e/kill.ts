// Kills and restarts a built Weir again and again, or cuts its power: what it had not flushed is lost, or a part of it.
//   npx tsx test/e2e/kill.ts --rounds 20 --database sqlite|postgres --processes 4 --users 1 --journal local|spool --cut none|some --flips
// On PostgreSQL the processes share the database, and all but one go on.
import { parseArgs } from 'node:util'
import { openKillBench } from '../support/kill-loop.ts'
import { POWER_CUTS, type PowerCut } from '../support/power-cut.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    database: { type: 'string', default: 'sqlite' },
    processes: { type: 'string' },
    journal: { type: 'string' },
    users: { type: 'string' },
    cut: { type: 'string' },
    flips: { type: 'boolean', default: false },
  },
})
const { journal, cut, flips, users } = values
// A bit flips in what the dead one left: others would write on beside it.
const processes = flips ? '1' : values.processes
const isCut = (text: string): text is PowerCut => text in POWER_CUTS
if (cut !== undefined && !isCut(cut)) throw new Error(`--cut ${cut}: none or some is kept of what was not flushed`)
if (journal !== undefined && journal !== 'local' && journal !== 'spool') throw new Error(`--journal ${journal}`)

const say = (line: string) => process.stdout.write(`${line}\n`)

const { database, stop } = await databaseOfScript(values.database)
const bench = await openKillBench({
  ...(database ? { database } : {}),
  ...(processes ? { processes: Number(processes) } : {}),
  ...(journal ? { journal } : {}),
  ...(users ? { users: Number(users) } : {}),
  ...(cut ? { cut } : {}),
  flips,
})
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
