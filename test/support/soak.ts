// Mixed calls through a built Weir, whose memory is watched from outside. Reads /proc, so it needs Linux.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount, setUp, startBuiltServer } from './built-server.ts'
import type { Visitor } from './server.ts'
import { createSoakAnswerer, sendSoakCall, soakCall } from './soak-calls.ts'
import { processNow, type ProcessNow } from './soak-process.ts'
import { startWatchers } from './soak-watchers.ts'
import { startUpstream } from './upstream.ts'

const MODEL = 'gpt-4o-mini'
const PLENTY = 1_000_000_000_000
/** More seconds of calls than this only wait for the machine: memory would show its other work. */
const MOST_SECONDS_AT_ONCE = 4
/** One call in so many seconds writes an answer of some megabytes. */
const LONG_EACH_SECONDS = 4
/** Requests that the provider has received are forgotten now and then. */
const REMEMBERED = 100
/** Connections that are kept for the next call are closed after some seconds without one. */
const PATIENCE_MS = 20_000

export interface Sample extends ProcessNow {
  /** Since the load began. */
  seconds: number
}

export interface SoakReport {
  samples: Sample[]
  /** Calls by how they ended for their callers. */
  ended: Record<string, number>
  /** What does not add up at the end; empty when all is well. */
  problems: string[]
  /** What metrics, traces and retention came to, when they were on. */
  watched?: Record<string, number>
}

interface Options {
  seconds: number
  /** Calls begun in a second, as long as the machine keeps up. */
  rate: number
  sample_seconds: number
  chance: () => number
  /** PostgreSQL; SQLite without. */
  database?: string
  /** Metrics scraped, traces sampled at a tenth, access lines, and a log of which each second as many rows expire as come. */
  watched?: boolean
  each?(sample: Sample, ended: Record<string, number>): void
}

/** Runs the load for a while, waits for its end, and looks at what is left. */
export async function soak(options: Options): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-soak-'))
  const { database } = options
  const watchers = options.watched ? await startWatchers(folder) : undefined
  const env = {
    WEIR_DATA: folder,
    LOG_LEVEL: 'error',
    ...(database ? { DATABASE_URL: database } : {}),
    ...watchers?.env,
  }
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
    await watchers?.begin(root.client, options, database)
    const since = Math.floor(Date.now() / 1000)
    const { samples, ended } = await load(door, { pid: server.child.pid ?? 0, folder }, options)
    agent.destroy()
    const problems = Object.keys(ended).filter((end) => end.startsWith('wrong'))
    problems.push(...(await leftOver(root, ended, async () => (await connectionsAt(ports)) - visitors, since)))
    problems.push(...(watchers?.missed(options.seconds) ?? []))
    const watched = watchers?.sums()
    return { samples, ended, problems, ...(watched ? { watched } : {}) }
  } finally {
    agent.destroy()
    server.child.kill('SIGTERM')
    await server.ended
    await upstream.close()
    await watchers?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function load(
  door: Parameters<typeof sendSoakCall>[0],
  server: { pid: number; folder: string },
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
      if (calls.size >= rate * MOST_SECONDS_AT_ONCE) continue
      const call = sendSoakCall(door, soakCall(begun++, chance, rate * LONG_EACH_SECONDS))
        .then((end) => void (ended[end] = (ended[end] ?? 0) + 1))
        .finally(() => calls.delete(call))
      calls.add(call)
    }
    if (passed() >= nextSample) {
      const sample = { seconds: nextSample, ...(await processNow(server)) }
      nextSample += sample_seconds
      samples.push(sample)
      each?.(sample, ended)
    }
    await sleep(5)
  }
  await Promise.all(calls)
  return { samples, ended }
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
