// Kills a built Weir in the middle of many calls, starts it again, and compares its books with what the callers saw.
import { request as httpRequest } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '../../core/logs/log.ts'
import { createVisitor, type Visitor } from './server.ts'
import { startWeir, until, weir } from './terminal.ts'
import { chatReply, chatStream, startUpstream, type Answerer } from './upstream.ts'

const CALLS = 200
const USERS = 4
const QUOTA = 1_000_000_000
const MODEL = 'kill-model'
const PASSWORD = 'a root password'
/** Holds of the dead are gone after this long at the latest, in ms. */
const SWEEP_MS = 15_000
const UNSEEN = -1

export interface RoundReport {
  /** Calls whose end their caller saw before the kill. */
  seen: number
  /** Calls that have a log row afterwards. */
  logged: number
  /** From when the new process was ready until no hold was open, in ms. */
  swept_ms: number
  /** What does not add up; empty when all is well. */
  problems: string[]
}

export interface KillBench {
  /** One kill and restart; `chance` gives numbers from 0 to 1. */
  round(chance: () => number): Promise<RoundReport>
  close(): Promise<void>
}

interface Account {
  id: number
  username: string
  visitor: Visitor
  /** What the account must have left by its log rows. */
  due: number
}

/** What one caller saw. */
interface Seen {
  request_id: string
  ended: boolean
  cost: number
}

/** Usage as told in the message; some answer whole, some in a stream, some slowly, some never. */
const answerer: Answerer = ({ json }) => {
  const [kind = 0, prompt_tokens, completion_tokens, wait = 0] = JSON.parse(json.messages[0].content) as number[]
  const usage = { prompt_tokens, completion_tokens }
  if (kind === 3) return { stall: 'before_head' }
  if (kind === 0) return { ...chatReply('Hello', usage), latency_ms: wait }
  const words = Array.from({ length: kind === 1 ? 8 : 30 }, (_, index) => `word ${index} `)
  return chatStream(words, usage, { latency_ms: kind === 1 ? wait : 0, gap_ms: 15 })
}

/** Sets a new Weir up, on sqlite or on the PostgreSQL database at `database`. */
export async function openKillBench({ database }: { database?: string } = {}): Promise<KillBench> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-kill-'))
  const env = { WEIR_DATA: folder, LOG_LEVEL: 'error', ...(database ? { DATABASE_URL: database } : {}) }
  const upstream = await startUpstream()
  upstream.reply(answerer)
  let server = await start(env)
  let rounds = 0

  const set = await weir(['init', '--json', '--password', PASSWORD, '--channel', 'none'], { env })
  if (set.code !== 0) throw new Error(`weir init failed: ${set.stderr}`)
  const root = createVisitor(server.url)
  await root.login('root', PASSWORD)
  await root.client.settings.update({
    options: [
      { key: 'QuotaForNewUser', value: String(QUOTA) },
      { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) },
      { key: 'CompletionRatio', value: JSON.stringify({ [MODEL]: 1 }) },
    ],
  })
  await root.client.channels.create({ name: 'slow', type: 1, key: 'k', base_url: upstream.url, models: MODEL })
  const accounts: Account[] = []
  for (let count = 1; count <= USERS; count++) {
    const username = `user${count}`
    await root.client.users.create({ username, password: PASSWORD })
    const visitor = createVisitor(server.url)
    const { json } = await visitor.login(username, PASSWORD)
    accounts.push({ id: json.data.id, username, visitor, due: QUOTA })
  }

  return {
    async round(chance) {
      const name = `round ${++rounds}`
      // Sessions outlive the process; the port does not.
      const keys: string[] = []
      for (const account of accounts) {
        account.visitor = createVisitor(server.url)
        await account.visitor.login(account.username, PASSWORD)
        const token = await account.visitor.client.tokens.create({ name, unlimited_quota: true })
        keys.push(`sk-${token.key}`)
      }
      const calls = Array.from({ length: CALLS }, (_, index) =>
        call(server.url, keys[index % USERS] ?? '', index, chance),
      )
      const target = Math.floor(20 + chance() * 100)
      await until(() => calls.filter(({ seen }) => seen.ended).length >= target)
      server.child.kill('SIGKILL')
      await server.ended
      await Promise.all(calls.map(({ over }) => over))

      server = await start(env)
      const restarted = Date.now()
      const problems: string[] = []
      const swept_ms = await verified(env, restarted, problems)
      const rows = await logged(server.url, name)
      compare(
        calls.map(({ seen }) => seen),
        rows,
        problems,
      )
      await balances(server.url, accounts, rows, problems)
      return { seen: calls.filter(({ seen }) => seen.ended).length, logged: rows.length, swept_ms, problems }
    },
    async close() {
      server.child.kill('SIGKILL')
      await server.ended
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the built server on a free port and waits until it says where it is. */
async function start(env: Record<string, string>) {
  const { child, written, ended } = startWeir(['serve', '--json', '--port', '0'], { env })
  let over = false
  void ended.then(() => (over = true))
  await until(() => over || written.stdout.includes('"url"'), 30_000)
  const url = /"url":\s*"([^"]+)"/.exec(written.stdout)?.[1]
  if (!url) throw new Error(`weir serve did not start: ${written.stderr}`)
  return { child, ended, url }
}

function call(url: string, key: string, index: number, chance: () => number) {
  const kind = index % 20 === 19 ? 3 : index % 3
  const usage = [1 + Math.floor(chance() * 900), 1 + Math.floor(chance() * 900)] as const
  const seen: Seen = { request_id: '', ended: false, cost: usage[0] + usage[1] }
  const content = JSON.stringify([kind, ...usage, Math.floor(50 + chance() * 700)])
  const stream = kind !== 0
  const over = new Promise<void>((resolve) => {
    const request = httpRequest(`${url}/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    })
    request.on('error', () => resolve())
    request.on('response', (response) => {
      seen.request_id = String(response.headers['x-oneapi-request-id'] ?? '')
      let text = ''
      response.on('error', () => resolve())
      response.on('close', () => resolve())
      response.on('data', (run: Buffer) => {
        text += run.toString()
        if (stream && text.includes('data: [DONE]')) seen.ended = true
      })
      response.on('end', () => {
        if (response.complete && response.statusCode === 200 && !stream) seen.ended = true
      })
    })
    request.end(JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content }] }))
  })
  return { seen, over }
}

/** Asks the built command until the books are right and no hold is open. */
async function verified(env: Record<string, string>, since: number, problems: string[]): Promise<number> {
  for (;;) {
    const { code, stdout, stderr } = await weir(['call', 'quota.verify', '--json'], { env })
    if (code !== 0) {
      problems.push(`quota.verify ended with ${code}: ${stderr}`)
      return UNSEEN
    }
    const { ok, open_holds, faults } = JSON.parse(stdout) as { ok: boolean; open_holds: number; faults: unknown[] }
    const passed = Date.now() - since
    // A user's held sum may only differ for as long as there are holds to sweep.
    if (ok && open_holds === 0) return passed
    if (passed > SWEEP_MS) {
      problems.push(`after ${passed} ms: ${open_holds} holds open, faults ${JSON.stringify(faults)}`)
      return passed
    }
  }
}

async function logged(url: string, token_name: string): Promise<LogEntry[]> {
  const { client } = await asRoot(url)
  const rows: LogEntry[] = []
  for (let p = 1; ; p++) {
    const { items } = await client.logs.list({ token_name, p, page_size: 100 })
    rows.push(...items)
    if (items.length < 100) return rows
  }
}

async function asRoot(url: string): Promise<Visitor> {
  const root = createVisitor(url)
  await root.login('root', PASSWORD)
  return root
}

function compare(calls: Seen[], rows: LogEntry[], problems: string[]): void {
  const byId = new Map<string, LogEntry[]>()
  for (const row of rows) byId.set(row.request_id, [...(byId.get(row.request_id) ?? []), row])
  for (const [id, same] of byId) if (same.length > 1) problems.push(`${id} is logged ${same.length} times`)
  for (const { request_id, ended, cost } of calls) {
    const row = byId.get(request_id)?.[0]
    if (ended && !row) problems.push(`${request_id} was seen to end and is not logged`)
    if (ended && row && row.quota !== cost) problems.push(`${request_id} costs ${cost} and is logged with ${row.quota}`)
    if (!ended && row && row.quota !== 0 && row.quota !== cost) problems.push(`${request_id} is charged ${row.quota}`)
  }
}

/** A charge and its row are one transaction, so the rows explain every balance. */
async function balances(url: string, accounts: Account[], rows: LogEntry[], problems: string[]): Promise<void> {
  const { client } = await asRoot(url)
  for (const account of accounts) {
    for (const row of rows) if (row.user_id === account.id) account.due -= row.quota
    const user = await client.users.get({ id: account.id })
    if (user.quota !== account.due) problems.push(`${account.username} has ${user.quota} instead of ${account.due}`)
    if (user.quota + user.used_quota !== QUOTA) problems.push(`${account.username} has used ${user.used_quota}`)
  }
}
