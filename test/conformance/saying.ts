// The content and usage of an answer in no format, so that the readings of several clients can be compared.
import type { Way } from '../support/replay.ts'
import type { Json } from '../support/json.ts'

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** Tokens. `cached` and `written` are parts of `prompt`, `reasoning` is a part of `completion`. */
export interface Counted {
  prompt: number
  cached: number
  written: number
  completion: number
  reasoning: number
}

/** The first answer, where there are several. */
export interface Saying {
  text: string
  refusal: string
  reasoning: string
  /** Arguments are parsed; what is no JSON stays a text. */
  calls: { name: string; arguments: unknown }[]
  /** Pictures that were made. */
  images: number
  /** Addresses of the answer's sources, each once. */
  sources: string[]
  finish: Finish | undefined
  usage: Counted | undefined
}

/** Nothing was said and nothing ended: Weir tries another channel, and refuses the call where none says more. */
export const isEmptySaying = ({ text, refusal, calls, images, finish }: Saying): boolean =>
  text + refusal === '' && calls.length + images === 0 && finish === undefined

/** The official client of a format. */
export interface Client {
  name: string
  /** Recordings in its format. */
  apis: readonly string[]
  /** A request of its format without the model, where none was recorded. */
  plain: object
  /** Asks for an answer, whole or as a stream: the client's own result, with all chunks where it gives chunks. */
  ask(way: Way, model: string, body: object, streamed: boolean): Promise<unknown>
  /** Address and headers of the same as raw HTTP; `body` is what is sent there. */
  raw(
    way: Way,
    model: string,
    body: object,
    streamed: boolean,
  ): { url: string; headers: Record<string, string>; body: object }
  /** Reads the client's result. */
  read(result: Json): Saying
  /** What of an answer in another format its own can say. */
  able(saying: Saying): Saying
}

/** Joins pieces into a saying. */
export function createListener() {
  let text = ''
  let refusal = ''
  let reasoning = ''
  let images = 0
  let finish: Finish | undefined
  let usage: Counted | undefined
  const sources = new Set<string>()
  const calls = new Map<string | number, { name: string; arguments: string }>()
  return {
    text: (more: string | null | undefined) => void (text += more ?? ''),
    refusal: (more: string | null | undefined) => void (refusal += more ?? ''),
    reasoning: (more: string | null | undefined) => void (reasoning += more ?? ''),
    image: () => void images++,
    source: (url: string | null | undefined) => void (url && sources.add(url)),
    call(at: string | number, name: string | null | undefined, more: unknown) {
      const known = calls.get(at) ?? { name: '', arguments: '' }
      const added = typeof more === 'string' ? more : more === undefined || more === null ? '' : JSON.stringify(more)
      calls.set(at, { name: known.name || (name ?? ''), arguments: known.arguments + added })
    },
    finish: (reason: Finish | undefined) => void (finish = reason ?? finish),
    usage: (counted: Counted | undefined) => void (usage = counted ?? usage),
    heard(): Saying {
      const called = [...calls.values()]
        .filter((one) => one.name || one.arguments)
        .map((one) => ({ name: one.name, arguments: parsed(one.arguments) }))
      // Some providers call it a plain stop when tools are called, and some formats have no other word.
      const reason = finish === 'stop' && called.length > 0 ? 'tool_calls' : finish
      return { text, refusal, reasoning, calls: called, images, sources: [...sources], finish: reason, usage }
    },
  }
}

/** No arguments are an empty object. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return text
  }
}
