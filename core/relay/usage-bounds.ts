// Caps the reported usage at what the request could have used. The log records every cap.
import type { RequestHead } from '../dialects/requests/head.ts'
import type { RequestCostScanner } from '../dialects/requests/cost-scanner.ts'
import { reasonsByDefault } from '../dialects/reasoning/model-fit.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { findModelFacts } from '../models/model-facts.ts'
import type { Operation } from '../models/operation.ts'
import { searchesByItself } from '../models/model-kind.ts'
import type { PriceComponent, ComponentLimit, CountedUsage } from '../pricing/component.ts'
import { PRICE_COMPONENTS, countDurationTokens } from '../pricing/components.ts'
import { type ExpectedUsage, computeExpectedCharge } from '../pricing/estimate.ts'
import type { Price } from '../pricing/price.ts'
import { findDearestRequest } from '../pricing/priced-words.ts'
import type { Settings } from '../settings/index.ts'
import { isPaidByTeam } from '../tokens/token.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'

/** The facts of a call that its maximum usage follows from. */
export interface UsageBounds {
  body: Uint8Array
  /** The request words of the call's format. */
  words: RequestCostScanner
  /** Total size of a form's files, in bytes. */
  files?: number
  head: RequestHead
  /** Returns Weir's own count of the answer. Unit: tokens. */
  delivered(): number
}

/** Room for the provider's additions to a prompt (its own instructions, the markup of the format). Unit: tokens. */
const PROMPT_ROOM = 32_768
/** Tolerance above the requested limit, since providers count slightly differently. Unit: tokens. */
const OUTPUT_ROOM = 4_096
/**
 * Maximum size of an item that is not text: an image; a file, a film, or data found or stored upstream. Unit: tokens.
 */
const PER_PICTURE = 65_536
const PER_FILE = 2_097_152
const MOST_MEDIA = 64
/**
 * Longest answer or reasoning of any known model, in tokens. A multiple of the delivered output is allowed in addition.
 */
const LONGEST_ANSWER = 1_048_576
const DELIVERED_FACTOR = 8
/** Tolerance for reasoning, which the limit of some providers excludes. Unit: tokens. */
const THINKING_ROOM = 131_072
/** Lowest bitrate of audio (compressed silence), in bytes per second, and the tolerance of its length. */
const THINNEST_SOUND = 16
const SOUND_FACTOR = 2
const SOUND_ROOM_S = 60

type Bounded<By extends ComponentLimit['by']> = PriceComponent & {
  field: CountedUsage
  limit: ComponentLimit & { by: By }
}
const isBounded =
  <By extends ComponentLimit['by']>(by: By) =>
  (component: PriceComponent): component is Bounded<By> =>
    component.limit.by === by && component.field !== undefined

const ALL: readonly PriceComponent[] = Object.values(PRICE_COMPONENTS)
/** Components that add up to the prompt. When capping, the most expensive are reduced first. */
const PROMPT = ALL.filter(isBounded('prompt'))
const SHRINKING = PROMPT.filter(({ partOf }) => partOf === undefined).sort((a, b) => a.limit.cut - b.limit.cut)
const PARTS = ALL.filter(({ partOf, field }) => partOf !== undefined && field !== undefined) as PartOfTokens[]
type PartOfTokens = PriceComponent & Required<Pick<PriceComponent, 'partOf' | 'field'>>
const NUMBERED = [...ALL.filter(isBounded('sound')), ...ALL.filter(isBounded('number'))]
const { limit: OF_TOOLS } = PRICE_COMPONENTS.tool

/**
 * Caps the usage at the bounds. Returns the same object if nothing was cut, so that a plausible report costs two
 * comparisons; the request is parsed only if a report is larger than its bytes.
 */
export function clampUsageToBounds(usage: Usage, bounds: UsageBounds): Usage {
  const counted = capNumbers(usage, bounds)
  if (counted !== usage) return clampUsageToBounds(counted, bounds)
  let prompt = 0
  for (const { count } of PROMPT) prompt += count(usage)
  const { body, head, files = 0 } = bounds
  const room = body.length + files + PROMPT_ROOM
  const promptFits = prompt <= room
  const outputFits = usage.output <= (head.max_tokens ? head.max_tokens + OUTPUT_ROOM : LONGEST_ANSWER)
  if (promptFits && outputFits) return usage
  const text = new TextDecoder().decode(body)
  const most = {
    prompt: promptFits ? prompt : room + getMediaRoom(bounds, text, usage),
    // The limit applies to each turn of a model that continues with the results of its tools.
    output: outputFits
      ? usage.output
      : Math.max(getMaxOutput(bounds, usage), runsTools(bounds.words, text, usage) ? LONGEST_ANSWER : 0),
  }
  return prompt <= most.prompt && usage.output <= most.output ? usage : capTokens(usage, prompt, most)
}

/** Caps counts that are not tokens: seconds, pieces, and calls of each tool. */
function capNumbers(usage: Usage, bounds: UsageBounds): Usage {
  let within = usage
  for (const { field, limit } of NUMBERED) {
    const count = usage[field]
    if (count === undefined) continue
    const most = limit.by === 'sound' ? getMaxSeconds(bounds) : limit.most
    if (count > most) within = { ...within, [field]: most }
  }
  const calls = usage.calls && capCalls(usage.calls)
  return calls === usage.calls ? within : { ...within, calls }
}

/** Returns the maximum seconds of audio, by its length if that is known, else by its bytes. */
const getMaxSeconds = ({ body, files = 0, head: { seconds = 0, seconds_by } }: UsageBounds): number =>
  SOUND_ROOM_S + (seconds_by === 'sound_length' ? seconds * SOUND_FACTOR : (body.length + files) / THINNEST_SOUND)

function capCalls(calls: NonNullable<Usage['calls']>): Usage['calls'] {
  const most = OF_TOOLS.by === 'number' ? OF_TOOLS.most : Infinity
  if (Object.values(calls).every((n) => n <= most)) return calls
  return Object.fromEntries(Object.entries(calls).map(([tool, n]) => [tool, Math.min(n, most)]))
}

/** Returns true if the provider ran its hosted tools, or was asked to. */
const runsTools = (words: RequestCostScanner, text: string, { calls }: Usage): boolean =>
  calls !== undefined || words.mentionsHostedTools(text)

/**
 * Returns the tokens that media may add. Text has at most one token per byte; a file given by its address may be large.
 */
function getMediaRoom({ words, head }: UsageBounds, text: string, usage: Usage): number {
  const { pictures, files } = words.countMedia(text)
  const searches = searchesByItself(head.model) ? 1 : 0
  const found = runsTools(words, text, usage) ? 1 : 0
  return Math.min(MOST_MEDIA, pictures) * PER_PICTURE + (Math.min(MOST_MEDIA, files) + searches + found) * PER_FILE
}

const countRequestedAnswers = ({ answers, images }: RequestHead): number =>
  Math.min(Math.max(answers ?? images?.n ?? 1, 1), MOST_MEDIA)

/** Returns the requested limit, multiplied by the number of answers. */
function getMaxOutput({ head, delivered }: UsageBounds, { output, reasoning }: Usage): number {
  const n = countRequestedAnswers(head)
  if (!head.max_tokens) return LONGEST_ANSWER * n + delivered() * DELIVERED_FACTOR
  const most = head.max_tokens * n + Math.min(reasoning, THINKING_ROOM)
  return output <= most + OUTPUT_ROOM ? output : most
}

function capTokens(usage: Usage, prompt: number, most: { prompt: number; output: number }): Usage {
  const shorter = { ...usage, output: Math.min(usage.output, most.output) }
  let excess = Math.max(0, prompt - most.prompt)
  for (const { field } of SHRINKING) {
    const taken = Math.min(usage[field] ?? 0, excess)
    excess -= taken
    shorter[field] = (usage[field] ?? 0) - taken
  }
  // Parts with their own price share the remaining tokens of their whole.
  const rest = { input: shorter.input, output: shorter.output }
  for (const { field, partOf, rate } of PARTS) {
    const count = usage[field]
    if (count === undefined) continue
    const isApart = rate.per_usage !== 'in_whole'
    const capped = Math.min(count, isApart ? rest[partOf] : shorter[partOf])
    if (isApart) rest[partOf] -= capped
    shorter[field] = capped
  }
  return shorter
}

// Maximum cost of a call, if its request bounds it: a balance that covers it is sufficient.

/**
 * Returns quota units; undefined if nothing bounds the answer: the caller set no limit, or the provider's own tools may
 * add to it.
 */
export function getMaxCost(
  call: Call,
  head: RequestHead,
  admission: Admission,
  settings: Settings,
): number | undefined {
  const isChat = call.inbound.operation === 'chat'
  if (isChat && head.max_tokens === undefined) return undefined
  if (isChat && call.inbound.words.mentionsHostedTools(new TextDecoder().decode(call.body))) return undefined
  return getGreatestCost(call, head, admission, settings)
}

/**
 * Returns the quota units of a call with its longest answer. For a call paid by a team this includes reasoning, so that
 * the team never goes into debt.
 */
export function getGreatestCost(
  call: Call,
  head: RequestHead,
  admission: Admission,
  { QuotaPerUnit }: Settings,
): number {
  const { price, group_ratio } = admission
  const getCost = (usage: ExpectedUsage) =>
    computeExpectedCharge(price, group_ratio, usage, QuotaPerUnit, call.started_at)
  const usage = (isPaidByTeam(call.caller.token) ? getMaxUsageWithReasoning : getMaxUsage)(call, head, admission)
  if (call.inbound.operation !== 'chat') return getCost(usage)
  // Writing the prompt to a cache costs more.
  return Math.max(getCost(usage), getCost({ ...usage, input: 0, cache_write: usage.input }))
}

// Maximum usage of a call, by the request: tokens of text or audio, characters, seconds, images.

/** Limits for an answer of a model with an unknown maximum, and for one turn of a spoken conversation. Unit: tokens. */
const LONGEST_UNKNOWN = 16_384
const LONGEST_TURN = 4_096
/** Audio tokens of slow speech per text token, and text tokens of fast speech per second. */
const SPOKEN_PER_TOKEN = 16
const WRITTEN_PER_SECOND = 5
/** Tokens of the largest image, by quality. */
const PICTURE: Record<string, number> = { low: 408, medium: 1584 }
const BEST_PICTURE = 6240

/** OpenAI models that charge images and transcripts by token; all others charge by image and by second. */
const BY_TOKEN = /gpt/

/** Models whose answer limit includes reasoning; the limit of others may exclude it. */
const LIMIT_COVERS_THINKING = /(?:^|\/)(?:claude|gemini|gpt-\d|o\d)/i
const ASKS_TO_THINK = /reasoning|thinking/i
/** Smallest answer limit of a request that asks for reasoning. Unit: tokens. */
const LEAST_THINKING_LIMIT = 4096

const decoder = new TextDecoder()

interface UsageRequest {
  call: Pick<Call, 'inbound' | 'body' | 'place'>
  head: RequestHead
  price: Price
  /** The longest answer of the model, in tokens; 0 if it is not known. */
  longest: number
}

const buildNoUsage = () => ({})
const oneTask = () => ({ input: 0, tasks: 1 })
const buildSoundUsage = (output: number) => ({ output, audio_out: output })

const BY_OPERATION: Record<Operation, (request: UsageRequest) => Partial<Usage>> = {
  chat({ call, head: { max_tokens, answers = 1 }, price, longest }) {
    const most = longest || LONGEST_UNKNOWN
    const output = Math.min(max_tokens ?? most, most) * Math.max(1, Math.ceil(answers))
    const speaks = price.kind === 'per_usage' && (price.audio_ratio ?? price.audio_completion_ratio) !== undefined
    return speaks && call.inbound.words.requestsAudioOutput(decoder.decode(call.body))
      ? buildSoundUsage(output)
      : { output }
  },
  embeddings: buildNoUsage,
  moderation: buildNoUsage,
  rerank: buildNoUsage,
  images({ call, head: { model, prompt_estimate, images = { n: 1 } } }) {
    if (!BY_TOKEN.test(model)) return { images }
    const image_in = (call.place?.form?.files.length ?? 0) * BEST_PICTURE
    return {
      input: prompt_estimate + image_in,
      image_in,
      output: (PICTURE[images.quality ?? ''] ?? BEST_PICTURE) * images.n,
    }
  },
  speech: ({ head: { characters, prompt_estimate }, longest }) =>
    characters === undefined
      ? buildSoundUsage(Math.min(prompt_estimate * SPOKEN_PER_TOKEN, longest || Infinity))
      : { input: 0, characters },
  transcription({ head: { model, prompt_estimate, seconds = 0 } }) {
    if (!BY_TOKEN.test(model)) return { input: 0, seconds }
    const audio_in = countDurationTokens(seconds)
    return { input: prompt_estimate + audio_in, audio_in, output: Math.ceil(seconds) * WRITTEN_PER_SECOND }
  },
  drawing: oneTask,
  music: oneTask,
  video: ({ head: { video_seconds, film } }) => ({ input: 0, video_seconds, film }),
  realtime: ({ longest }) => buildSoundUsage(Math.min(longest || LONGEST_TURN, LONGEST_TURN)),
}

/**
 * Returns the maximum usage of a call with its estimated prompt. A chat without a limit may use its model's longest
 * answer.
 */
export function getMaxUsage(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  { price, listedName, facts }: Pick<Admission, 'price' | 'listedName' | 'facts'>,
): ExpectedUsage {
  const longest = findModelFacts(listedName, facts)?.output ?? 0
  const answer = BY_OPERATION[call.inbound.operation]({ call, head, price, longest })
  return { input: head.prompt_estimate, output: 0, ...answer, ...findDearestRequest(head.words, price) }
}

/** Returns the maximum usage including reasoning before the answer, which some limits exclude. */
export function getMaxUsageWithReasoning(
  call: Pick<Call, 'inbound' | 'body' | 'place'>,
  head: RequestHead,
  admission: Pick<Admission, 'price' | 'listedName' | 'facts'>,
): ExpectedUsage {
  const usage = getMaxUsage(call, head, admission)
  const { listedName } = admission
  const mayThink = call.inbound.operation === 'chat' && (reasonsByDefault(listedName) || asksToThink(call))
  if (!mayThink || head.max_tokens === undefined) return usage
  const unlimited = getMaxUsage(call, { ...head, max_tokens: undefined }, admission)
  const limit = LIMIT_COVERS_THINKING.test(listedName) ? Math.max(usage.output, LEAST_THINKING_LIMIT) : Infinity
  return { ...usage, output: Math.min(unlimited.output, limit) }
}

const asksToThink = ({ body }: Pick<Call, 'body'>): boolean => ASKS_TO_THINK.test(decoder.decode(body))
