// No provider is believed beyond what a request could have used: absurd reports are cut to it, and the log says so.
import type { RequestHead } from '../dialects/head.ts'
import type { RequestWords } from '../dialects/request-words.ts'
import { reasonsByDefault } from '../dialects/thinkers.ts'
import type { Usage } from '../dialects/usage.ts'
import { findModelFacts } from '../models/model-facts.ts'
import type { Operation } from '../models/operation.ts'
import { searchesByItself } from '../models/search-models.ts'
import type { Component, ComponentLimit, Counted } from '../pricing/component.ts'
import { COMPONENTS, durationTokens } from '../pricing/components.ts'
import { type ExpectedUsage, expectedCharge } from '../pricing/estimate.ts'
import type { Price } from '../pricing/price.ts'
import { dearerAsked } from '../pricing/priced-words.ts'
import type { Settings } from '../settings/index.ts'
import { isPaidByTeam } from '../tokens/token.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'

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

// The most that a call can come to, where its request bounds it: nobody who has more than that is refused.

/**
 * Quota units; undefined where nothing bounds the answer: the caller named no largest one, or the provider's own tools
 * may add to it.
 */
export function getMaxCost(
  call: Call,
  head: RequestHead,
  admission: Admission,
  settings: Settings,
): number | undefined {
  const isChat = call.inbound.operation === 'chat'
  if (isChat && head.max_tokens === undefined) return undefined
  if (isChat && call.inbound.words.namesHostedTools(new TextDecoder().decode(call.body))) return undefined
  return costOfGreatest(call, head, admission, settings)
}

/**
 * Quota units that a call holds which is paid by a team: all that it can come to with its longest answer, thinking included, so
 * that the team owes nothing behind it.
 */
export function costOfGreatest(
  call: Call,
  head: RequestHead,
  admission: Admission,
  { QuotaPerUnit }: Settings,
): number {
  const { price, group_ratio } = admission
  const costOf = (usage: ExpectedUsage) => expectedCharge(price, group_ratio, usage, QuotaPerUnit, call.started_at)
  const usage = (isPaidByTeam(call.caller.token) ? greatestUsageWithThinking : getMaxUsage)(call, head, admission)
  if (call.inbound.operation !== 'chat') return costOf(usage)
  // A prompt may be written to a cache, which costs more.
  return Math.max(costOf(usage), costOf({ ...usage, input: 0, cache_write: usage.input }))
}

// The most that a call may use, by what is asked for: tokens of text or of sound, characters, seconds, pictures.

/** An answer of a model whose longest nobody has told; one turn of a spoken conversation. Unit: tokens. */
const LONGEST_UNKNOWN = 16_384
const LONGEST_TURN = 4_096
/** Tokens of slow speech for a token of its text, and of fast speech written down for a second of it. */
const SPOKEN_PER_TOKEN = 16
const WRITTEN_PER_SECOND = 5
/** Tokens of the largest picture, by quality. */
const PICTURE: Record<string, number> = { low: 408, medium: 1584 }
const BEST_PICTURE = 6240

/** Models of OpenAI's that sell pictures and transcripts by the token; all others by the piece and by the second. */
const BY_TOKEN = /gpt/

/** Models whose limit of an answer covers what they think; that of others may leave it out. */
const LIMIT_COVERS_THINKING = /(?:^|\/)(?:claude|gemini|gpt-\d|o\d)/i
const ASKS_TO_THINK = /reasoning|thinking/i
/** A request that asks for thinking is given room for it: the least limit that it is sent with. Unit: tokens. */
const LEAST_THINKING_LIMIT = 4096

const decoder = new TextDecoder()

interface Asked {
  call: Pick<Call, 'inbound' | 'body' | 'place'>
  head: RequestHead
  price: Price
  /** The longest answer of the model, in tokens; 0 if it is not known. */
  longest: number
}

const nothing = () => ({})
const aTask = () => ({ input: 0, tasks: 1 })
const sound = (output: number) => ({ output, audio_out: output })

const BY_OPERATION: Record<Operation, (asked: Asked) => Partial<Usage>> = {
  chat({ call, head: { max_tokens, answers = 1 }, price, longest }) {
    const most = longest || LONGEST_UNKNOWN
    const output = Math.min(max_tokens ?? most, most) * Math.max(1, Math.ceil(answers))
    const speaks = price.kind === 'per_usage' && (price.audio_ratio ?? price.audio_completion_ratio) !== undefined
    return speaks && call.inbound.words.asksForSound(decoder.decode(call.body)) ? sound(output) : { output }
  },
  embeddings: nothing,
  moderation: nothing,
  rerank: nothing,
  images({ call, head: { model, prompt_estimate, images = { n: 1 } } }) {
    if (!BY_TOKEN.test(model)) return { images }
    const image_in = (call.place?.form?.files.length ?? 0) * BEST_PICTURE
    return {
      ...{ input: prompt_estimate + image_in, image_in },
      output: (PICTURE[images.quality ?? ''] ?? BEST_PICTURE) * images.n,
    }
  },
  speech: ({ head: { characters, prompt_estimate }, longest }) =>
    characters === undefined
      ? sound(Math.min(prompt_estimate * SPOKEN_PER_TOKEN, longest || Infinity))
      : { input: 0, characters },
  transcription({ head: { model, prompt_estimate, seconds = 0 } }) {
    if (!BY_TOKEN.test(model)) return { input: 0, seconds }
    const audio_in = durationTokens(seconds)
    return { input: prompt_estimate + audio_in, audio_in, output: Math.ceil(seconds) * WRITTEN_PER_SECOND }
  },
  drawing: aTask,
  music: aTask,
  video: ({ head: { video_seconds, film } }) => ({ input: 0, video_seconds, film }),
  realtime: ({ longest }) => sound(Math.min(longest || LONGEST_TURN, LONGEST_TURN)),
}

/** What a call uses at most, with its prompt as it is estimated. Of chats without a limit, as long as their model gives. */
export function getMaxUsage(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  { price, listed, facts }: Pick<Admission, 'price' | 'listed' | 'facts'>,
): ExpectedUsage {
  const longest = findModelFacts(listed, facts)?.output ?? 0
  const answer = BY_OPERATION[call.inbound.operation]({ call, head, price, longest })
  return { input: head.prompt_estimate, output: 0, ...answer, ...dearerAsked(head.words, price) }
}

/** The same with all that a model may think before its answer, which some limits leave out. */
export function greatestUsageWithThinking(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  admission: Pick<Admission, 'price' | 'listed' | 'facts'>,
): ExpectedUsage {
  const usage = getMaxUsage(call, head, admission)
  const { listed } = admission
  const mayThink = call.inbound.operation === 'chat' && (reasonsByDefault(listed) || asksToThink(call))
  if (!mayThink || head.max_tokens === undefined) return usage
  const unlimited = getMaxUsage(call, { ...head, max_tokens: undefined }, admission)
  const limit = LIMIT_COVERS_THINKING.test(listed) ? Math.max(usage.output, LEAST_THINKING_LIMIT) : Infinity
  return { ...usage, output: Math.min(unlimited.output, limit) }
}

const asksToThink = ({ body }: Pick<Call, 'body'>): boolean => ASKS_TO_THINK.test(decoder.decode(body))
