// The facts about a request that are read before it is parsed completely: enough to admit, price and route its call.
import { asFiniteNumber } from '../json/json-value.ts'
import { isAscii } from '../json/json-text.ts'
import { getMarkedLength } from '../json/long-texts.ts'
import type { ProviderObject } from './object-places.ts'
import type { PriceWord } from './price-words.ts'
import { checkKind, type KindCheck } from './shape.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import type { ToolForms } from './tools.ts'
import type { Usage } from '../answers/usage.ts'
import type { EmbeddingEncoding } from '../embeddings/vectors.ts'

/** Maximum of an output limit, in tokens (docs/billing.md, 2). */
const MAX_TOKENS = 1073741823

/** Checks an output limit, in tokens; `read` parses the numbers of the format. */
export const checkTokenLimit = (read: (value: unknown) => number | undefined = asFiniteNumber): KindCheck =>
  checkKind(`a whole number from 0 to ${MAX_TOKENS}`, (value) => {
    const limit = read(value)
    return limit !== undefined && Number.isInteger(limit) && limit >= 0 && limit <= MAX_TOKENS
  })

/** The few facts of a request that a call needs when its bytes pass through. */
export interface RequestHead {
  model: string
  /** The model name that the caller sent, if channels list it under another name, which is then `model`. */
  requestedModel?: string
  stream: boolean
  /** Requested output limit, in tokens. */
  max_tokens?: number
  /** Number of requested answers. */
  answers?: number
  /** Did the caller ask for usage at the end of a stream? */
  include_usage: boolean
  /** Estimated prompt tokens, at least 1 (docs/billing.md, 12). */
  prompt_estimate: number
  /** A session or user that the caller names; only read for long prompts. */
  session?: string
  /** Hash of the prompt's first characters; only for long prompts. */
  prefix?: number
  /** For speech synthesis: Unicode characters of the text. */
  characters?: number
  /** For speech synthesis: audio format; mp3 if undefined. */
  sound_format?: string
  /** For transcription: form of the text; JSON if undefined. */
  transcript_format?: string
  /** For transcription: length of the audio, and how it was determined. */
  seconds?: number
  seconds_by?: 'sound_length' | 'sound_size'
  /** For video generation: its length, and the properties that determine its price. */
  video_seconds?: number
  film?: Usage['film']
  /** Number of asynchronous tasks other than films that the call starts at a provider. */
  tasks?: number
  /** Requested encoding of vectors; undefined if they are plain floats. */
  vectors?: EmbeddingEncoding
  /** Number of requested images. */
  images?: NonNullable<Usage['images']>
  /** Id of the earlier answer that this request continues, stored by its provider. */
  continues?: string
  /** The request has a conversation summary that Weir has encrypted. */
  summed?: true
  /** A conversation summary that a provider has encrypted: only the account that made it can read it. */
  compaction?: string
  /** The conversation is summarized before the answer if its prompt has more tokens than this. */
  compacts_above?: number | undefined
  /** The answer is a summary of the conversation. */
  compacts?: true
  /** Encrypts a text for the caller to store, so that no one else can have it decrypted. */
  encrypt?: (text: string) => string
  /** The request refers to items of earlier answers by id only. */
  refers?: true
  /** Objects stored at a provider that the request refers to. */
  objects?: readonly ProviderObject[]
  /** The provider stores the conversation under the answer's id. */
  threads?: true
  /** The answer must be stored, by its provider or by Weir. */
  storesAnswer?: boolean
  /** The id under which Weir stores the answer. */
  kept_as?: string
  /** A background response: the client polls for it by its id. */
  deferred?: true
  /** The request has reasoning signatures that no provider of this format has made. */
  borrowed?: true
  /** The last reasoning signature of the request: only the account that made it accepts it. */
  proof?: string
  /** The request is sent without any reasoning signature: no remaining account accepts them. */
  forgets?: true
  /** Tools for which this format has more forms than functions; their calls are answered in those forms. */
  tool_forms?: ToolForms
  /** The request declares functions that the model may call. */
  calls?: boolean
  /** The request enables the provider's own search. */
  searches?: boolean
  /** The caller requests the model's reasoning or its signatures. */
  shows_thoughts?: boolean
  /** Reasoning effort, if the caller sets one. */
  effort?: string
  /** Values that the price may depend on, as they came. */
  words?: readonly PriceWord[]
  /** Request fields that an answer of this format repeats. */
  repeated?: Record<string, unknown>
}

/** Returns the requested model name. */
export const getRequestedModel = ({
  model,
  requestedModel: requested = model,
}: Pick<RequestHead, 'model' | 'requestedModel'>): string => requested

// Rough token counts without a tokenizer: four ASCII characters are a token, other characters nearly one each.

/** Fixed figures, in tokens (docs/billing.md, 12.2 and 12.3): nothing is downloaded to count it. */
export const IMAGE_TOKENS = 255
export const LOW_IMAGE_TOKENS = 85
export const AUDIO_TOKENS = 100
export const FILE_TOKENS = 5000
export const TOKENS_PER_MESSAGE = 3
export const TOKENS_PER_TOOL = 8
export const REPLY_PRIMER_TOKENS = 3
/** Approximate overhead of each parallel tool call in addition to its text. */
export const PER_TOOL_CALL = 7

/** Texts shorter than this are checked character by character. */
const SHORT = 64

/** Tokens of a text, not rounded. */
export function estimateTextTokens(text: string): number {
  const marked = getMarkedLength(text)
  if (marked !== undefined) return marked / 4
  if (text.length > SHORT && isAscii(text)) return text.length / 4
  let wide = 0
  let low = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) low++
    // The second half of a surrogate pair is not a separate character.
    else if (unit < 0xdc00 || unit > 0xdfff) wide++
  }
  return low / 4 + wide * 0.9
}

/** Tokens of a JSON value: its texts and keys, and a token for each other leaf. */
export function estimateValueTokens(value: unknown, depth = 0): number {
  if (typeof value === 'string') return estimateTextTokens(value) + 0.5
  if (typeof value !== 'object' || value === null) return 0.5
  // Deeper than any schema people write; a bound against a stack overflow.
  if (depth > 64) return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + estimateValueTokens(one, depth + 1), 0.5)
  let sum = 0.5
  for (const [key, member] of Object.entries(value))
    sum += estimateTextTokens(key) + 0.75 + estimateValueTokens(member, depth + 1)
  return sum
}

/**
 * Estimates the tokens of an event, not rounded: for a tool call its name and arguments, and the overhead of a call.
 */
export function estimateEventTokens(event: UnassembledEvent): number {
  if (event.type === 'tool_call')
    return PER_TOOL_CALL + estimateTextTokens(event.name ?? '') + estimateTextTokens(event.arguments)
  return 'text' in event ? estimateTextTokens(event.text) : 0
}
