// No provider is believed beyond what a request could have used: absurd reports are cut to it, and the log says so.
import type { Usage } from '../dialects/usage.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { RequestWords } from '../dialects/request-words.ts'
import { searchesByItself } from '../models/search-models.ts'
import type { Component, Counted, ComponentLimit } from '../pricing/component.ts'
import { COMPONENTS } from '../pricing/components.ts'

/** A call as far as its size goes. */
export interface UsageBounds {
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
/** The thinnest sound that anybody sends (silence, compressed), in bytes a second; and how far lengths are told apart. */
const THINNEST_SOUND = 16
const SOUND_FACTOR = 2
const SOUND_ROOM_S = 60

type Bounded<By extends ComponentLimit['by']> = Component & { field: Counted; limit: ComponentLimit & { by: By } }
const isBounded =
  <By extends ComponentLimit['by']>(by: By) =>
  (component: Component): component is Bounded<By> =>
    component.limit.by === by && component.field !== undefined

const ALL: readonly Component[] = Object.values(COMPONENTS)
/** What a prompt is the sum of, and of that the wholes: the dearest first, plain input is what is left. */
const PROMPT = ALL.filter(isBounded('prompt'))
const SHRINKING = PROMPT.filter(({ partOf }) => partOf === undefined).sort((a, b) => a.limit.cut - b.limit.cut)
const PARTS = ALL.filter(({ partOf, field }) => partOf !== undefined && field !== undefined) as PartOfTokens[]
type PartOfTokens = Component & Required<Pick<Component, 'partOf' | 'field'>>
const NUMBERED = [...ALL.filter(isBounded('sound')), ...ALL.filter(isBounded('number'))]
const { limit: OF_TOOLS } = COMPONENTS.tool

/**
 * The usage, bounded. The same object when nothing was cut, so that a call whose report is sane costs two comparisons;
 * the request is looked at more closely only when a report is larger than its bytes.
 */
export function clampUsage(usage: Usage, bounds: UsageBounds): Usage {
  const counted = withinNumbers(usage, bounds)
  if (counted !== usage) return clampUsage(counted, bounds)
  let prompt = 0
  for (const { count } of PROMPT) prompt += count(usage)
  const { body, head, files = 0 } = bounds
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

/** What is no token: seconds and pieces by their own limits, calls of each tool by theirs. */
function withinNumbers(usage: Usage, bounds: UsageBounds): Usage {
  let within = usage
  for (const { field, limit } of NUMBERED) {
    const count = usage[field]
    if (count === undefined) continue
    const most = limit.by === 'sound' ? mostSeconds(bounds) : limit.most
    if (count > most) within = { ...within, [field]: most }
  }
  const calls = usage.calls && boundedCalls(usage.calls)
  return calls === usage.calls ? within : { ...within, calls }
}

/** By the length of the sound where that can be read, else by its bytes. */
const mostSeconds = ({ body, files = 0, head: { seconds = 0, seconds_by } }: UsageBounds): number =>
  SOUND_ROOM_S + (seconds_by === 'sound_length' ? seconds * SOUND_FACTOR : (body.length + files) / THINNEST_SOUND)

function boundedCalls(calls: NonNullable<Usage['calls']>): Usage['calls'] {
  const most = OF_TOOLS.by === 'number' ? OF_TOOLS.most : Infinity
  if (Object.values(calls).every((n) => n <= most)) return calls
  return Object.fromEntries(Object.entries(calls).map(([tool, n]) => [tool, Math.min(n, most)]))
}

/** Did the provider run tools of its own, or was it asked to? */
const runsTools = (words: RequestWords, text: string, { calls }: Usage): boolean =>
  calls !== undefined || words.namesHostedTools(text)

/** Providers take at least one byte for a token; what is only pointed at may be large. */
function roomForMedia({ words, head }: UsageBounds, text: string, usage: Usage): number {
  const { pictures, files } = words.mediaIn(text)
  const searches = searchesByItself(head.model) ? 1 : 0
  const found = runsTools(words, text, usage) ? 1 : 0
  return Math.min(MOST_MEDIA, pictures) * PER_PICTURE + (Math.min(MOST_MEDIA, files) + searches + found) * PER_FILE
}

/** How many answers a request asks for. */
const answersAsked = ({ answers, images }: RequestHead): number =>
  Math.min(Math.max(answers ?? images?.n ?? 1, 1), MOST_MEDIA)

/** The limit that was asked for, once for each of the answers asked for. */
function mostOutput({ head, delivered }: UsageBounds, { output, reasoning }: Usage): number {
  const n = answersAsked(head)
  if (!head.max_tokens) return LONGEST_ANSWER * n + delivered() * DELIVERED_FACTOR
  const most = head.max_tokens * n + Math.min(reasoning, THINKING_ROOM)
  return output <= most + OUTPUT_ROOM ? output : most
}

function cut(usage: Usage, prompt: number, most: { prompt: number; output: number }): Usage {
  const shorter = { ...usage, output: Math.min(usage.output, most.output) }
  let over = Math.max(0, prompt - most.prompt)
  for (const { field } of SHRINKING) {
    const taken = Math.min(usage[field] ?? 0, over)
    over -= taken
    shorter[field] = (usage[field] ?? 0) - taken
  }
  // Parts that are charged apart share what is left of their whole.
  const rest = { input: shorter.input, output: shorter.output }
  for (const { field, partOf, rate } of PARTS) {
    const count = usage[field]
    if (count === undefined) continue
    const isApart = rate.per_usage !== 'in_whole'
    const kept = Math.min(count, isApart ? rest[partOf] : shorter[partOf])
    if (isApart) rest[partOf] -= kept
    shorter[field] = kept
  }
  return shorter
}
