// Kills a built Weir in the middle of many calls, starts it again, and compares its books with what the callers saw.
// On PostgreSQL two processes share the database, and the one that is not killed goes on answering.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAccount, asRoot, logged, setUp, signIn, startBuiltServer } from './built-server.ts'
import { flipOne, isNamed } from './flipped-journal.ts'
import { booksRight, openHolds, sweptWhileGoing } from './kill-books.ts'
import { answerer, compare, keepCalling, MODEL, startCall, type KillCall } from './kill-calls.ts'
import { powerOf, type Power, type PowerCut } from './power-cut.ts'
import { until } from './terminal.ts'
import { startUpstream } from './upstream.ts'

const CALLS = 200
/** Of the calls of a round, this share has ended at least when the process is killed, and up to the other one more. */
const ENDED_AT_LEAST = 0.1
const ENDED_MORE = 0.5
const USERS = 4
const QUOTA = 1_000_000_000
/** A busy machine takes this long for some calls, in ms. */
const BUSY_MS = 60_000

export interface RoundReport {
  /** Calls whose end their caller saw. */
  seen: number
  /** Calls that have a log row afterwards. */
  logged: number
  /** Holds that the killed process left; always 0 where they live in its memory. */
  left: number
  /** From the kill until none of them was open, in ms; without a process that goes on, from the restart. */
  swept_ms: number
  /** What does not add up; empty when all is well. */
  problems: string[]
}

/** Where it runs: without a database on SQLite, without a home for rows of the log they stay there. */
export interface KillPlace {
  database?: string
  logs?: string
  /** Calls of a round; 200 by default. */
  calls?: number
  /** How many share the database; 2 if none is said. */
  processes?: number
  journal?: 'local' | 'spool'
  /** Whose calls they are, one after the other; a single one is busy enough for quota leases. The last of several is a team. */
  users?: number
  /** The power goes in place of a kill: what was not flushed is lost. */
  cut?: PowerCut
  /** A bit of the journal changes before the killed one is started again: at most one record is lost, and that is named. */
  flips?: boolean
  /** Another release has been there: fills the database before Weir is started on it for the first time. */
  former?: { secret: string; fill(place: { database?: string; folder: string }): Promise<void> }
}

export interface SteadyCalls {
  calls: number
  ended: number
  /** From the request to the end of its answer, in ms, in order of size. */
  took: number[]
}

export interface KillBench {
  /** The data folder. */
  folder: string
  /** Where one of the processes is. */
  url(): string
  /** So many calls a second for a while, all to one process, which nobody kills; what each took, in ms. */
  steady(seconds: number, each: number, chance: () => number): Promise<SteadyCalls>
  /** Ends the processes with a signal, and leaves what they have written. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** One kill and restart; `chance` gives numbers from 0 to 1. */
  round(chance: () => number): Promise<RoundReport>
  close(): Promise<void>
}

interface Account {
  id: number
  username: string
  /** The team that pays for the account's calls; 0 for none. */
  team_id: number
  /** What the account must have left by its log rows. */
  due: number
}

type Server = Awaited<ReturnType<typeof start>>

/** Sets a new Weir up: one process on sqlite, or several on the PostgreSQL database at `database`. */
export async function openKillBench({
  database,
  logs,
  processes = database ? 2 : 1,
  journal,
  users = USERS,
  cut,
  flips = false,
  former,
  calls: callsOfRound = CALLS,
}: KillPlace = {}): Promise<KillBench> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-kill-'))
  const env = {
    ...{ WEIR_DATA: folder, LOG_LEVEL: 'error' },
    ...(database ? { DATABASE_URL: database } : {}),
    ...(logs ? { WEIR_LOGS: logs } : {}),
    ...(journal ? { WEIR_JOURNAL: journal } : {}),
    ...(former ? { WEIR_SECRET: former.secret } : {}),
  }
  await former?.fill({ folder, ...(database ? { database } : {}) })
  const shared = database ? await openHolds(database) : null
  const upstream = await startUpstream()
  upstream.reply(answerer)
  let started = 0
  const startOne = () => start(env, shared, cut && { kept: cut, power: powerOf(folder, String((started += 1))) })
  const servers: Server[] = []
  while (servers.length < processes) servers.push(await startOne())
  let rounds = 0

  const root = await setUp(env, first(servers).url)
  const { client } = root
  await client.settings.update({
    options: [
      { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) },
      { key: 'CompletionRatio', value: JSON.stringify({ [MODEL]: 1 }) },
      // Everybody signs in again in every round, all from one address.
      { key: 'ApiRateLimits', value: JSON.stringify({ login: [0, 60], api: [0, 60] }) },
    ],
  })
  await client.channels.create({ name: 'slow', type: 1, key: 'k', base_url: upstream.url, models: MODEL })
  const accounts: Account[] = []
  for (let count = 1; count <= users; count++) {
    const username = `user${count}`
    const { id } = await addAccount(root, first(servers).url, username, QUOTA)
    accounts.push({ id, username, team_id: count === users && users > 1 ? await teamOf(username) : 0, due: QUOTA })
  }

  /** A team with as much as an account has, of which the user is a member. */
  async function teamOf(username: string): Promise<number> {
    const { id } = await client.teams.create({ name: `team of ${username}` })
    await client.teams.putMember({ id, username })
    const { visitor } = await signIn(first(servers).url, username)
    const [invitation] = await visitor.client.teams.invitations({})
    await visitor.client.teams.accept({ invitation_id: invitation?.id ?? 0 })
    await client.teams.adjust({ id, amount: QUOTA })
    return id
  }

  /** One new token for each account. */
  async function newKeys(url: string, name: string): Promise<string[]> {
    return Promise.all(
      accounts.map(async ({ username, team_id }) => {
        const { client } = (await signIn(url, username)).visitor
        return `sk-${(await client.tokens.create({ name, team_id, unlimited_quota: true })).key}`
      }),
    )
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    for (const server of servers.splice(0)) {
      server.child.kill(signal)
      await server.ended
    }
  }

  /** Waits for a home of the log that is away. */
  async function loggedOnceBack(url: string, name: string) {
    const { client } = await asRoot(url)
    for (;;) {
      try {
        return await logged(client, name)
      } catch (error) {
        if ((error as { code?: string }).code !== 'log.away') throw error
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }

  const charge = (rows: readonly { user_id: number; quota: number }[]) => {
    for (const account of accounts) for (const row of rows) if (row.user_id === account.id) account.due -= row.quota
  }

  return {
    folder,
    stop,
    url: () => first(servers).url,
    async steady(seconds, each, chance) {
      const { url } = first(servers)
      const name = `steady ${++rounds}`
      const keys = await newKeys(url, name)
      const calls: KillCall[] = []
      const took: number[] = []
      const end = Date.now() + seconds * 1000
      for (let index = 0; Date.now() < end; index += 1) {
        const began = performance.now()
        // Whole answers: how long they take does not depend on how long somebody reads.
        const call = startCall(url, keys[index % users] ?? '', index * 60, chance)
        void call.over.then(() => took.push(performance.now() - began))
        calls.push(call)
        await new Promise((resolve) => setTimeout(resolve, 1000 / each))
      }
      await Promise.all(calls.map(({ over }) => over))
      charge(await loggedOnceBack(url, name))
      return { calls: calls.length, ended: ended(calls), took: took.sort((a, b) => a - b) }
    },
    async round(chance) {
      const name = `round ${++rounds}`
      const problems: string[] = []
      const keys = await newKeys(first(servers).url, name)
      const victim = Math.floor(chance() * servers.length)
      const dead = servers[victim] ?? first(servers)
      const others = servers.filter((server) => server !== dead)
      const otherOf = (index: number) => others[index % others.length]
      const begin = (server: Server, index: number) => startCall(server.url, keys[index % users] ?? '', index, chance)
      const all = Array.from({ length: callsOfRound }, (_, index) => {
        // Every kind of call, and every account, at both of them.
        const server = servers[Math.floor(index / 3) % servers.length] ?? dead
        return { server, call: begin(server, index) }
      })
      const calls = all.map(({ call }) => call)
      const going = all.filter(({ server }) => server !== dead).map(({ call }) => call)

      const target = Math.floor(callsOfRound * (ENDED_AT_LEAST + chance() * ENDED_MORE))
      await until(() => ended(calls) >= target, BUSY_MS)
      dead.die()
      await dead.ended
      const killed = Date.now()
      let swept_ms = 0
      let left = 0
      if (shared && others.length > 0) {
        left = await shared.of(dead.process)
        const more = keepCalling((index) => begin(otherOf(index) ?? dead, index))
        swept_ms = await sweptWhileGoing(() => shared.of(dead.process), env, killed, problems)
        const added = more.stop()
        calls.push(...added)
        going.push(...added)
      }
      for (const call of calls) if (!call.answered) call.hangUp()
      await Promise.all(calls.map(({ over }) => over))
      for (const { answered, seen } of going)
        if (answered && !seen.ended)
          problems.push(`${seen.request_id} did not end where no process died: ${seen.answer}`)

      const flip = flips ? await flipOne(folder, chance) : null
      const again = (servers[victim] = await startOne())
      if (flip) await isNamed(flip, folder, again.written.stderr, problems)
      const settled_ms = await booksRight(env, problems)
      const rows = await logged((await asRoot(first(servers).url)).client, name)
      compare(calls, rows, problems, flip ? 1 : 0)
      charge(rows)
      for (const { url } of servers) await balances(url, accounts, problems)
      return {
        seen: ended(calls),
        logged: rows.length,
        left,
        swept_ms: others.length > 0 ? swept_ms : settled_ms,
        problems,
      }
    },
    async close() {
      await stop('SIGKILL')
      await shared?.close()
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const ended = (calls: KillCall[]) => calls.filter(({ seen }) => seen.ended).length

function first(servers: Server[]): Server {
  const [server] = servers
  if (!server) throw new Error('no server is running')
  return server
}

/** Starts the built server on a free port and waits until it says where it is; `process` is its name in the leases. */
async function start(
  env: Record<string, string>,
  shared: Awaited<ReturnType<typeof openHolds>> | null,
  cut?: { kept: PowerCut; power: Power },
) {
  const known = new Set(await shared?.processes())
  const server = await startBuiltServer({ ...env, ...cut?.power.env })
  const process = (await shared?.processes())?.find((id) => !known.has(id)) ?? ''
  /** Without a word. */
  const die = () => (cut ? cut.power.cut(cut.kept) : void server.child.kill('SIGKILL'))
  return { ...server, process, die }
}

/** A charge and its row are one transaction, so the rows explain every balance, whichever process is asked. */
async function balances(url: string, accounts: Account[], problems: string[]): Promise<void> {
  const { client } = await asRoot(url)
  for (const { id, username, team_id, due } of accounts) {
    const user = team_id === 0 ? await client.users.get({ id }) : await client.teams.get({ id: team_id })
    if (user.quota !== due) problems.push(`${username} has ${user.quota} instead of ${due}`)
    if (user.quota + user.used_quota !== QUOTA) problems.push(`${username} has used ${user.used_quota}`)
  }
}
