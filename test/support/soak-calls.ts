// The mixed load of a soak: what the callers ask for, what the provider answers, how the callers read it.
import { request, type Agent, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatReply, chatStream, errorPage, type Answerer, type TestReply } from './upstream.ts'

/** One call, told to the provider in its prompt. */
export interface SoakCall {
  id: number
  stream: boolean
  /** Tokens of the answer. */
  tokens: number
  /** Waits of the provider, in ms: before the head, between two pieces. */
  latency: number
  gap: number
  /** The caller: reads as it comes, takes sips, or leaves after so many ms. */
  reader: 'fast' | 'slow' | number
  /** Does the provider say what was used? */
  reported: boolean
  /** How the provider fails when the call arrives for the first time. */
  fault?: 'page' | 'reset'
  /** Bytes of text that the caller sends along. */
  prompt: number
}

const LONG = 200_000
/** A slow reader takes so much, then rests so long. */
const SIP_BYTES = 128 * 1024
const REST_MS = 50
/** A model's tokens come in pieces of so many events. */
const EVENTS_OF_A_PIECE = 500
/** As long as the end mark, so that neither is missed between two runs of bytes. */
const WORD = ' words'

/** One call of `long_each` writes 200,000 tokens; the others are what a busy day is made of. */
export function soakCall(id: number, chance: () => number, long_each: number): SoakCall {
  const dice = chance()
  const size = Math.floor(chance() * 100) + 1
  const usual: SoakCall = {
    id,
    stream: dice < 0.5,
    tokens: size,
    latency: Math.floor(chance() * 300),
    gap: dice < 0.5 ? 20 : 0,
    reader: 'fast',
    reported: chance() > 0.05,
    prompt: dice > 0.97 ? 300_000 : Math.floor(chance() * 2000),
  }
  const long = Math.floor(id / long_each)
  if (id % long_each === long_each - 1)
    return { ...usual, tokens: LONG, gap: 10, stream: long % 4 !== 3, reader: readerOfLong(long, chance), prompt: 100 }
  if (dice < 0.04) return { ...usual, tokens: 4 * size, gap: 20, reader: Math.floor(chance() * 1500) }
  if (dice > 0.9 && dice < 0.92) return { ...usual, reader: Math.floor(chance() * usual.latency) }
  if (dice > 0.92 && dice < 0.94) return { ...usual, fault: chance() < 0.5 ? 'page' : 'reset' }
  return usual
}

const readerOfLong = (long: number, chance: () => number): SoakCall['reader'] =>
  (['fast', 'slow', Math.floor(chance() * 6000), 'fast'] as const)[long % 4] ?? 'fast'

/** A provider that answers what the calls say. */
export function createSoakAnswerer(): Answerer {
  const failed = new Set<number>()
  return ({ json }) => {
    const [line = ''] = json.messages[0].content.split('\n', 1) as string[]
    const call = JSON.parse(line) as SoakCall
    const { id, fault, latency, gap, stream } = call
    if (fault && !failed.delete(id)) {
      failed.add(id)
      return fault === 'page' ? errorPage(500) : { reset: 'before_head' }
    }
    return stream ? { chunks: pieces(call), latency_ms: latency, gap_ms: gap } : whole(call)
  }
}

const usageOf = ({ reported, prompt, tokens }: SoakCall) =>
  reported ? { prompt_tokens: prompt, completion_tokens: tokens } : undefined

const whole = (call: SoakCall): TestReply =>
  chatReply(WORD.repeat(call.tokens), usageOf(call), { latency_ms: call.latency })

/** The events of a stream; those of long ones many at a time, and made once. */
function pieces(call: SoakCall): string[] {
  const { tokens, reported } = call
  const known = tokens === LONG ? long.get(reported) : undefined
  if (known) return known
  const { chunks = [] } = chatStream(Array<string>(tokens).fill(WORD), usageOf(call))
  if (tokens !== LONG) return chunks as string[]
  const runs: string[] = []
  for (let at = 0; at < chunks.length; at += EVENTS_OF_A_PIECE)
    runs.push(chunks.slice(at, at + EVENTS_OF_A_PIECE).join(''))
  long.set(reported, runs)
  return runs
}
const long = new Map<boolean, string[]>()

export interface Door {
  url: string
  key: string
  model: string
  agent: Agent
}

/** `left`: the caller hung up. Anything else that is not `whole` says what went wrong. */
export type SoakEnd = 'whole' | 'left' | `wrong: ${string}`

/** Sends a call and reads its answer in the way of its caller. */
export function sendSoakCall(door: Door, call: SoakCall): Promise<SoakEnd> {
  const content = `${JSON.stringify(call)}\n${'x'.repeat(call.prompt)}`
  const body = JSON.stringify({ model: door.model, stream: call.stream, messages: [{ role: 'user', content }] })
  const headers = { authorization: `Bearer ${door.key}`, 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const wrong = (error: Error) => resolve(`wrong: ${error.message}`)
    const asked = request(door.url, { method: 'POST', agent: door.agent, headers })
    if (typeof call.reader === 'number') {
      const leave = () => {
        resolve('left')
        asked.destroy()
      }
      const timer = setTimeout(leave, call.reader)
      asked.on('close', () => clearTimeout(timer))
    }
    asked.on('error', wrong)
    asked.on('response', (response) => void read(response, call).then(resolve, wrong))
    asked.end(body)
  })
}

async function read(response: IncomingMessage, { stream, tokens, reader }: SoakCall): Promise<SoakEnd> {
  let words = 0
  let sip = 0
  let kept = Buffer.alloc(0)
  let done = !stream
  for await (const run of response as AsyncIterable<Buffer>) {
    // Too little is kept to hold a word that was counted already.
    const seen = Buffer.concat([kept, run])
    for (let at = seen.indexOf(WORD); at >= 0; at = seen.indexOf(WORD, at + WORD.length)) words++
    kept = seen.subarray(1 - WORD.length)
    done ||= seen.includes('[DONE]')
    sip += run.length
    if (reader === 'slow' && sip > SIP_BYTES) {
      sip = 0
      await sleep(REST_MS)
    }
  }
  if (response.statusCode !== 200) return `wrong: status ${response.statusCode}`
  if (!done) return 'wrong: a stream without its end'
  return words === tokens ? 'whole' : `wrong: ${words} words instead of ${tokens}`
}
