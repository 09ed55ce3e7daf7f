// Child processes of a benchmark: pinned to a core, known by pid, measured through /proc, and ended whatever happens.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The gateway has core 0 to itself; what plays the world around it runs on core 1. */
export const GATEWAY_CORE = '0'
export const WORLD_CORE = '1'
export const BOTH_CORES = '0,1'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const PAGE_BYTES = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))
const STOP_MS = 25_000

export interface Child {
  pid: number
  /** What it wrote to its error output, at most the last part. */
  complaints(): string
  /** Resolves with its exit code once it has ended. */
  ended: Promise<number | null>
  /** Asks it to end and waits; kills it if it does not. */
  stop(): Promise<void>
}

const children = new Set<ChildProcess>()
const cleanups: (() => Promise<void>)[] = []

/** Runs a program on `cores` (as `taskset -c` takes them). */
export function start(
  cores: string,
  [command, ...parameters]: string[],
  { env, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Child {
  const pinned = cores !== '' && availableParallelism() > 1
  const whole = pinned ? ['taskset', '-c', cores, command ?? ''] : [command ?? '']
  const child = spawn(whole[0] ?? '', [...whole.slice(1), ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd ? { cwd } : {}),
  })
  children.add(child)
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-4000)))
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said += String(error)
      children.delete(child)
      resolve(null)
    })
    child.on('exit', (code) => {
      children.delete(child)
      resolve(code)
    })
  })
  return {
    pid: child.pid ?? 0,
    complaints: () => said,
    ended,
    async stop() {
      if (!children.has(child)) return
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(killer)
    },
  }
}

/** Runs a program to its end and gives what it printed. */
export async function output(cores: string, command: string[], env: Record<string, string> = {}): Promise<string> {
  const [name, ...parameters] = availableParallelism() > 1 ? ['taskset', '-c', cores, ...command] : command
  const child = spawn(name ?? '', parameters, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  children.add(child)
  let text = ''
  child.stdout.on('data', (run: Buffer) => (text += run.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  children.delete(child)
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}`)
  return text
}

/** Something to undo at the very end, last first. */
export const finallyDo = (cleanup: () => Promise<void>): void => void cleanups.unshift(cleanup)

/** A folder that is gone afterwards. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `weir-bench-${name}-`))
  finallyDo(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Ends everything that was started, by its id. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGTERM')
  for (const until = Date.now() + 3000; children.size > 0 && Date.now() < until;) await sleep(20)
  for (const child of children) child.kill('SIGKILL')
  for (const cleanup of cleanups.splice(0)) await cleanup().catch(() => undefined)
}

/** Runs `work`; Ctrl-C and failures, which it reports, clean up too. */
export async function guarded(work: () => Promise<void>): Promise<void> {
  const interrupted = () => {
    process.stderr.write('\nStopping…\n')
    void cleanUp().then(() => process.exit(130))
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    await cleanUp()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
  // What failed may have left a gateway open in this process.
  if (process.exitCode) process.exit()
}

/** Waits until something listens; says why if the process ends before. */
export async function listening(port: number, child: Child, ms = 60_000): Promise<void> {
  let code: number | null | undefined
  void child.ended.then((ended) => (code = ended))
  for (const until = Date.now() + ms; Date.now() < until; await sleep(50)) {
    if (code !== undefined) throw new Error(`it ended with ${code}: ${child.complaints().trim()}`)
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return
  }
  throw new Error(`nothing listens on port ${port} after ${ms / 1000} s: ${child.complaints().trim()}`)
}

export const isInstalled = (command: string): boolean => spawnSync('which', [command]).status === 0

export interface Usage {
  /** CPU time so far, in µs. */
  cpu_us: number
  /** Resident memory, in MiB. */
  resident_mb: number
}

/** What a process and its children have used. */
export function usageOf(pid: number): Usage {
  const stats = new Map<number, string[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name in brackets may hold spaces; what follows it does not.
      stats.set(Number(name), text.slice(text.lastIndexOf(')') + 2).split(' '))
    } catch {
      // It ended meanwhile.
    }
  }
  const tree = new Set([pid])
  for (let grown = true; grown;) {
    grown = false
    for (const [id, fields] of stats) {
      if (!tree.has(id) && tree.has(Number(fields[1]))) grown = Boolean(tree.add(id))
    }
  }
  let ticks = 0
  let pages = 0
  for (const id of tree) {
    const fields = stats.get(id)
    ticks += Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)
    pages += Number(fields?.[21] ?? 0)
  }
  return { cpu_us: (ticks / TICKS_PER_SECOND) * 1e6, resident_mb: (pages * PAGE_BYTES) / 2 ** 20 }
}
