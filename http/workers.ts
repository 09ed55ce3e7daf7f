// Several processes on one port: each worker is a whole server, and money and limits meet in the database.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/index.ts'
import { getPathPrefix } from './base-path.ts'
import { createWorkerLine, type Question, type WorkerLine } from './worker-line.ts'

/** Is this process one of several that another one started? */
export const isWorker = cluster.isWorker

export interface Workers {
  url: string
  /** What each worker answers; those that are busy with themselves answer nothing. */
  ask(question: Question): Promise<unknown[]>
  /** Resolves once every worker has finished its open calls. */
  close(): Promise<void>
}

/** A worker that died is replaced after this long, in ms, so that one that cannot live costs little. */
const REPLACE_MS = 1_000

/**
 * Starts this very program so many times more, all on one port; resolves when each listens. The dead are replaced.
 * @throws Error when one ends before it listens; it has said why
 */
export async function startWorkers(count: number, { base_path }: Pick<Config, 'base_path'>): Promise<Workers> {
  // The socket of the terminal is made here, for all of them.
  process.umask(process.umask() | 0o077)
  let closing = false
  const workers = new Set<Worker>()
  const serving = new WeakSet<Worker>()
  const lines = new Map<Worker, WorkerLine>()
  // A worker asks for what all of them have to say.
  const ask = async (question: Question) =>
    (await Promise.all([...lines.values()].map((line) => line.ask(question)))).filter((said) => said !== undefined)
  process.on('exit', () => workers.forEach((worker) => worker.process.kill('SIGKILL')))

  function add(): Promise<string> {
    const worker = cluster.fork()
    workers.add(worker)
    lines.set(worker, createWorkerLine(worker, ask))
    worker.on('exit', () => {
      workers.delete(worker)
      lines.delete(worker)
      if (!closing) void replace()
    })
    return new Promise((resolve, reject) => {
      worker.on('listening', ({ address, port }) => {
        serving.add(worker)
        resolve(urlOf(address, port))
      })
      worker.on('exit', (code) => reject(new Error(`A worker ended before it listened (${code}).`)))
    })
  }

  async function replace(): Promise<void> {
    await sleep(REPLACE_MS, undefined, { ref: false })
    // One that ends before it listens is replaced, too; it has said why.
    if (!closing) await add().catch(() => undefined)
  }

  async function close(): Promise<void> {
    closing = true
    await Promise.all(
      [...workers].map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.on('exit', () => resolve())
            // One that is still starting has nothing to finish; one that is going already cannot be told.
            if (!serving.has(worker)) worker.process.kill('SIGKILL')
            else if (worker.isConnected()) worker.send(STOP)
          }),
      ),
    )
  }

  try {
    const urls = await Promise.all(Array.from({ length: count }, add))
    return { url: (urls[0] ?? '') + getPathPrefix({ basePath: base_path }), ask, close }
  } catch (error) {
    await close()
    throw error
  }
}

const STOP = 'stop'

/** In a worker: aborted when it is told to stop, or nobody is left to tell it. */
export function dismissal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.on('message', (message) => message === STOP && stop())
  process.on('disconnect', stop)
  process.on('SIGTERM', stop)
  // Ctrl+C reaches every process of a terminal; the one that started this one passes it on.
  process.on('SIGINT', () => undefined)
  return controller.signal
}

/** In a worker, at its end: lets the process go. */
export const leave = (): void => process.disconnect?.()

const urlOf = (address: string | null, port: number): string => {
  const host = address ?? '127.0.0.1'
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
