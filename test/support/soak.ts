// Mixed calls through a built Weir, whose memory is watched from outside. Reads /proc, so it needs Linux.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount, setUp, startBuiltServer } from './built-server.ts'
import type { Visitor } from './server.ts'
import { createSoakAnswerer, sendSoakCall, soakCall } from './soak-calls.ts'
import { startUpstream } from './upstream.ts'

const MODEL = 'gpt-4o-mini'
const PLENTY = 1_000_000_000_000
/** More than this only wait for the machine: memory would show its other work. */
const MOST_AT_ONCE = 100
/** Requests that the provider has received are forgotten now and then. */
const REMEMBERED = 100
/** Connections that are kept for the next call are closed after some seconds without one. */
const PATIENCE_MS = 20_000

/** What the operating system says of the server's process. */
export interface Sample {
  /** Since the load began. */
  seconds: number
  resident_mib: number
  /** CPU time used so far, in seconds. */
  cpu_seconds: number
}

export interface SoakReport {
  samples: Sample[]
  /** Calls by how they ended for their callers. */
  ended: Record<string, number>
  /** What does not add up at the end; empty when all is well. */
  problems: string[]
}

interface Options {
  seconds: number
  /** Calls begun in a second, as long as the machine keeps up. */
  rate: number
  sample_seconds: number
  chance: () => number
  /** PostgreSQL; SQLite without. */
  database?: string
  each?(sample: Sample, ended: Record<string, number>): void
}

/** Runs the load for a while, waits for its end, and looks at what is left. */
export async function soak(options: Options): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-soak-'))
  const { database } = options
  const env = { WEIR_DATA: folder, LOG_LEVEL: 'error', ...(database ? { DATABASE_URL: database } : {}) }
  const upstream = await startUpstream()
  const answer = createSoakAnswerer()
  upstream.reply((received, turn) => {
    if (turn >= REMEMBERED) upstream.requests.length = 0
    return answer(received, turn)
  })
  const server = await startBuiltServer(env)
  const agent = new Agent({ keepAlive: true })
  try {
    const root = await setUp(env, server.url)
    for (const name of ['one', 'two'])
      await root.client.channels.create({ name, type: 1, key: 'k', base_url: upstream.url, models: MODEL })
    const account = await addAccount(root, server.url, 'ada', PLENTY)
    const token = await account.visitor.client.tokens.create({ name: 'soak', unlimited_quota: true })
    const door = { url: `${server.url}/v1/chat/completions`, key: `sk-${token.key}`, model: MODEL, agent }

    const ports = [server.url, upstream.url].map((url) => Number(new URL(url).port))
    const visitors = await connectionsAt(ports)
    const since = Math.floor(Date.now() / 1000)
    const { samples, ended } = await load(door, server.child.pid ?? 0, options)
    agent.destroy()
    const problems = Object.keys(ended).filter((end) => end.startsWith('wrong'))
    problems.push(...(await leftOver(root, ended, async () => (await connectionsAt(ports)) - visitors, since)))
    return { samples, ended, problems }
  } finally {
    agent.destroy()
    server.child.kill('SIGTERM')
    await server.ended
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function load(
  door: Parameters<typeof sendSoakCall>[0],
  pid: number,
  { seconds, rate, sample_seconds, chance, each }: Options,
): Promise<Pick<SoakReport, 'samples' | 'ended'>> {
  const samples: Sample[] = []
  const ended: SoakReport['ended'] = {}
  const calls = new Set<Promise<void>>()
  const started = Date.now()
  const passed = () => (Date.now() - started) / 1000
  let due = 0
  let begun = 0
  let nextSample = 0
  while (passed() < seconds) {
    for (; due < passed() * rate; due++) {
      if (calls.size >= MOST_AT_ONCE) continue
      const call = sendSoakCall(door, soakCall(begun++, chance))
        .then((end) => void (ended[end] = (ended[end] ?? 0) + 1))
        .finally(() => calls.delete(call))
      calls.add(call)
    }
    if (passed() >= nextSample) {
      const sample = { seconds: nextSample, ...(await processNow(pid)) }
      nextSample += sample_seconds
      samples.push(sample)
      each?.(sample, ended)
    }
    await sleep(5)
  }
  await Promise.all(calls)
  return { samples, ended }
}

/** Ticks of the system's clock in a second, on every Linux that Node runs on. */
const TICKS = 100

async function processNow(pid: number): Promise<Omit<Sample, 'seconds'>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const resident = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
  const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS
  return { resident_mib: Math.round(resident / 102.4) / 10, cpu_seconds: cpu }
}

/** Rows since then (epoch seconds), minute by minute: no list counts further than some thousands. */
async function logRows(client: Visitor['client'], since: number): Promise<number> {
  let rows = 0
  for (let start = since; start <= Date.now() / 1000; start += 60) {
    const minute = { start_timestamp: start, end_timestamp: start + 59 }
    rows += (await client.logs.list({ page_size: 1, username: 'ada', model_name: MODEL, ...minute })).total
  }
  return rows
}

/** Once all callers have gone: no connection of theirs, right books, a row for each call, nothing held. */
async function leftOver(
  { client }: Visitor,
  { whole = 0, left = 0 }: SoakReport['ended'],
  open: () => Promise<number>,
  since: number,
): Promise<string[]> {
  let connections = await open()
  for (const deadline = Date.now() + PATIENCE_MS; connections > 0 && Date.now() < deadline; await sleep(200))
    connections = await open()
  const { ok, open_holds, faults } = await client.quota.verify()
  const total = await logRows(client, since)
  return [
    ...(connections <= 0 ? [] : [`${connections} connections are left`]),
    ...(ok ? [] : [`the books are wrong: ${JSON.stringify(faults)}`]),
    ...(open_holds === 0 ? [] : [`${open_holds} holds are open`]),
    // Who left at once may never have asked.
    ...(total >= whole && total <= whole + left ? [] : [`${total} log rows for ${whole} calls and ${left} begun`]),
  ]
}

const LISTENING = '0A'
const TIME_WAIT = '06'

/** Connections of this machine that end at one of these ports, also those that only one side has closed. */
async function connectionsAt(ports: number[]): Promise<number> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1)
  return lines.filter((line) => {
    const [, local = '', , state = ''] = line.trim().split(/\s+/)
    const port = Number.parseInt(local.split(':')[1] ?? '', 16)
    return ports.includes(port) && state !== LISTENING && state !== TIME_WAIT
  }).length
}
