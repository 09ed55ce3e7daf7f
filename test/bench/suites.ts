// The loads for each target, and how one round of a load is measured.
import { setTimeout as sleep } from 'node:timers/promises'
import { usageOf, type Child, type Usage } from './processes.ts'
import type { Running, Target } from './targets.ts'
import {
  agentBody,
  chatBody,
  checkOnce,
  type Load,
  type LoadResult,
  MESSAGES_MODEL,
  MESSAGES_PATH,
  messagesBody,
  type World,
} from './world.ts'

export interface Suite {
  name: string
  title: string
  load: Load
  /** Content events that a right answer has; 0 for JSON. */
  events: number
  /** A fresh process for every round. */
  fresh?: boolean
  /** Another load on the same gateway at the same time. Its calls are not counted. */
  beside?: Load
}

/** One run of one target. */
export interface Run extends LoadResult {
  /** CPU of the gateway's processes for each call; of a held suite for each event. µs, 0 for the direct line. */
  cpu_us: number
  /** The most that was seen, in MiB. */
  resident_mb: number
  /** Held streams only: ms until the provider saw all of them gone, after the clients had left. */
  gone_ms: number
}

/** What one gap between two events of a held stream should be, in ms. */
export const HELD_GAP_MS = 500
export const OPEN_LOOP_RATE = 1000
/** Before anything counts: a gateway runs for days, and the engine needs many calls to know what is hot. */
export const WARM_SECONDS = 10

export const SLOW_RATE = 200
/** Small calls a second beside agents that leave the gateway no rest. */
const NEIGHBOUR_RATE = 50

export type SuiteName =
  | 'json'
  | 's50'
  | 's500'
  | 'big'
  | 'agent'
  | 'agent1m'
  | 'toMessages'
  | 'toChat'
  | 'neighbour'
  | 'rate'
  | 'slow'
  | 'held'

export function suites({ quick }: { quick: boolean }): Record<SuiteName, Suite> {
  const seconds = quick ? 1 : 3
  const held = quick ? 1000 : 5000
  const burst = (events: number): Load => ({
    mode: 'closed',
    connections: 32,
    seconds,
    body: chatBody(1024, `[[chunks=${events}]]`, true),
  })
  const agent = (body: string): Load => ({ mode: 'closed', connections: 16, seconds, body })
  const markers = '[[chunks=300]]'
  const json = chatBody(1024, '')
  const holding = chatBody(1024, `[[chunks=600]][[gap=${HELD_GAP_MS}]]`, true)
  return {
    json: {
      name: 'json',
      title: 'JSON, 1 KB in, 600 B out, 64 connections',
      load: { mode: 'closed', connections: 64, seconds, body: json },
      events: 0,
    },
    s50: { name: 's50', title: 'streams of 50 events in a burst, 32 connections', load: burst(50), events: 50 },
    s500: { name: 's500', title: 'streams of 500 events in a burst, 32 connections', load: burst(500), events: 500 },
    big: {
      name: 'big',
      title: 'JSON, 32 KB in, 8 KB out, 64 connections',
      load: { mode: 'closed', connections: 64, seconds, body: chatBody(32_768, '[[size=8192]]') },
      events: 0,
    },
    agent: {
      name: 'agent',
      title: "an agent's turn: 256 KB in, streams of 300 events, 16 connections",
      load: agent(agentBody(256 * 1024, markers)),
      events: 300,
    },
    agent1m: {
      name: 'agent1m',
      title: "an agent's long turn: 1 MB in, streams of 300 events, 16 connections",
      load: agent(agentBody(1024 * 1024, markers)),
      events: 300,
    },
    toMessages: {
      name: 'toMessages',
      title: "an agent's turn of 256 KB in chat completions, for a provider of messages",
      load: agent(agentBody(256 * 1024, markers, MESSAGES_MODEL)),
      events: 300,
    },
    toChat: {
      name: 'toChat',
      title: "an agent's turn of 256 KB in messages, for a provider of chat completions",
      load: { ...agent(messagesBody(256 * 1024, markers)), path: MESSAGES_PATH },
      events: 300,
    },
    neighbour: {
      name: 'neighbour',
      title: `JSON, ${NEIGHBOUR_RATE} requests a second, beside 16 connections with 1 MB each`,
      load: { mode: 'rate', connections: 16, rate: NEIGHBOUR_RATE, seconds: seconds * 2, body: json },
      beside: { ...agent(agentBody(1024 * 1024, markers)), seconds: seconds * 2 + 1 },
      events: 0,
    },
    rate: {
      name: 'rate',
      title: `JSON, ${OPEN_LOOP_RATE} requests a second, open loop`,
      load: { mode: 'rate', connections: 64, rate: OPEN_LOOP_RATE, seconds: seconds * 2, body: json },
      events: 0,
    },
    slow: {
      name: 'slow',
      title: `JSON, ${SLOW_RATE} requests a second, open loop`,
      load: { mode: 'rate', connections: 64, rate: SLOW_RATE, seconds: seconds * 2, body: json },
      events: 0,
    },
    held: {
      name: 'held',
      title: `${held} held streams, an event each ${HELD_GAP_MS} ms`,
      load: { mode: 'streams', connections: held, rate: held / 4, seconds: quick ? 8 : 15, body: holding },
      events: -1,
      fresh: true,
    },
  }
}

/**
 * Runs every target in turn, round after round, so that all see the same quarters of an hour. The runs of targets with one name
 * count as one.
 */
export async function measure(
  world: World,
  suite: Suite,
  targets: Target[],
  { rounds, cores }: { rounds: number; cores?: string },
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(targets.map(({ name }) => [name, []]))
  const open = new Map<Target, Running>()
  try {
    if (!suite.fresh) for (const target of targets) open.set(target, await begun(world, suite, target, cores))
    // What was warm first has rested since, while others became it: the first round does not count.
    for (let round = suite.fresh ? 1 : 0; round <= rounds; round++) {
      for (const target of targets) {
        const running = open.get(target) ?? (await begun(world, suite, target, cores))
        const run = await once(world, suite, running, cores)
        if (round > 0) runs.get(target.name)?.push(run)
        if (suite.fresh) await stop(running)
        process.stderr.write(`${suite.name} ${round}/${rounds} ${target.name}: ${shown(suite, run)}\n`)
      }
    }
  } finally {
    for (const running of open.values()) await stop(running)
  }
  return runs
}

/** Started; warm where calls are counted one by one. */
async function begun(world: World, suite: Suite, target: Target, cores?: string): Promise<Running> {
  const running = await target.open()
  const { load, events, beside } = suite
  if (load.mode === 'streams') return running
  if (events >= 0) await checked(target.name, () => checkOnce(running.address, load, events))
  await loaded(world, { ...(beside ?? load), seconds: WARM_SECONDS }, running, cores)
  return running
}

async function checked(name: string, check: () => Promise<void>): Promise<void> {
  await check().catch((error: unknown) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  })
}

const childrenOf = ({ child, beside = [] }: Running): Child[] => [
  ...(child ? [child] : []),
  ...beside.map((other) => other.child),
]

async function stop(running: Running): Promise<void> {
  for (const child of childrenOf(running)) await child.stop()
}

/** One load, in equal parts where several gateways stand side by side. */
async function loaded(
  world: World,
  load: Load,
  { address, beside = [] }: Running,
  cores?: string,
): Promise<LoadResult> {
  const addresses = [address, ...beside.map((other) => other.address)]
  const part = { ...load, connections: load.connections / addresses.length }
  const [first, ...others] = await Promise.all(addresses.map((each) => world.load(part, each, cores)))
  if (!first) throw new Error('no gateway stands there')
  return others.reduce(
    (sum, each) => ({
      ...sum,
      calls: sum.calls + each.calls,
      calls_s: sum.calls_s + each.calls_s,
      lost: sum.lost + each.lost,
      p50_ms: Math.max(sum.p50_ms, each.p50_ms),
      p99_ms: Math.max(sum.p99_ms, each.p99_ms),
    }),
    first,
  )
}

async function once(world: World, suite: Suite, running: Running, cores?: string): Promise<Run> {
  const children = childrenOf(running)
  const used = (field: keyof Usage) => children.reduce((sum, { pid }) => sum + usageOf(pid)[field], 0)
  const before = used('cpu_us')
  let resident_mb = 0
  const look = () => {
    resident_mb = Math.max(resident_mb, used('resident_mb'))
  }
  const looking = setInterval(look, 500)
  const beside = suite.beside && loaded(world, suite.beside, running, cores)
  const result = await loaded(world, suite.load, running, cores).finally(() => clearInterval(looking))
  await beside
  look()
  const left = Date.now()
  const spent = used('cpu_us') - before
  const units = suite.load.mode === 'streams' ? result.events : result.calls
  const gone_ms = suite.load.mode === 'streams' ? await allGone(world, left) : 0
  return { ...result, cpu_us: units > 0 ? spent / units : 0, resident_mb, gone_ms }
}

/** How long the provider still sees streams after `left`. */
async function allGone({ provider }: World, left: number): Promise<number> {
  for (;;) {
    const { open } = await provider.stats()
    const ms = Date.now() - left
    if (open === 0 || ms > 15_000) return ms
    await sleep(10)
  }
}

const shown = ({ load }: Suite, run: Run): string =>
  load.mode === 'streams'
    ? `${run.opened} streams, ${run.events} events, largest gap ${run.gap_max_ms} ms, ${Math.round(run.resident_mb)} MiB`
    : `${run.calls_s}/s, p50 ${run.p50_ms} ms, ${Math.round(run.cpu_us)} µs CPU, ${run.lost} lost`
