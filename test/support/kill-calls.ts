// The calls of a kill round: what each caller saw of its own, and whether the log agrees.
import { request as httpRequest } from 'node:http'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { runHere } from './terminal.ts'
import { chatReply, chatStream, type Answerer } from './upstream.ts'

export const MODEL = 'kill-model'
/** One call in twenty is never answered. */
const SILENT = 3

/** What one caller saw. */
interface Seen {
  request_id: string
  ended: boolean
  cost: number
  /** The status of the answer and the end of what came, for a report. */
  answer: string
}

export interface KillCall {
  seen: Seen
  /** Will be answered, if the process that serves it lives. */
  answered: boolean
  over: Promise<void>
  hangUp(): void
}

/** Usage as told in the message; some answer whole, some in a stream, some slowly, some never. */
export const answerer: Answerer = ({ json }) => {
  const [kind = 0, prompt_tokens, completion_tokens, wait = 0] = JSON.parse(json.messages[0].content) as number[]
  const usage = { prompt_tokens, completion_tokens }
  if (kind === SILENT) return { stall: 'before_head' }
  if (kind === 0) return { ...chatReply('Hello', usage), latency_ms: wait }
  const words = Array.from({ length: kind === 1 ? 8 : 30 }, (_, index) => `word ${index} `)
  return chatStream(words, usage, { latency_ms: kind === 1 ? wait : 0, gap_ms: 15 })
}

/** Makes one call; `index` decides its kind, `chance` (from 0 to 1) its usage and how long it takes. */
export function startCall(url: string, key: string, index: number, chance: () => number): KillCall {
  const kind = index % 20 === 19 ? SILENT : index % 3
  const usage = [1 + Math.floor(chance() * 900), 1 + Math.floor(chance() * 900)] as const
  const seen: Seen = { request_id: '', ended: false, cost: usage[0] + usage[1], answer: '' }
  const content = JSON.stringify([kind, ...usage, Math.floor(50 + chance() * 700)])
  const stream = kind !== 0
  const request = httpRequest(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}` },
  })
  const over = new Promise<void>((resolve) => {
    request.on('error', () => resolve())
    request.on('response', (response) => {
      seen.request_id = String(response.headers['x-oneapi-request-id'] ?? '')
      let text = ''
      response.on('error', () => resolve())
      response.on('close', () => resolve())
      response.on('data', (run: Buffer) => {
        text += run.toString()
        seen.answer = `${response.statusCode} ${text.slice(-300)}`
        if (stream && text.includes('data: [DONE]')) seen.ended = true
      })
      response.on('end', () => {
        if (response.complete && response.statusCode === 200 && !stream) seen.ended = true
      })
    })
  })
  request.end(JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content }] }))
  return { seen, answered: kind !== SILENT, over, hangUp: () => request.destroy() }
}

/** What was seen to end is logged once with its cost, but for so many that were lost; what was not is charged in full or not at all. */
export function compare(calls: KillCall[], rows: LogEntry[], problems: string[], lost = 0): void {
  const byId = new Map<string, LogEntry[]>()
  for (const row of rows) byId.set(row.request_id, [...(byId.get(row.request_id) ?? []), row])
  for (const [id, same] of byId) if (same.length > 1) problems.push(`${id} is logged ${same.length} times`)
  const missing = calls.filter(({ seen }) => seen.ended && !byId.has(seen.request_id))
  if (missing.length > lost)
    for (const { seen } of missing) problems.push(`${seen.request_id} was seen to end and is not logged`)
  for (const { request_id, ended, cost } of calls.map(({ seen }) => seen)) {
    const row = byId.get(request_id)?.[0]
    if (ended && row && row.quota !== cost) problems.push(`${request_id} costs ${cost} and is logged with ${row.quota}`)
    if (!ended && row && row.quota !== 0 && row.quota !== cost) problems.push(`${request_id} is charged ${row.quota}`)
  }
}

/** Has a command prove the books, as it is run beside the server. */
export async function proveBooks(env: Record<string, string>) {
  const { code, stdout, stderr } = await runHere(['call', 'quota.verify', '--json'], { env })
  if (code !== 0) throw new Error(`quota.verify ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as { ok: boolean; open_holds: number; faults: { kind: string }[] }
}

/** Between two calls that `keepCalling` begins. Unit: ms. */
const PACE_MS = 40

/** Begins one call after the other, at the same pace, until it is stopped; gives the calls that it began. */
export function keepCalling(begin: (index: number) => KillCall) {
  const calls: KillCall[] = []
  const timer = setInterval(() => calls.push(begin(calls.length)), PACE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return calls
    },
  }
}
