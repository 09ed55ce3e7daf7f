// A day with the whole state as a file, a backup beside calls, and a move to the other database and back:
// npx tsx test/e2e/state-day.ts --database sqlite|postgres --rate 100 --seconds 20
// It needs a build, and git.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { databaseOfScript } from '../support/postgres-server.ts'
import { stateDay } from '../support/state-day.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)

// Whatever it begins on, the other one is a PostgreSQL.
const { database: server = '', stop } = await databaseOfScript('postgres')
let made = 0
const client = new pg.Client({ connectionString: server })
await client.connect()
const freshDatabase = async () => {
  const url = new URL(server)
  url.pathname = `/day_${(made += 1)}`
  await client.query(`create database ${url.pathname.slice(1)}`)
  return url.href
}

const kind = values.database === 'postgres' ? 'postgres' : 'sqlite'
const given = { kind, freshDatabase, rate: Number(values.rate), seconds: Number(values.seconds), say } as const
const problems = await stateDay(given)
await client.end()
await stop()
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
