// The three makers of models, played on 127.0.0.1: each speaks its own format, and refuses what the real one refuses.
import type { Json } from '../json.ts'
import type { Answerer, ReceivedRequest, TestReply } from '../upstream.ts'

/** What a model says in one answer. */
export interface Said {
  thought?: string
  text?: string
  calls?: { name: string; args: Record<string, unknown> }[]
  /** Cut off at the limit. */
  cut?: boolean
}

export type HeardTurn =
  | { role: 'user'; text: string; images: { type: string; data: string }[] }
  | {
      role: 'assistant'
      text: string
      thoughts: { text: string; signature: string }[]
      calls: { name: string; args: unknown }[]
    }
  /** Results by the names of the functions whose calls they answer. */
  | { role: 'tool'; results: { name: string; text: string }[] }

/** What a request says, in words of no format. */
export interface Heard {
  system: string
  turns: HeardTurn[]
  tools: { name: string; description: string; parameters: Json }[]
  limit: number | undefined
  /** It was asked to think, or to show its thoughts. */
  thinks: boolean
  /** The JSON schema that the answer is to keep to. */
  schema: Json
}

/** What every answer of every maker reports. */
export const USAGE = { prompt: 500, cached: 100, completion: 77, reasoning: 7 }

/** Ways to fail, each told in the maker's own words. */
export const failures = [
  'bad key',
  'forbidden',
  'missing',
  'bad request',
  'too long',
  'limited',
  'broken',
  'overloaded',
] as const
export type Failing = (typeof failures)[number]

export interface Maker {
  name: string
  /** Of its channel. */
  type: number
  model: string
  hear(request: ReceivedRequest): Heard
  /** What it would refuse a request for; undefined where it would not. */
  complaint(request: ReceivedRequest): string | undefined
  say(said: Said, request: ReceivedRequest): TestReply
  fail(failing: Failing): TestReply
  /** An error inside a stream that has begun. */
  failureEvent: string
}

/** Answers each request with the next of the answers, the last one again and again; refuses what it does not understand. */
export const answering =
  (maker: Maker, ...answers: Said[]): Answerer =>
  (request, turn) => {
    const complaint = maker.complaint(request)
    if (complaint !== undefined) return { ...maker.fail('bad request'), body: renamed(maker, complaint) }
    return maker.say(answers[turn] ?? answers.at(-1)!, request)
  }

/** The maker's refusal of a bad request, saying this. */
function renamed(maker: Maker, message: string): Json {
  const body = maker.fail('bad request').body as Json
  return { ...body, error: { ...body.error, message } }
}

/** The first of the fields that is none of those known. */
export const unknownField = (object: object | undefined, known: string): string | undefined =>
  Object.keys(object ?? {}).find((key) => !known.split(' ').includes(key))

/** A text in two pieces, as it comes in streams. */
export const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

export const sse = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export const imageOf = (url: string) => {
  const [, type = '', data = ''] = /^data:([^;]+);base64,(.+)$/.exec(url) ?? []
  return { type, data }
}
