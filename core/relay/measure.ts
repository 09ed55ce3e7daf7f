// Measures the usage that a call is charged by: the provider's report within plausible bounds, else Weir's own count of
// prompt and answer.
import type { CallResult } from '../calls/call-record.ts'
import type { PassthroughWatcher } from '../dialects/answers/stream-watcher.ts'
import { hasTokenCounts, type Usage } from '../dialects/answers/usage.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { ModelEvent } from '../dialects/answers/model-event.ts'
import type { ContentPart, Message, ModelRequest } from '../dialects/model-request.ts'
import { buildKnownUsage } from '../dialects/passing.ts'
import type { SoundBytes } from '../dialects/media/sound.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer, TokenizerEncoding } from '../ports/tokenizer.ts'
import { countSoundTokens, countImageTokens, readImageSize } from '../pricing/media-tokens.ts'
import { findDearestRequest } from '../pricing/priced-words.ts'
import { isUsageCounted } from '../pricing/rates.ts'
import { getModelToolCalls } from '../pricing/tool-price.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { clampUsageToBounds, getMaxUsage } from './usage-bounds.ts'

/** The facts about a finished answer that its usage is measured from. */
export interface MeasureInput {
  call: Call
  /** The request of the model that is charged. */
  head: RequestHead
  admission: Admission
  /** The name under which a provider answered. */
  sent: string | undefined
  status: CallResult['status']
  /** The last usage report, if any. */
  reported: Usage | undefined
  /** Estimated hidden reasoning of an answer whose client has disconnected. Unit: tokens. */
  thought?: number
  /** The watcher that observed the answer. */
  watcher?: PassthroughWatcher
  /** Body of an answer that is not streamed. */
  body?: Uint8Array
  /** Total bytes of a session so far. */
  bytes?: number
}

type Used = Pick<CallResult, 'usage' | 'reported'>

interface UsageMeasurePorts {
  clock: Clock
  tokenizer?: Tokenizer
}

/** Maximum wait for the prompt count of an answer that was cut, in ms. */
const CUT_PATIENCE_MS = 250

/**
 * Returns the usage to charge, including tools that the model implies, and the original report if it was not plausible.
 */
export function measureUsage(measured: MeasureInput, ports: UsageMeasurePorts): Used | Promise<Used> {
  const { head, watcher, sent = '' } = measured
  const reported = measured.reported && updateReport(measured.reported, watcher)
  const clamped = reported && clampReport(reported, measured)
  // Tool calls alone do not show the size of prompt and answer.
  const known =
    clamped && isMeasured(clamped) ? clamped : addCalls(estimateUsage(measured) ?? clamped ?? null, clamped?.calls)
  const whole = known && addReasoning(known, measured)
  const usage = addRequestedTier(addCalls(whole, getModelToolCalls(head.model) ?? getModelToolCalls(sent)), measured)
  const used = clamped === reported ? { usage } : { usage, reported }
  if (usage?.source !== 'estimated') return used
  return refineEstimate(usage, measured, ports).then((exact) => ({ ...used, usage: exact }))
}

/** Caps a report at what the call can have used. */
function clampReport(reported: Usage, { call, head, bytes, watcher }: MeasureInput): Usage {
  const delivered = () => estimateWatched(watcher).output
  return clampUsageToBounds(reported, {
    body: call.body,
    words: call.inbound.words,
    files: bytes ?? sumFileSizes(call),
    head,
    delivered,
  })
}

/** Some providers report from the start on. Output after the last report is counted. */
function updateReport(reported: Usage, watcher: PassthroughWatcher | undefined): Usage {
  const latest = watcher && isMeasured(reported) && !watcher.finished() ? estimateOutput(watcher) : NO_OUTPUT
  return latest.output > reported.output
    ? { ...reported, ...latest, source: 'estimated', estimated_by: 'answer_text' }
    : reported
}

/** Adds estimated reasoning, since no provider reports it for a stream that was cut. */
function addReasoning(usage: Usage, { thought = 0, watcher, head }: MeasureInput): Usage {
  if (thought === 0 || usage.source === 'reported' || watcher?.finished()) return usage
  const output = Math.min(usage.output + thought, Math.max(usage.output, head.max_tokens ?? Infinity))
  return { ...usage, output, reasoning: usage.reasoning + output - usage.output }
}

const NO_OUTPUT: OutputEstimate = { output: 0 }

/** Returns Weir's own estimate of the output. */
const estimateWatched = (watcher: PassthroughWatcher | undefined): OutputEstimate =>
  watcher ? estimateOutput(watcher) : NO_OUTPUT

/**
 * Counts output that was delivered without a report and marks it as estimated. For operations other than chat it is
 * known from the request.
 */
function estimateUsage({ call, head, admission, watcher }: MeasureInput): Usage | null {
  const answered = estimateWatched(watcher)
  if (answered.output === 0) return null
  const mark = { source: 'estimated', estimated_by: 'text' } as const
  if (call.inbound.operation === 'chat') return buildKnownUsage({ input: head.prompt_estimate, ...answered, ...mark })
  const greatest = getMaxUsage(call, head, admission)
  const isFixed = call.inbound.operation === 'images' || greatest.output === 0
  return buildKnownUsage({ ...greatest, ...(isFixed ? {} : { audio_out: 0, ...answered }), ...mark })
}

/**
 * Replaces the estimate of a prompt and of a whole answer by an exact count. An answer that was cut stays estimated.
 */
async function refineEstimate(
  usage: Usage,
  measured: MeasureInput,
  { tokenizer, clock }: UsageMeasurePorts,
): Promise<Usage> {
  // A report from before the answer broke is more accurate than a count.
  const counts = usage.estimated_by !== 'answer_text' && measured.admission.price.kind !== 'per_call'
  if (!tokenizer || !counts) return usage
  const isWhole = measured.status === 'complete'
  // The count of a broken answer must not wait long, nor the charges after a mass disconnect.
  if (!isWhole && tokenizer.isBusy()) return usage
  const counting = countExactly(usage, measured, tokenizer)
  if (isWhole) return counting
  return new Promise((resolve) => {
    const giveUp = clock.every(CUT_PATIENCE_MS, () => {
      giveUp()
      resolve(usage)
    })
    void counting.then(resolve).finally(giveUp)
  })
}

/** Never rejects: texts that cannot be read keep their estimate. */
async function countExactly(
  usage: Usage,
  { call, head, sent, body: answer }: MeasureInput,
  tokenizer: Tokenizer,
): Promise<Usage> {
  const model = sent ?? head.model
  const { inbound, body, place } = call
  try {
    if (inbound.operation !== 'chat') {
      const texts = usage.input > 0 ? inbound.texts(body) : []
      return texts.length > 0
        ? {
            ...usage,
            input: (await countTexts(texts, model, tokenizer)) + countMediaTokens(usage),
            estimated_by: 'tokenizer',
          }
        : usage
    }
    const input = await countPrompt({ ...inbound.readModelRequest(body, place), model }, tokenizer)
    const output = answer ? await countAnswerTokens(inbound, answer, model, tokenizer) : usage.output
    return { ...usage, input, output, estimated_by: 'tokenizer' }
  } catch {
    return usage
  }
}

/** Returns true if the report counts anything that is charged, apart from tools. */
const isMeasured = (usage: Usage): boolean =>
  hasTokenCounts(usage) || isUsageCounted(usage.calls ? { ...usage, calls: undefined } : usage)

const addCalls = (usage: Usage | null, calls: Usage['calls']): Usage | null =>
  usage && calls ? { ...usage, calls: { ...calls, ...usage.calls } } : usage

/** Adds the requested tier or location if it is more expensive and the provider reports none. */
const addRequestedTier = (usage: Usage | null, { head, admission }: MeasureInput): Usage | null =>
  usage && head.words ? { ...findDearestRequest(head.words, admission.price), ...usage } : usage

/** Returns the prompt tokens that are not text. */
const countMediaTokens = ({ audio_in = 0, image_in = 0 }: Usage): number => audio_in + image_in

const sumFileSizes = ({ place }: Call): number => place?.form?.files.reduce((sum, { size }) => sum + size, 0) ?? 0

/** The estimated output of an answer. Unit: tokens. */
export interface OutputEstimate {
  output: number
  /** Audio tokens in `output`. */
  audio_out?: number
}

/** Estimates the output tokens of an answer so far: text by its length, audio by its bytes. */
export function estimateOutput(watcher: Pick<PassthroughWatcher, 'outputEstimate' | 'sound'>): OutputEstimate {
  const output = watcher.outputEstimate()
  const audio_out = countAudioTokens(watcher.sound())
  return audio_out > 0 ? { output: output + audio_out, audio_out } : { output }
}

/** Counts the tokens of generated audio (docs/billing.md, 12.4). */
export const countAudioTokens = ({ raw, packed }: Readonly<SoundBytes>): number =>
  raw + packed === 0 ? 0 : countSoundTokens('pcm16', raw, 'output') + countSoundTokens('unknown', packed, 'output')

// Counts the tokens of prompt and answer as the model would, for providers that report none.

/** Fixed figures, in tokens (docs/billing.md, 12.2). */
const PER_MESSAGE = 3
const PER_NAME = 1
const PER_TOOL = 8
const PRIMER = 3
const AUDIO = 100
const FILE = 5000
const PER_TOOL_CALL = 7
/** Size assumed for an image that is given by its address, since no image is downloaded for counting. Pixels. */
const ASSUMED_SIZE = { width: 1024, height: 1024 }
/** Characters of an image's base64 that are enough to read its size. */
const PICTURE_HEAD = 64 * 1024

/** Texts to tokenize, and a fixed number of tokens. */
interface Tally {
  texts: string[]
  fixed: number
}

/** Counts the prompt tokens of a chat request, at least 1. */
export async function countPrompt(request: ModelRequest, tokenizer: Tokenizer): Promise<number> {
  const tally: Tally = { texts: [], fixed: PRIMER }
  for (const message of request.messages) addMessage(tally, message, request.model)
  for (const { name, description, parameters } of request.tools ?? []) {
    tally.fixed += PER_TOOL
    tally.texts.push(name, description ?? '', parameters === undefined ? '' : JSON.stringify(parameters))
  }
  return Math.max(1, await countTally(tally, request.model, tokenizer))
}

/** Counts the prompt tokens of a call with the tokenizer, or returns the estimate if there is none for it. */
export async function countCallTokens(
  { inbound, body, place }: Pick<Call, 'inbound' | 'body' | 'place'>,
  { prompt_estimate }: Pick<RequestHead, 'prompt_estimate'>,
  tokenizer: Tokenizer | undefined,
): Promise<number> {
  if (inbound.operation !== 'chat' || !tokenizer) return prompt_estimate
  return countPrompt(inbound.readModelRequest(body, place), tokenizer)
}

/** Counts the tokens of texts that are not a conversation, at least 1. */
export const countTexts = async (texts: string[], model: string, tokenizer: Tokenizer): Promise<number> =>
  Math.max(1, await countTally({ texts, fixed: 0 }, model, tokenizer))

/** Counts the tokens of a whole answer in that dialect. */
export async function countAnswerTokens(
  dialect: Dialect,
  body: Uint8Array,
  model: string,
  tokenizer: Tokenizer,
): Promise<number> {
  const tally: Tally = { texts: [], fixed: 0 }
  for (const event of dialect.readWholeReply(body)) addEvent(tally, event)
  return countTally(tally, model, tokenizer)
}

const countTally = async ({ texts, fixed }: Tally, model: string, tokenizer: Tokenizer): Promise<number> => {
  const nonEmpty = texts.filter((text) => text !== '')
  return fixed + (nonEmpty.length === 0 ? 0 : await tokenizer.count(nonEmpty, getEncoding(model)))
}

function addMessage(tally: Tally, message: Message, model: string): void {
  // Only this model counts a message's frame and its name differently.
  const first = model === 'gpt-3.5-turbo-0301'
  tally.fixed += first ? PER_MESSAGE + 1 : PER_MESSAGE
  tally.texts.push(message.role, ...(message.reasoning ?? []).map(({ text }) => text))
  if (message.name) {
    tally.fixed += first ? -PER_NAME : PER_NAME
    tally.texts.push(message.name)
  }
  for (const part of message.content) addPart(tally, part, model)
  for (const call of message.tool_calls ?? []) tally.texts.push(call.name, call.arguments)
}

function addPart(tally: Tally, part: ContentPart, model: string): void {
  if (part.type === 'text') tally.texts.push(part.text)
  else if (part.type === 'audio') tally.fixed += AUDIO
  else if (part.type === 'file') tally.fixed += FILE
  else tally.fixed += countImageTokens(model, getImageSize(part.url), part.detail)
}

const getImageSize = (url: string) => {
  const data = /^data:image\/[\w.+-]+;base64,/.exec(url.slice(0, 100))
  if (!data) return ASSUMED_SIZE
  try {
    const head = url.slice(data[0].length, data[0].length + PICTURE_HEAD)
    return readImageSize(Uint8Array.from(atob(head), (letter) => letter.charCodeAt(0))) ?? ASSUMED_SIZE
  } catch {
    return ASSUMED_SIZE
  }
}

function addEvent(tally: Tally, event: ModelEvent): void {
  if (event.type === 'tool_call') {
    tally.fixed += PER_TOOL_CALL
    tally.texts.push(event.name ?? '', event.arguments)
  } else if ('text' in event) tally.texts.push(event.text)
}

// Chooses the tokenizer encoding of a model (docs/billing.md, 12.1).

const NEWER = /^gpt-4(o|\.1|\.5)/
const OLDER = /^(gpt-4|gpt-3\.5|text-embedding-)/

/** The older encoder for the models that used it; the newer one for all others, of other makers as an estimate. */
export const getEncoding = (model: string): TokenizerEncoding =>
  !NEWER.test(model) && OLDER.test(model) ? 'cl100k_base' : 'o200k_base'
