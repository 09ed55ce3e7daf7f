// Sends invalid bodies to every path of the relay: npx tsx test/e2e/fuzz-bodies.ts --requests 2000 --database
// sqlite|postgres
import { parseArgs } from 'node:util'
import { fuzzBodies } from '../support/fuzz-bodies.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    database: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)
const { database, stop } = await databaseOfScript(values.database)
say(`seed ${values.seed}`)
const problems = await fuzzBodies({
  requests: Number(values.requests),
  seed: Number(values.seed),
  each: (path, refused) => say(`${path}: ${refused} refused`),
  ...(database ? { database } : {}),
})
await stop()
for (const problem of problems) say(`PROBLEM ${problem}`)
say(`${values.requests} calls to each path: ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
