// A wire format, both ways: what a dialect writes it reads back. Chat has the neutral types below.
import type { CacheMark, CacheUse } from './cache-mark.ts'
import type { Buckets } from './buckets.ts'
import type { Format } from './format.ts'
import type { RequestHead } from './head.ts'
import type { ModelEvent } from './model-event.ts'
import type { Form } from './multipart.ts'
import type { KeptUpstream } from './shape.ts'

export type { Glance, Watcher } from './glance.ts'
export type { RequestHead } from './head.ts'
export type { FinishReason, ModelEvent, TextRange, TokenChance, TokenLogprob } from './model-event.ts'

/** One server-sent event. */
export interface Frame {
  event?: string
  data: string
}

/** What leaves for the caller: an event written by us, or a run of the provider's bytes that passes as it is. */
export type Piece = Frame | Uint8Array

/**
 * Counts of one call, disjoint: nothing is counted in two of the first five. Units: tokens. What a format has no word
 * for, or did not report, is missing and counts as 0.
 */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  input: number
  cache_read: number
  /** Written to the provider's cache for 5 minutes or an unsaid time. */
  cache_write: number
  cache_write_1h: number
  output: number
  /** Part of output: shown, never added. */
  reasoning: number
  /** Parts of input, priced apart. */
  audio_in?: number
  image_in?: number
  /** Parts of output. */
  audio_out?: number
  image_out?: number
  /** Of speech synthesis: Unicode characters of the text. */
  characters?: number
  /** Of transcription, where no tokens were reported: the length of the audio. */
  seconds?: number
  /** Of video that was made: its length, where no tokens were reported. */
  video_seconds?: number
  /** Images made, where they are sold by the piece. */
  images?: { n: number; size?: string; quality?: string }
  /** Calls of the provider's built-in tools, by the names of the tool prices. */
  calls?: Record<string, number>
  /** The tier that the provider says it served: `flex`, `priority`, `batch` … */
  service_tier?: string
  source: 'reported' | 'estimated'
  /** How it was found where it was not reported. */
  estimated_by?: EstimatedBy
}

/**
 * By the length of the texts, by our own tokenizer, by the text of the answer behind a report that came too early; of
 * sound by the length that its file has, or by the file's size where its length cannot be read.
 */
export type EstimatedBy = 'text' | 'tokenizer' | 'answer_text' | 'sound_length' | 'sound_size'

export interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
  /** The provider's proof of the thought that led to it: goes back as it came. */
  signature?: string
}

/** An image's or file's `url` is an address or a `data:` URL (empty where its vendor keeps it); `data` is base64. */
export type ContentPart = (
  | { type: 'text'; text: string }
  | { type: 'image'; url: string; detail?: string; file_id?: string }
  | { type: 'audio'; data: string; format: string }
  | { type: 'file'; url?: string; data?: string; file_id?: string; filename?: string; media_type?: string }
) & { cache?: CacheMark }

/** A piece of reasoning that goes back to the provider as it came. `text` of a redacted one is its sealed data. */
export interface Reasoning {
  text: string
  signature?: string
  redacted?: boolean
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: ContentPart[]
  name?: string
  tool_calls?: ToolCall[]
  /** Of a tool's answer: the call it answers, and whether the tool failed. */
  tool_call_id?: string
  failed?: boolean
  /** Of an assistant's message. */
  reasoning?: Reasoning[]
}

export interface Tool {
  name: string
  description?: string
  /** JSON schema. */
  parameters?: unknown
  strict?: boolean
  cache?: CacheMark
}

/** JSON instead of prose; of a shape where there is a schema. */
export interface ResponseFormat {
  schema?: unknown
  name?: string
  description?: string
  strict?: boolean
}

export interface ModelRequest {
  /** The dialect it was read from. `extra` is written back in that dialect only. */
  dialect: string
  model: string
  /** The name that the caller asked for: tells what a model can do whose own name is a deployment's. */
  asked?: string
  stream: boolean
  messages: Message[]
  tools?: Tool[]
  /** Tools that the provider runs itself, by the names of the tool prices, each with its options. */
  hosted_tools?: { name: string; options?: unknown }[]
  tool_choice?: 'auto' | 'none' | 'required' | { name: string }
  parallel_tool_calls?: boolean
  max_tokens?: number
  temperature?: number
  top_p?: number
  top_k?: number
  seed?: number
  /** The answer is to tell how likely its tokens were, and how many others at each place. */
  logprobs?: true
  top_logprobs?: number
  presence_penalty?: number
  frequency_penalty?: number
  stop?: string[]
  /** How many answers. */
  n?: number
  /** Whom the caller asks for, as the provider may know. */
  user?: string
  /** The provider may keep the answer. */
  keeps?: true
  service_tier?: string
  response_format?: ResponseFormat
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max` … */
  reasoning_effort?: string
  /** Unit: tokens; 0 is none, -1 as many as the model likes. */
  reasoning_budget?: number
  /** What the answer may be made of: `text`, `image`, `audio`. */
  modalities?: string[]
  /** Fields this neutral form has no word for, as they came. */
  extra: Record<string, unknown>
  /** What was left out in the reading, by name: no writer can say it. */
  lost?: string[]
  /** What only its vendor keeps: no other may be asked without it. */
  kept?: KeptUpstream[]
}

/** Words of a request that a model's name may stand for (`-thinking`), said only where the caller says nothing else. */
export type ImpliedWords = Pick<ModelRequest, 'reasoning_effort' | 'reasoning_budget' | 'modalities' | 'max_tokens'>

/** A request in some dialect, and the fields of the neutral form that it has no word for. */
export interface WrittenRequest {
  body: Uint8Array
  dropped: string[]
}

/** A proof of thought as a provider is sent it; undefined where it is not to be sent. */
export type ProofOf = (proof: string) => string | undefined

/** What stands beside a request's JSON: in its address (Gemini names model and streaming there), or in a form. */
export interface Place {
  model?: string
  stream?: boolean
  /** The request came as a form, and goes on as one: its fields are the JSON. */
  form?: Form
}

/** Why a call failed, as a caller may read it. `upstream` failures keep the provider's own words. */
export interface CallFailure {
  status: number
  message: string
  /** The message in Chinese, where it is our own. */
  zh?: string
  type: string
  code: string | number | null
  param: string | null
  source: 'gateway' | 'upstream'
  /** Fields of the request that cannot be served. */
  unsupported?: string[]
  /** How long to wait before asking again, in ms. */
  retry_after_ms?: number
  /** Of the call: for formats that have a word for it. */
  request_id?: string
}

/** What a whole answer says of its call. */
export interface WholeReport {
  /** It is an error all the same. */
  failure: CallFailure | undefined
  /** Undefined where it reports none. */
  usage: Usage | undefined
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  /** The last proof of thought in it. */
  proof?: string
}

/** The question how many tokens a prompt has, and its answer. */
export interface TokenCount {
  /** The question, made of a request that would have been answered. */
  ask(request: Uint8Array, model: string): Uint8Array
  /** Undefined where the answer has none. */
  read(answer: Uint8Array): number | undefined
  write(tokens: number): Uint8Array
}

/** What is asked of a provider and read of its answers. Formats that no caller speaks have only this half. */
export interface ProviderDialect extends Pick<
  Format,
  'name' | 'patchRequest' | 'readError' | 'outputEstimate' | 'usageKeys'
> {
  operation: 'chat'
  writeRequest(request: ModelRequest, cache?: CacheUse): WrittenRequest
  /** One reader per stream. */
  reader(): (frame: Frame) => ModelEvent[]
  /** A whole answer, not streamed. */
  readReply(body: Uint8Array): ModelEvent[]
  /** What a whole answer of status 200 says of the call. */
  readWhole(body: Uint8Array): WholeReport
  /** What its reports count inside what. */
  buckets: Buckets
  /** How many tokens a prompt has, where that may be asked. */
  count?: TokenCount
}

export interface Dialect extends Format, ProviderDialect {
  operation: 'chat'
  /** How ids of its answers begin. */
  idPrefix: string
  /** @throws GatewayError request.unreadable, request.no_model, request.invalid */
  readRequest(body: Uint8Array, place?: Place): ModelRequest
  /** A request as it came, but for proofs of thought: each as `proofOf` gives it back, or left out. `model` is the provider's. */
  withProofs?(body: Uint8Array, proofOf: ProofOf, model: string): WrittenRequest
  /** One writer per stream. */
  writer(head: RequestHead): (event: ModelEvent) => Frame[]
  writeReply(events: ModelEvent[], head?: RequestHead): Uint8Array
  /** Its answers may hold proofs of thought. */
  proves?: true
}

/** No frame of a stream may be larger (a whole image in one event is below it). */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

/** Shorter prompts are in no provider's cache (OpenAI's and Anthropic's least). Unit: tokens. */
export const CACHED_PROMPT_TOKENS = 1024
