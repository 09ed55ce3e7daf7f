// No provider is believed beyond what a request could have used: absurd reports are cut to it, and the log says so.
import type { RequestHead, Usage } from '../dialects/dialect.ts'
import type { RequestWords } from '../dialects/request-words.ts'
import { searchesByItself } from '../models/search-models.ts'

/** A call as far as its size goes. */
export interface Bounds {
  body: Uint8Array
  /** Of its format. */
  words: RequestWords
  /** Of a form's files. Bytes. */
  files?: number
  head: RequestHead
  /** What our own count makes of the answer. Unit: tokens. */
  delivered(): number
}

/** Room for what a provider puts around a prompt (its own instructions, the words of the format). Unit: tokens. */
const PROMPT_ROOM = 32_768
/** Providers count a little differently than their limits say: so much more than was asked for is no lie. Unit: tokens. */
const OUTPUT_ROOM = 4_096
/** What one thing that is not text may take: a picture; a file, a film, or what was found or kept upstream. Unit: tokens. */
const PER_PICTURE = 65_536
const PER_FILE = 2_097_152
const MOST_MEDIA = 64
/** No model answers or thinks longer, so far; beside it, several times what was delivered. Unit: tokens. */
const LONGEST_ANSWER = 1_048_576
const DELIVERED_FACTOR = 8
/** Some providers' limit leaves thinking out. Unit: tokens. */
const THINKING_ROOM = 131_072
/** Calls of a provider's own tools in one request. */
const MOST_CALLS = 1000

/**
 * The usage, bounded. The same object when nothing was cut, so that a call whose report is sane costs two comparisons;
 * the request is looked at more closely only when a report is larger than its bytes.
 */
export function bounded(usage: Usage, bounds: Bounds): Usage {
  const prompt = usage.input + usage.cache_read + usage.cache_write + usage.cache_write_1h
  const { body, head, files = 0 } = bounds
  const calls = boundedCalls(usage.calls)
  if (calls !== usage.calls) return bounded({ ...usage, calls }, bounds)
  const room = body.length + files + PROMPT_ROOM
  const promptFits = prompt <= room
  const outputFits = usage.output <= (head.max_tokens ? head.max_tokens + OUTPUT_ROOM : LONGEST_ANSWER)
  if (promptFits && outputFits) return usage
  const text = new TextDecoder().decode(body)
  const most = {
    prompt: promptFits ? prompt : room + roomForMedia(bounds, text, usage),
    // The limit is for each turn of a model that goes on with what its tools found.
    output: outputFits
      ? usage.output
      : Math.max(mostOutput(bounds, usage), runsTools(bounds.words, text, usage) ? LONGEST_ANSWER : 0),
  }
  return prompt <= most.prompt && usage.output <= most.output ? usage : cut(usage, prompt, most)
}

function boundedCalls(calls: Usage['calls']): Usage['calls'] {
  if (!calls || Object.values(calls).every((n) => n <= MOST_CALLS)) return calls
  return Object.fromEntries(Object.entries(calls).map(([tool, n]) => [tool, Math.min(n, MOST_CALLS)]))
}

/** Did the provider run tools of its own, or was it asked to? */
const runsTools = (words: RequestWords, text: string, { calls }: Usage): boolean =>
  calls !== undefined || words.namesHostedTools(text)

/** Providers take at least one byte for a token; what is only pointed at may be large. */
function roomForMedia({ words, head }: Bounds, text: string, usage: Usage): number {
  const { pictures, files } = words.mediaIn(text)
  const searches = searchesByItself(head.model) ? 1 : 0
  const found = runsTools(words, text, usage) ? 1 : 0
  return Math.min(MOST_MEDIA, pictures) * PER_PICTURE + (Math.min(MOST_MEDIA, files) + searches + found) * PER_FILE
}

/** How many answers a request asks for. */
const answersAsked = ({ answers, images }: RequestHead): number =>
  Math.min(Math.max(answers ?? images?.n ?? 1, 1), MOST_MEDIA)

/** The limit that was asked for, once for each of the answers asked for. */
function mostOutput({ head, delivered }: Bounds, { output, reasoning }: Usage): number {
  const n = answersAsked(head)
  if (!head.max_tokens) return LONGEST_ANSWER * n + delivered() * DELIVERED_FACTOR
  const most = head.max_tokens * n + Math.min(reasoning, THINKING_ROOM)
  return output <= most + OUTPUT_ROOM ? output : most
}

/** Cuts the dearest parts of the prompt first: plain input is what is left. */
function cut(usage: Usage, prompt: number, most: { prompt: number; output: number }): Usage {
  let over = Math.max(0, prompt - most.prompt)
  const less = (count: number): number => {
    const taken = Math.min(count, over)
    over -= taken
    return count - taken
  }
  const cache_write_1h = less(usage.cache_write_1h)
  const cache_write = less(usage.cache_write)
  const input = less(usage.input)
  const cache_read = less(usage.cache_read)
  const output = Math.min(usage.output, most.output)
  return {
    ...usage,
    cache_write_1h,
    cache_write,
    input,
    cache_read,
    output,
    reasoning: Math.min(usage.reasoning, output),
    ...partsOf(input, usage, 'audio_in', 'image_in'),
    ...partsOf(output, usage, 'audio_out', 'image_out'),
  }
}

/** The parts of a count that was cut. */
function partsOf<P extends 'audio_in' | 'image_in' | 'audio_out' | 'image_out'>(
  whole: number,
  usage: Usage,
  ...parts: P[]
): Partial<Record<P, number>> {
  let rest = whole
  const cutParts: Partial<Record<P, number>> = {}
  for (const part of parts) {
    const count = Math.min(usage[part] ?? 0, rest)
    rest -= count
    if (usage[part] !== undefined) cutParts[part] = count
  }
  return cutParts
}
