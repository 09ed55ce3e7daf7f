// Calls that come all the time, each with a cost of its own, and what became of each for its caller.
import { request as ask } from 'undici'
import { chatReply, chatStream, type Answerer } from '../../support/upstream.ts'

export const MODEL = 'gpt-4o-mini'

/** What one caller saw: all of it, a refusal, a part of it, or a connection that ended without a word. */
export type Saw = 'whole' | 'refused' | 'cut' | 'nothing'

export interface SeenCall {
  process: number
  request_id: string
  cost: number
  saw: Saw
  status: number
  code: string
  retry_after: string
  /** Epoch ms of its beginning, and how long it took. */
  at: number
  ms: number
}

const PROMPT = 1_000
const WORDS = ['one ', 'two ', 'three ']
/** Nobody waits longer, in ms. */
const PATIENCE_MS = 60_000
const LATENCY_MS = 40

/** A provider that says what each call costs, in its usage. `answered`: costs of the calls that it answered whole. */
export function createProvider() {
  const answered = new Set<number>()
  const answerer: Answerer = ({ json }) => {
    const cost = Number(json.messages[0].content)
    const usage = { prompt_tokens: PROMPT, completion_tokens: cost - PROMPT }
    answered.add(cost)
    const slow = { latency_ms: LATENCY_MS, gap_ms: LATENCY_MS }
    return json.stream ? chatStream(WORDS, usage, slow) : chatReply(WORDS.join(''), usage, slow)
  }
  return { answerer, answered }
}

export interface Load {
  calls: SeenCall[]
  /** Resolves once each process has answered so many calls in a row whole, from now on; gives how long that took, in ms. */
  well(inARow: number, patience_ms: number): Promise<number | null>
  stop(): Promise<void>
}

let number = 0

/** Begins `rate` calls a second at each of the processes; half of them are streams. */
export function startLoad(urls: readonly string[], key: string, rate: number): Load {
  const calls: SeenCall[] = []
  const open = new Set<Promise<void>>()
  const begin = () => {
    for (const [process, url] of urls.entries()) {
      const cost = PROMPT + ++number
      const call = oneCall(url, key, cost)
        .then((seen) => void calls.push({ process, ...seen }))
        .finally(() => open.delete(call))
      open.add(call)
    }
  }
  const timer = setInterval(begin, 1000 / rate)
  return {
    calls,
    async well(inARow, patience_ms) {
      const since = Date.now()
      for (const until = since + patience_ms; Date.now() < until; await pause(20)) {
        const begun = calls.filter(({ at }) => at >= since).sort((a, b) => a.at - b.at)
        const ends = urls.map((_, process) => firstWell(begun, process, inARow))
        if (ends.every((end) => end !== undefined)) return Math.max(...(ends as number[])) - since
      }
      return null
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

/** When the first of so many whole ones in a row began, with which it was well. */
function firstWell(calls: SeenCall[], process: number, inARow: number): number | undefined {
  const own = calls.filter((call) => call.process === process)
  for (let at = 0; at + inARow <= own.length; at++)
    if (own.slice(at, at + inARow).every(({ saw }) => saw === 'whole')) return own[at]?.at
  return undefined
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One call as raw HTTP, on whatever connection there is. */
export async function oneCall(url: string, key: string, cost: number): Promise<Omit<SeenCall, 'process'>> {
  const at = Date.now()
  const stream = cost % 2 === 0
  const seen = { request_id: '', cost, status: 0, code: '', retry_after: '' }
  let saw: Saw = 'nothing'
  try {
    const answer = await ask(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: String(cost) }] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const header = (name: string) => String(answer.headers[name] ?? '')
    seen.request_id = header('x-oneapi-request-id')
    seen.status = answer.statusCode
    seen.retry_after = header('retry-after')
    saw = 'cut'
    const text = await answer.body.text()
    seen.code = /"code":"([^"]+)"/.exec(text)?.[1] ?? ''
    if (answer.statusCode !== 200) saw = 'refused'
    else if (stream ? text.includes('data: [DONE]') && seen.code === '' : text.includes(WORDS.join(''))) saw = 'whole'
  } catch (error) {
    seen.code = String((error as { code?: string }).code ?? error)
  }
  return { ...seen, saw, at, ms: Date.now() - at }
}
