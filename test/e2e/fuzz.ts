// Sends invalid values to every operation of the API: npx tsx test/e2e/fuzz.ts --requests 200 --database
// sqlite|postgres
import { parseArgs } from 'node:util'
import { fuzz } from '../support/fuzz.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200' },
    database: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    only: { type: 'string', default: '' },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)
const { database, stop } = await databaseOfScript(values.database)
let asked = 0
say(`seed ${values.seed}`)
const problems = await fuzz({
  requests: Number(values.requests),
  seed: Number(values.seed),
  only: values.only,
  each: (operation, done) => say(`${String(++asked).padStart(4)} ${operation}: ${done} succeeded`),
  ...(database ? { database } : {}),
})
await stop()
for (const problem of problems) say(`PROBLEM ${problem}`)
say(`${asked} operations, ${values.requests} requests each: ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
