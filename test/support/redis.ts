// A Redis of its own, where one is installed: it is no part of the packages.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const PATIENCE_MS = 10_000

/** The server's program, Redis' or Valkey's; undefined where neither is there. */
export const redisProgram = ['redis-server', 'valkey-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

export interface RedisServer {
  url: string
  /** Again, empty, at the same place. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Ends it, and waits for that. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(Boolean(socket.destroy())))
      socket.on('error', () => resolve(false))
    })

  async function start(): Promise<void> {
    const given = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    server = spawn(redisProgram ?? '', given, { stdio: 'ignore' })
    for (const until = Date.now() + PATIENCE_MS; !(await answers()); await sleep(20))
      if (Date.now() > until) throw new Error('Redis does not answer')
  }
  async function stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server.kill(signal)
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    signal: (signal) => void server?.kill(signal),
    stop,
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
