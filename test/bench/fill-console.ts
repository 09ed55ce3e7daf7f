// Fills an installation with as much as a large site has: 100,000 users, 300 channels, 1,000,000 log rows; and much of what
// two people see of their own.
import { connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { fill, sampleToken } from './fill.ts'
import { addOwners, fillLogs, fillOwnFile, OWNERS_PASSWORD } from './fill-logs.ts'
import { openInstallation, ROOT_USER, type Installation } from './weir.ts'

export const SIZE = { channels: 300, users: 100_000, logs: 1_000_000 }
/** Of each of the two who look. */
const OWN = { tokens: 1_000, teams: 500 }
const FIRST_TEAM = 2_000_000

export const VISITORS = {
  root: ROOT_USER,
  /** Has a third of the log. */
  user: { username: 'heavy', password: OWNERS_PASSWORD },
}
export type Visitor = keyof typeof VISITORS

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** SQLite only. `providerUrl`: where the channels lead; it is never asked. */
export async function fillConsole(installation: Installation, size: typeof SIZE, providerUrl: string): Promise<void> {
  // The log is another one: of these weeks, and of many names.
  await fill(installation, { ...size, logs: 0 }, { busy: 1, providerUrl })
  const owners = await addOwners(installation)
  const root = await fillTokens(installation, owners.heavy.id)
  await fillLogs(installation, size.logs, owners)
  await fillOwnFile(installation)
  await fillOwn(installation, [root, owners.heavy.id])
}

/** Tokens of both; nobody is held back for asking often. Gives the administrator's id. */
async function fillTokens(installation: Installation, heavy: number): Promise<number> {
  const gateway = await openInstallation(installation)
  const { storage, random } = gateway.ports
  const open = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
  await gateway.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(open) })
  const root = (await storage.users.findRoot())?.id ?? 0
  const sample = await sampleToken(gateway)
  for (const user_id of [root, heavy])
    for (let n = 1; n <= OWN.tokens; n += 1)
      await storage.tokens.insert({ ...sample, user_id, key: random.text(48), name: `worker ${n}` })
  await gateway.close()
  return root
}

/** Teams of both, and what channels have after a while. */
async function fillOwn({ data }: Installation, people: number[]): Promise<void> {
  const { write, close } = await connectSqlite(data, silent)
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${OWN.teams})`
  const id = (index: number) => `${FIRST_TEAM} + ${index * OWN.teams} + n`
  const now = Math.floor(Date.now() / 1000)
  try {
    for (const [index, person] of people.entries())
      for (const sql of [
        `insert into accounts (id, kind) select ${id(index)}, 'team' from numbers`,
        `insert into teams (account_id, name, created_time) select ${id(index)}, 'team ' || (${id(index)}), ${now} from numbers`,
        `insert into team_members (team_id, user_id, role, created_time)
         select ${id(index)}, ${person}, 'owner', ${now} from numbers`,
      ])
        await write.raw(`${numbers} ${sql}`)
    await write.raw(`update channels set tag = case when id % 4 = 0 then 'tag ' || (id % 12) end, priority = id % 5,
      response_time = 200 + id % 900, test_time = ${now} - id, used_quota = id * 4321`)
    await write.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await close()
  }
}
