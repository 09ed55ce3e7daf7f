// The calls of a rescue: what a healthy provider answers, what broken ones do instead, and what their callers must see.
import { send, type HttpAnswer } from './server.ts'
import { chatReply, chatStream, errorPage, tooMany, type Answerer, type TestReply } from './upstream.ts'

export const MODEL = 'rescued-model'

export interface RescueCall {
  id: number
  stream: boolean
  /** What the provider reports. A token of this model costs one unit of quota. */
  usage: { prompt_tokens: number; completion_tokens: number }
}

export function rescueCall(id: number, chance: () => number): RescueCall {
  const tokens = () => 1 + Math.floor(chance() * 900)
  return { id, stream: id % 2 === 0, usage: { prompt_tokens: tokens(), completion_tokens: tokens() } }
}

export const priceOf = ({ usage }: RescueCall): number => usage.prompt_tokens + usage.completion_tokens

/** The call that a provider was asked for. */
export const toldIn = (json: { messages: { content: string }[] }): RescueCall =>
  JSON.parse(json.messages[0]?.content ?? '') as RescueCall

/** Nobody else is answered with these. */
const wordsOf = ({ id }: RescueCall): string[] => ['You', ' are', ' call', ` ${id}.`]

export const healthy: Answerer = ({ json }) => {
  const call = toldIn(json)
  return call.stream ? chatStream(wordsOf(call), call.usage) : chatReply(wordsOf(call).join(''), call.usage)
}

const ERROR = { error: { message: 'overloaded', type: 'server_error', code: 'overloaded' } }

/** What can go wrong before the first content, beside nobody listening. */
const FAULTS: ((stream: boolean) => TestReply)[] = [
  () => ({ reset: 'before_head' }),
  (stream) => (stream ? chatStream([], undefined, { reset: 1 }) : chatReply('', undefined, { reset: 0 })),
  () => errorPage(500),
  () => errorPage(503),
  () => tooMany('20'),
  () => ({ status: 429, body: ERROR }),
  (stream) => ({ stall: stream ? 'before_head' : 0 }),
  (stream) => (stream ? { chunks: [`data: ${JSON.stringify(ERROR)}\n\n`] } : { body: ERROR }),
]

/** `cut` takes the names of those whose connection ends before the head: such a connection may have been stale, and is tried anew. */
export const broken =
  (chance: () => number, cut: Set<string>): Answerer =>
  ({ path, json }) => {
    const reply = FAULTS[Math.floor(chance() * FAULTS.length)]?.(json.stream === true) ?? {}
    if (reply.reset === 'before_head') cut.add(nameOf(path, json))
    return reply
  }

/** A call at a channel. */
export const nameOf = (path: string, json: Parameters<typeof toldIn>[0]): string => `${toldIn(json).id} at ${path}`

export const ask = (url: string, key: string, call: RescueCall): Promise<HttpAnswer> =>
  send('POST', `${url}/v1/chat/completions`, {
    headers: { authorization: `Bearer ${key}` },
    body: { model: MODEL, stream: call.stream, messages: [{ role: 'user', content: JSON.stringify(call) }] },
  })

/** One whole answer, of this call and of no other; undefined when that is what came. */
export function wrongWith({ status, text }: HttpAnswer, call: RescueCall): string | undefined {
  if (status !== 200) return `status ${status}: ${text}`
  const said = call.stream ? textOfStream(text) : (JSON.parse(text) as Whole).choices[0]?.message.content
  return said === wordsOf(call).join('') ? undefined : `it was told: ${text}`
}

interface Whole {
  choices: { message: { content: string } }[]
}
interface Chunk {
  choices: { delta: { content?: string } }[]
}

/** Undefined where the end mark is missing, or anything follows it. */
function textOfStream(text: string): string | undefined {
  const events = text.split('\n\n')
  if (events.pop() !== '' || events.pop() !== 'data: [DONE]') return undefined
  const chunks = events.map((event) => JSON.parse(event.replace('data: ', '')) as Chunk)
  return chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('')
}
