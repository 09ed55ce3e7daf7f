// The pieces that behaviours are put together from: heads, whole answers and streams, as a right provider sends them.
import type { Behaviour, Wire } from './wire.ts'

export const TEXTS = ['Hello', ', wörld', ' of faults'] as const
export const WHOLE_TEXT = TEXTS.join('')
export const USAGE = { prompt_tokens: 500, completion_tokens: 77, total_tokens: 577 }
const named = { id: 'chatcmpl-fault', created: 1, model: 'fault' }

export const json = (value: unknown): string => JSON.stringify(value)

/** What a proxy in front of a provider says. */
export const HTML = '<html><body><h1>Internal Server Error</h1>nginx at 10.0.0.7</body></html>'
export const OVERLOADED = json({ error: { message: 'overloaded', type: 'server_error', code: 'overloaded' } })

/** A whole answer as JSON. */
export const answer = (usage: object | null = USAGE): string =>
  json({
    ...named,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: WHOLE_TEXT }, finish_reason: 'stop' }],
    ...(usage ? { usage } : {}),
  })

export const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : json(value)}\n\n`
const chunkOf = (choices: unknown[], more: object = {}): string =>
  event({ ...named, object: 'chat.completion.chunk', choices, ...more })
export const said = (content: string): string => chunkOf([{ index: 0, delta: { content }, finish_reason: null }])
export const OPENING = chunkOf([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
export const FINISH = chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }])
export const usageEvent = (usage: object): string => chunkOf([], { usage })
export const DONE = event('[DONE]')

/** Every event of a right stream. */
export const stream = (usage: object | null = USAGE): string[] => [
  OPENING,
  ...TEXTS.map(said),
  FINISH,
  ...(usage ? [usageEvent(usage)] : []),
  DONE,
]

const STREAM_TYPE = 'content-type: text/event-stream'
const JSON_TYPE = 'content-type: application/json'
const bytes = (text: string) => Buffer.from(text)

export const head = (status: string, ...lines: string[]): string =>
  `HTTP/1.1 ${[status, ...lines].join('\r\n')}\r\n\r\n`
export const typed = (streamed: boolean): string => (streamed ? STREAM_TYPE : JSON_TYPE)
export const chunkedHead = (streamed: boolean, status = '200 OK', ...more: string[]): string =>
  head(status, typed(streamed), 'transfer-encoding: chunked', ...more)

/** A piece of a chunked body. */
export const chunked = (piece: string | Uint8Array): Uint8Array => {
  const content = typeof piece === 'string' ? bytes(piece) : piece
  return Buffer.concat([bytes(`${content.length.toString(16)}\r\n`), content, bytes('\r\n')])
}
export const LAST_CHUNK = '0\r\n\r\n'

/** A reply of one piece with its right length. */
export const reply = (status: string, type: string, body: string, ...more: string[]): string =>
  head(status, `content-type: ${type}`, `content-length: ${bytes(body).length}`, ...more) + body

/** Sends a body piece by piece, chunked. */
export async function sayChunks(wire: Wire, pieces: Iterable<string | Uint8Array>, gapMs = 0): Promise<void> {
  for (const piece of pieces) {
    await wire.say(chunked(piece))
    if (gapMs > 0) await wire.wait(gapMs)
  }
}

/** The body that was asked for, whole, in its pieces. */
export const rightPieces = (streamed: boolean, usage: object | null = USAGE): string[] =>
  streamed ? stream(usage) : [answer(usage)]

/** A right answer with these pieces. */
export const telling =
  (pieces: (streamed: boolean) => Iterable<string | Uint8Array>, gapMs = 0): Behaviour =>
  async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    await sayChunks(wire, pieces(streamed), gapMs)
    await wire.say(LAST_CHUNK)
  }

/** What a healthy provider does. */
export const healthy: Behaviour = telling((streamed) => rightPieces(streamed))

/** One reply, whatever was asked for. */
export const replying =
  (status: string, type: string, body: string, ...more: string[]): Behaviour =>
  (wire) =>
    wire.say(reply(status, type, body, ...more))

/** Everything up to the middle of the answer: of a stream two texts, of a whole answer its first half. */
export const firstHalf = (streamed: boolean): string[] =>
  streamed ? stream().slice(0, 3) : [answer().slice(0, answer().length / 2)]
