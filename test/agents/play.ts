// Runs one agent on one kind of channel: it reads a file, writes the content into another and reports it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Json } from '../support/json.ts'
import { binary } from '../support/terminal.ts'
import { callThenAnswer, type Asked, type Script } from '../vendors/script.ts'
import type { Vendor, VendorUsage } from '../vendors/vendor.ts'
import { pathFor } from './install.ts'
import { jsonLines, sum, type Agent, type Place, type Reported } from './agent.ts'
import type { Kind } from './kinds.data.ts'
import type { World } from './world.ts'

/** How long an agent may take, in ms. */
const PATIENCE_MS = 120_000

/** What came of a run. Every list of faults is empty where all is well. */
export interface Played {
  agent: Agent
  kind: Kind
  faults: string[]
  /** Answers to prompts that the vendor gave. */
  answers: number
  reported?: Reported
  seconds: number
  /** What `weir run` said at its end. */
  told?: RunReport
}

interface RunReport {
  token: string
  quota: number
  quota_usd: number
  calls: number | null
  prompt_tokens: number | null
  completion_tokens: number | null
}

/** `led`: through `weir run`. */
export async function play(world: World, agent: Agent, kind: Kind, command: string, led: boolean): Promise<Played> {
  const started = Date.now()
  const room = await mkdtemp(join(tmpdir(), 'weir-agent-'))
  const secret = String(Math.floor(Math.random() * 9e8) + 1e8)
  const vendor = world.vendors[kind.name] as Vendor
  const { key, rows, paid } = await world.addToken()
  const folders = { home: join(room, 'home'), work: join(room, 'work') }
  const place: Place = { url: world.url, key, model: kind.model, ...folders, led }
  await Promise.all([place.home, place.work].map((folder) => mkdir(folder)))
  await writeFile(join(place.work, 'notes.txt'), `The number is ${secret}.\n`)
  vendor.forget()
  vendor.follow(scriptFor(agent, place.work))
  const faults: string[] = []
  let reported: Reported | undefined
  let told: RunReport | undefined
  try {
    const prompt = 'Read notes.txt, write the number in it into answer.txt, and tell me the number.'
    const { stdout, stderr } = await run(command, agent, place, prompt, world.data)
    if (led) told = jsonLines(stderr).findLast(({ token }) => token !== undefined) as RunReport | undefined
    const said = agent.heard(stdout, place.home)
    reported = said.reported
    if (!said.text.includes(secret)) faults.push(`its last words are ${JSON.stringify(said.text)}`)
  } catch (error) {
    faults.push((error as Error).message)
  }
  const written = await readFile(join(place.work, 'answer.txt'), 'utf8').catch(() => undefined)
  if (written?.trim() !== secret) faults.push(`answer.txt holds ${JSON.stringify(written)}`)
  const lent = told && (await world.lent(told.token))
  faults.push(
    ...refusalsOf(vendor),
    ...booksOf(lent?.rows ?? (await rows()), vendor, reported, told?.quota ?? (await paid())),
    ...(lent && told ? runFaults(lent, told) : led ? ['weir run told no cost'] : []),
  )
  await rm(room, { recursive: true, force: true })
  const seconds = Math.round((Date.now() - started) / 1000)
  return {
    agent,
    kind,
    faults,
    answers: vendor.heard.filter(({ usage }) => usage).length,
    seconds,
    ...(reported ? { reported } : {}),
    ...(told ? { told } : {}),
  }
}

/** Reads, writes what the result says, and says it: the number is known only from the results. */
function scriptFor(agent: Agent, work: string): Script {
  const number = ({ results }: Asked) => /The number is (\d+)/.exec(results.join('\n'))?.[1] ?? 'not to be found'
  return callThenAnswer(
    [
      (asked) => agent.read(asked, join(work, 'notes.txt')),
      (asked) => agent.write(asked, join(work, 'answer.txt'), number(asked)),
    ],
    (asked) => {
      const words = { text: `The number in notes.txt is ${number(asked)}.`, thought: 'Both files are done.' }
      return agent.finish ? { ...words, calls: [agent.finish(words.text)] } : words
    },
  )
}

function runFaults({ rows, gone }: { rows: LogEntry[]; gone: boolean }, { token, calls, quota }: RunReport): string[] {
  const made = rows.filter(({ type }) => type === 2).length
  return [
    ...(gone ? [] : [`its token "${token}" is still there`]),
    ...(calls === made ? [] : [`weir run tells ${calls} calls, the log ${made}`]),
    ...(quota > 0 ? [] : ['weir run tells no cost']),
  ]
}

/** What the agent printed. @throws Error with its complaint where it failed or took too long */
async function run(command: string, agent: Agent, place: Place, prompt: string, data: string) {
  const { args, env = {}, files = {} } = agent.start(place, prompt)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.home, path)), { recursive: true })
    await writeFile(join(place.home, path), text)
  }
  const lend = [binary, 'run', '--json', '--budget', '$50', '--model', place.model, '--', command]
  const [program, given] = place.led ? [process.execPath, [...lend, ...args]] : [command, args]
  const child = spawn(program, given, {
    cwd: place.work,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the caller's own is seen.
    env: { PATH: pathFor(command), HOME: place.home, TERM: 'dumb', ...(place.led ? { WEIR_DATA: data } : {}), ...env },
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (written[name] += chunk.toString()))
  let late = false
  const timer = setTimeout(() => {
    late = true
    // With all that it has started.
    process.kill(-(child.pid as number), 'SIGKILL')
  }, PATIENCE_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  if (process.env.WEIR_AGENTS_SHOW) process.stderr.write(`${written.stdout}\n${written.stderr}\n`)
  if (late)
    throw new Error(`it was not done after ${PATIENCE_MS / 1000} s: ${(written.stdout + written.stderr).slice(-500)}`)
  if (code !== 0) throw new Error(`it ended with ${code}: ${(written.stderr + written.stdout).trim().slice(-700)}`)
  return written
}

const refusalsOf = ({ heard }: Vendor): string[] =>
  heard.flatMap(({ request, refusal }) => (refusal ? [`the vendor refused ${request.path}: ${refusal.message}`] : []))

/** The log says what the vendor counted, the agent what the log says, and the user paid what the log charges. */
function booksOf(rows: readonly LogEntry[], { heard }: Vendor, reported: Reported | undefined, paid: number): string[] {
  const faults = rows.filter(({ type }) => type !== 2).map(({ content }) => `the log has an error: ${content}`)
  const calls = rows.filter(({ type }) => type === 2)
  const counted = heard.flatMap(({ usage }) => (usage ? [usage] : []))
  const vendorSaid = totalOf(counted)
  const log = totalOf(calls.map(usageOf))
  if (calls.length !== counted.length) faults.push(`${calls.length} log rows for ${counted.length} answers`)
  if (!same(log, vendorSaid)) faults.push(`the log counts ${shown(log)}, the vendor ${shown(vendorSaid)}`)
  if (reported && !same(reported, log))
    faults.push(`the agent reports ${shown(reported)}, the log counts ${shown(log)}`)
  const charged = sum(calls.map(({ quota }) => quota))
  if (charged !== paid) faults.push(`the log charges ${charged}, ${paid} were paid`)
  if (charged === 0) faults.push('nothing was charged')
  return faults
}

const totalOf = (usages: readonly VendorUsage[]): Reported => ({
  prompt: sum(usages.map(({ prompt }) => prompt)),
  cached: sum(usages.map(({ cache_read }) => cache_read)),
  completion: sum(usages.map(({ completion }) => completion)),
})

/** Of a row whose model is Claude's, the prompt stands without what the cache did. */
export function usageOf({ prompt_tokens, completion_tokens, other }: LogEntry): VendorUsage {
  const { claude, cache_tokens = 0, cache_creation_tokens = 0 } = JSON.parse(other || '{}') as Json
  const beside = claude ? cache_tokens + cache_creation_tokens : 0
  return {
    prompt: prompt_tokens + beside,
    cache_read: cache_tokens,
    cache_write: cache_creation_tokens,
    completion: completion_tokens,
    reasoning: 0,
  }
}

const same = (one: Reported, other: Reported): boolean =>
  one.prompt === other.prompt && one.cached === other.cached && one.completion === other.completion

const shown = ({ prompt, cached, completion }: Reported): string => `${prompt} (${cached} cached) + ${completion}`
