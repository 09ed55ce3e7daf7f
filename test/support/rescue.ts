// Calls through three channels of which two are broken: a built Weir has to answer each of them, and to charge it once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { addAccount, asRoot, logged, setUp, startBuiltServer } from './built-server.ts'
import { ask, broken, healthy, MODEL, nameOf, priceOf, rescueCall, wrongWith, type RescueCall } from './rescue-calls.ts'
import { startUpstream, type TestUpstream } from './upstream.ts'

const QUOTA = 1_000_000_000
const AT_ONCE = 30
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'
/** Broken channels that say nothing are given up after a second; the healthy one may be as slow as the machine. */
const setting = JSON.stringify({ first_content_timeout_seconds: 1, idle_timeout_seconds: 1 })

export interface RescueReport {
  /** Calls that were answered whole. */
  answered: number
  /** Attempts that met a broken channel. */
  broken: number
  /** What does not add up; empty when all is well. */
  problems: string[]
}

/**
 * Two fifths of the calls while one of the broken channels refuses connections, two while both misbehave in turn, and the
 * last fifth while channels that fail cool down. `chance` gives numbers from 0 to 1.
 */
export async function rescue(count: number, chance: () => number, database?: string): Promise<RescueReport> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-rescue-'))
  const env = { WEIR_DATA: folder, LOG_LEVEL: 'error', ...(database ? { DATABASE_URL: database } : {}) }
  const [well, ill] = await Promise.all([startUpstream(), startUpstream()])
  well.reply(healthy)
  const cut = new Set<string>()
  ill.reply(broken(chance, cut))
  const server = await startBuiltServer(env)
  try {
    const root = await setUp(env, server.url)
    const { client } = root
    const set = (key: string, value: string) => client.settings.update({ key, value })
    const prices = JSON.stringify({ [MODEL]: 1 })
    await set('ModelRatio', prices)
    await set('CompletionRatio', prices)
    const channel = (fields: object) =>
      client.channels.create({ name: 'c', type: 1, key: 'k', models: MODEL, ...fields })
    await channel({ base_url: well.url })
    await channel({ base_url: `${ill.url}/one`, setting })
    const [refusing] = await channel({ base_url: NOWHERE, setting })
    const { id, visitor } = await addAccount(root, server.url, 'ada', QUOTA)
    const token = await visitor.client.tokens.create({ name: 'rescue', unlimited_quota: true })

    const problems: string[] = []
    const answered = new Map<string, RescueCall>()
    const calls = Array.from({ length: count }, (_, index) => rescueCall(index, chance))
    const play = (from: number, to: number) =>
      someAtOnce(calls.slice(Math.round(count * from), Math.round(count * to)), async (call) => {
        const answer = await ask(server.url, `sk-${token.key}`, call)
        const problem = wrongWith(answer, call)
        if (problem) problems.push(`call ${call.id}: ${problem}`)
        else answered.set(String(answer.headers['x-oneapi-request-id']), call)
      })
    await set('channels.cooldown_failures', '0')
    await play(0, 0.4)
    await client.channels.update({ id: refusing?.id ?? 0, base_url: `${ill.url}/two`, key: 'k' })
    await play(0.4, 0.8)
    await set('channels.cooldown_failures', '3')
    await play(0.8, 1)

    const rows = await logged((await asRoot(server.url)).client, 'rescue')
    const { quota } = await client.users.get({ id })
    const { ok, open_holds, faults } = await client.quota.verify()
    problems.push(...askedTwice(well, cut), ...askedTwice(ill, cut), ...wrongRows(rows, answered))
    if (rows.length !== count) problems.push(`${rows.length} log rows for ${count} calls`)
    const paid = rows.reduce((sum, row) => sum + row.quota, 0)
    if (quota !== QUOTA - paid) problems.push(`${quota} is left, but ${paid} of ${QUOTA} was charged`)
    if (!ok) problems.push(`the books are wrong: ${JSON.stringify(faults)}`)
    if (open_holds > 0) problems.push(`${open_holds} holds are open`)
    return { answered: answered.size, broken: sum(rows.map(attempts)) - rows.length, problems }
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    await Promise.all([well.close(), ill.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function someAtOnce<T>(list: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = list.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** No channel may be asked for the same call again, but once where its connection ended before the head. */
function askedTwice({ requests }: TestUpstream, cut: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  const forgiven = new Set(cut)
  return requests.flatMap(({ path, json }) => {
    const name = nameOf(path, json)
    if (seen.has(name) && !forgiven.delete(name)) return [`call ${name} was asked for twice`]
    seen.add(name)
    return []
  })
}

/** Every answered call has one row with its price. */
function wrongRows(rows: LogEntry[], answered: Map<string, RescueCall>): string[] {
  const open = new Map(answered)
  const problems = rows.flatMap(({ request_id, quota }) => {
    const call = open.get(request_id)
    if (!call) return [`${request_id} is logged, but nobody waits for its row`]
    open.delete(request_id)
    return quota === priceOf(call) ? [] : [`call ${call.id} costs ${priceOf(call)} and is charged ${quota}`]
  })
  return [...problems, ...[...open.values()].map(({ id }) => `call ${id} is not logged`)]
}

const attempts = ({ other }: LogEntry): number =>
  (JSON.parse(other) as { admin_info: { use_channel: string[] } }).admin_info.use_channel.length

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
