// Several processes on one port: each worker is a complete server, and they share money and limits in the database.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/index.ts'
import { getPathPrefix } from './base-path.ts'

// Questions and answers between the primary process and each of its workers.

/** A question to a process. */
export type WorkerQuestion = 'metrics' | 'ready'

interface QuestionMessage {
  weir_question: WorkerQuestion
  id: number
}
interface AnswerMessage {
  weir_answer: number
  value: unknown
}

/** A `FetchWorker`, or the `process` of one. */
interface WorkerChannel {
  send?(message: QuestionMessage | AnswerMessage): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  isConnected?(): boolean
  connected?: boolean
}

/** Maximum wait for an answer, in ms. */
const ANSWER_TIMEOUT_MS = 3_000

export interface WorkerLine {
  /** Sends a question. Resolves to undefined if no answer arrives in time. */
  ask(question: WorkerQuestion): Promise<unknown>
}

export function createWorkerLine(
  channel: WorkerChannel,
  answer: (question: WorkerQuestion) => Promise<unknown>,
): WorkerLine {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  const send = (message: QuestionMessage | AnswerMessage) => {
    if (channel.isConnected?.() ?? channel.connected) channel.send?.(message)
  }
  channel.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return
    if ('weir_question' in message) {
      const { weir_question, id } = message as QuestionMessage
      void answer(weir_question).then(
        (value) => send({ weir_answer: id, value }),
        () => send({ weir_answer: id, value: undefined }),
      )
    } else if ('weir_answer' in message) {
      const { weir_answer, value } = message as AnswerMessage
      waiting.get(weir_answer)?.(value)
    }
  })
  return {
    ask: (weir_question) =>
      new Promise((resolve) => {
        const id = (last += 1)
        const finish = (value: unknown) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(value)
        }
        const timer = setTimeout(finish, ANSWER_TIMEOUT_MS, undefined)
        waiting.set(id, finish)
        send({ weir_question, id })
      }),
  }
}

/** True if this process is a worker. */
export const isWorker = cluster.isWorker

export interface WorkerGroup {
  url: string
  /** Sends a question to all workers and returns their answers. A busy worker may give none. */
  ask(question: WorkerQuestion): Promise<unknown[]>
  /** Resolves once every worker has finished its open calls. */
  close(): Promise<void>
}

/** Delay before a worker that died is replaced, in ms, so that a worker that always fails costs little. */
const REPLACE_MS = 1_000

/**
 * Starts `count` workers of this program on one port; resolves once all listen. Workers that die are replaced.
 * @throws Error if a worker ends before it listens; the worker has reported the reason
 */
export async function startWorkerProcesses(
  count: number,
  { base_path }: Pick<Config, 'base_path'>,
): Promise<WorkerGroup> {
  // The socket of the terminal is created in this process, for all workers.
  process.umask(process.umask() | 0o077)
  let closing = false
  const workers = new Set<Worker>()
  const serving = new WeakSet<Worker>()
  const lines = new Map<Worker, WorkerLine>()
  // A worker asks for the answers of all workers.
  const ask = async (question: WorkerQuestion) =>
    (await Promise.all([...lines.values()].map((line) => line.ask(question)))).filter((reply) => reply !== undefined)
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
        resolve(formatUrl(address, port))
      })
      worker.on('exit', (code) => reject(new Error(`A worker ended before it listened (${code}).`)))
    })
  }

  async function replace(): Promise<void> {
    await sleep(REPLACE_MS, undefined, { ref: false })
    // A worker that ends before it listens is also replaced. It has reported the reason.
    if (!closing) await add().catch(() => undefined)
  }

  async function close(): Promise<void> {
    closing = true
    await Promise.all(
      [...workers].map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.on('exit', () => resolve())
            // A worker that is still starting has nothing to finish; one that is disconnected already stops by itself.
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

/** Creates the stop signal of a worker: aborted on request, and when the primary process is gone. */
export function createWorkerStop(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.on('message', (message) => message === STOP && stop())
  process.on('disconnect', stop)
  process.on('SIGTERM', stop)
  // Ctrl+C reaches every process of a terminal. The primary process passes it on.
  process.on('SIGINT', () => undefined)
  return controller.signal
}

/** Disconnects a worker at its end, so that its process can exit. */
export const disconnectWorker = (): void => process.disconnect?.()

const formatUrl = (address: string | null, port: number): string => {
  const host = address ?? '127.0.0.1'
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
