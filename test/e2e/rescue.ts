// Calls through three channels of which two are broken: npx tsx test/e2e/rescue.ts --calls 10000 --database sqlite|postgres
import { parseArgs } from 'node:util'
import { databaseOfScript } from '../support/postgres-server.ts'
import { rescue } from '../support/rescue.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '10000' }, database: { type: 'string', default: 'sqlite' } },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

const { database, stop } = await databaseOfScript(values.database)
const started = Date.now()
const { answered, broken, problems } = await rescue(Number(values.calls), Math.random, database)
await stop()
const seconds = Math.round((Date.now() - started) / 1000)
say(`${values.database}: ${answered} of ${values.calls} answered, past ${broken} broken attempts, in ${seconds} s`)
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
