// Exact token counts in a separate thread, which starts on first use and stops when idle.
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { estimateTextTokens } from '../dialects/requests/head.ts'
import type { TokenizerEncoding, Tokenizer } from '../ports/tokenizer.ts'

// The program of the counting thread, as text, so that it runs the same from the build and from source.

/** Maximum characters of a run without a break: longer ones would take quadratic time. */
const SLICE = 4096

/**
 * Receives `{ id, texts, encoding }`, and answers `{ id, tokens }`. An encoder's table is loaded on first use.
 * `workerData.modules` names the file of each.
 */
export const threadProgram = `
const { parentPort, workerData } = require('node:worker_threads')
const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() }
parentPort.on('message', ({ id, texts, encoding }) => {
  const { countTokens } = require(workerData.modules[encoding])
  let tokens = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += ${SLICE}) tokens += countTokens(text.slice(at, at + ${SLICE}), plain)
  }
  parentPort.postMessage({ id, tokens })
})
`

/** Of longer texts, this many characters are counted, and the rest is extrapolated. */
const MAX_COUNTED = 1_000_000
/** Maximum number of waiting counts. Further ones are estimated. */
const MAX_WAITING = 64
/** Timeout of a count, in ms. The thread is stopped with it. */
const PATIENCE_MS = 3_000
/** Idle time after which the thread is stopped to free its memory, in ms. */
const REST_MS = 60_000

interface Waiting {
  resolve(tokens: number): void
  estimate: number
  timer: NodeJS.Timeout
}

const estimateTokens = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + estimateTextTokens(text), 0))

/** Returns the files of the encoders' tables. */
function modules(): Record<TokenizerEncoding, string> {
  const { resolve } = createRequire(import.meta.url)
  return {
    o200k_base: resolve('gpt-tokenizer/cjs/encoding/o200k_base'),
    cl100k_base: resolve('gpt-tokenizer/cjs/encoding/cl100k_base'),
  }
}

export function createTokenizer({ patience_ms = PATIENCE_MS, rest_ms = REST_MS } = {}): Tokenizer {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let resting: NodeJS.Timeout | undefined
  let last = 0

  function start(): Worker {
    // Without this process's module loaders: the program is plain JavaScript.
    const started = new Worker(threadProgram, { eval: true, workerData: { modules: modules() }, execArgv: [] })
    started.unref()
    started.on('message', ({ id, tokens }: { id: number; tokens: number }) => answer(id, tokens))
    const giveUp = () => {
      if (thread === started) stop()
    }
    started.on('error', giveUp)
    started.on('exit', giveUp)
    return started
  }

  function answer(id: number, tokens?: number): void {
    const request = waiting.get(id)
    if (!request) return
    waiting.delete(id)
    clearTimeout(request.timer)
    request.resolve(tokens ?? request.estimate)
    if (waiting.size > 0) return
    clearTimeout(resting)
    resting = setTimeout(() => void stop(), rest_ms)
    resting.unref()
  }

  /** Stops the thread. Waiting counts are estimated. */
  function stop(): Promise<unknown> {
    const ended = thread
    thread = undefined
    clearTimeout(resting)
    for (const id of [...waiting.keys()]) answer(id)
    clearTimeout(resting)
    return ended?.terminate() ?? Promise.resolve()
  }

  return {
    async count(texts, encoding) {
      const { counted, factor } = limitTexts(texts)
      const estimate = estimateTokens(counted)
      if (waiting.size >= MAX_WAITING) return Math.ceil(estimate * factor)
      clearTimeout(resting)
      const tokens = await new Promise<number>((resolve) => {
        const id = ++last
        const timer = setTimeout(() => void stop(), patience_ms)
        waiting.set(id, { resolve, estimate, timer })
        try {
          thread ??= start()
          thread.postMessage({ id, texts: counted, encoding })
        } catch {
          answer(id) // No thread could be started.
        }
      })
      return Math.ceil(tokens * factor)
    },
    isBusy: () => waiting.size >= MAX_WAITING,
    close: async () => void (await stop()),
  }
}

/** Returns the texts up to the limit, and the factor that extrapolates to all of them. */
function limitTexts(texts: readonly string[]): { counted: string[]; factor: number } {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length <= MAX_COUNTED) return { counted: [...texts], factor: 1 }
  const counted: string[] = []
  let room = MAX_COUNTED
  for (const text of texts) {
    if (room <= 0) break
    counted.push(text.slice(0, room))
    room -= text.length
  }
  return { counted, factor: length / MAX_COUNTED }
}
