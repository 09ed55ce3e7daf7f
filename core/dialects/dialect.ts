// A wire format, both ways: what a dialect writes it reads back. Chat has the neutral types below.
import type { Format } from './format.ts'
import type { Form } from './multipart.ts'

/** One server-sent event. */
export interface Frame {
  event?: string
  data: string
}

/** What leaves for the caller: an event written by us, or a run of the provider's bytes that passes as it is. */
export type Piece = Frame | Uint8Array

/** The little of a request that a call needs when its bytes pass through. */
export interface RequestHead {
  model: string
  stream: boolean
  /** Largest answer asked for, in tokens. */
  max_tokens?: number
  /** Did the caller ask for usage at the end of a stream? */
  include_usage: boolean
  /** A rough count of the prompt's tokens, at least 1 (billing reference, section 12). */
  prompt_estimate: number
  /** A session or user that the caller names; read of long prompts only. */
  session?: string
  /** Hash of the prompt's first characters; of long prompts only. */
  prefix?: number
  /** Of speech synthesis: Unicode characters of the text. */
  characters?: number
  /** Of transcription: the length of the audio, as far as it is known. */
  seconds?: number
  /** Images asked for. */
  images?: NonNullable<Usage['images']>
  /** The earlier answer that it goes on with, as its provider keeps it. */
  continues?: string
  /** The provider is to keep the answer. */
  keeps?: boolean
  /** It holds proofs of thought that no provider of this format has given. */
  borrowed?: true
  /** What an answer of this format repeats of the request. */
  repeated?: Record<string, unknown>
}

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
  /** Images made, where they are sold by the piece. */
  images?: { n: number; size?: string; quality?: string }
  /** Calls of the provider's built-in tools, by the names of the tool prices. */
  calls?: Record<string, number>
  /** The tier that the provider says it served: `flex`, `priority`, `batch` … */
  service_tier?: string
  source: 'reported' | 'estimated'
}

export interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
  /** The provider's proof of the thought that led to it: goes back as it came. */
  signature?: string
}

/** The provider is asked to keep the prompt up to here in its cache for so long. */
export type CacheMark = '5m' | '1h'

/** An image's or file's `url` is an address or a `data:` URL; `data` is base64. */
export type ContentPart = (
  | { type: 'text'; text: string }
  | { type: 'image'; url: string; detail?: string }
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
  presence_penalty?: number
  frequency_penalty?: number
  stop?: string[]
  /** How many answers. */
  n?: number
  /** Whom the caller asks for, as the provider may know. */
  user?: string
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
}

/** Words of a request that a model's name may stand for (`-thinking`), said only where the caller says nothing else. */
export type ImpliedWords = Pick<ModelRequest, 'reasoning_effort' | 'reasoning_budget' | 'modalities' | 'max_tokens'>

/** A request in some dialect, and the fields of the neutral form that it has no word for. */
export interface WrittenRequest {
  body: Uint8Array
  dropped: string[]
}

/** What stands beside a request's JSON: in its address (Gemini names model and streaming there), or in a form. */
export interface Place {
  model?: string
  stream?: boolean
  /** The request came as a form, and goes on as one: its fields are the JSON. */
  form?: Form
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** One thing a model's answer says. `choice` counts the answers when several were asked for. */
export type ModelEvent =
  | { type: 'start'; id: string; model: string; created: number }
  | { type: 'text'; text: string; choice: number }
  | { type: 'refusal'; text: string; choice: number }
  | { type: 'reasoning'; text: string; choice: number; signature?: string; redacted?: boolean }
  | {
      type: 'tool_call'
      index: number
      choice: number
      id?: string
      name?: string
      arguments: string
      signature?: string
    }
  /** A picture that was made: an address or a `data:` URL. */
  | { type: 'image'; url: string; choice: number }
  /** Sound that was made, base64. */
  | { type: 'audio'; data: string; format: string; choice: number }
  /** A source of the text just before. */
  | { type: 'citation'; url: string; title?: string; choice: number }
  | { type: 'finish'; reason: FinishReason; choice: number; stop_sequence?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'failure'; failure: CallFailure }
  /** The end mark of the stream. */
  | { type: 'end' }

/** Why a call failed, as a caller may read it. `upstream` failures keep the provider's own words. */
export interface CallFailure {
  status: number
  message: string
  type: string
  code: string | number | null
  param: string | null
  source: 'gateway' | 'upstream'
  /** How long to wait before asking again, in ms. */
  retry_after_ms?: number
}

/** What a look at a run of a stream's bytes found, without reading all of it. */
export interface Glance {
  /** The bytes to pass on now: whole frames, less what the caller must not see. */
  pass: Uint8Array[]
  /** Frames with content (text, reasoning, tool calls) in this run. */
  content: boolean
  /** The stream's end mark was in this run; it is not in `pass`. */
  ended: boolean
  /** What ends the stream, to be sent once the call is settled: with `ended`, unless nothing ends one. */
  end?: Uint8Array
  usage?: Usage
  failure?: CallFailure
}

/** Watches a stream of this dialect whose bytes pass through. Memory does not grow with the stream. */
export interface Watcher {
  /** @throws GatewayError upstream.unreadable when one frame is larger than `MAX_FRAME_BYTES` */
  look(bytes: Uint8Array): Glance
  /** The bytes are over: what is left to say. `ended` where the stream had finished, if without an end mark. */
  close(): Glance
  /** Tokens of output seen so far, roughly: what is charged when the provider never reports. */
  outputEstimate(): number
  /** True once the stream said that it finished (a finish reason, or its end mark). */
  finished(): boolean
}

/** What a whole answer says of its call. */
export interface WholeAnswer {
  /** It is an error all the same. */
  failure: CallFailure | undefined
  /** Undefined where it reports none. */
  usage: Usage | undefined
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
export interface ProviderDialect extends Pick<Format, 'name' | 'patchRequest' | 'readError' | 'outputEstimate'> {
  operation: 'chat'
  writeRequest(request: ModelRequest): WrittenRequest
  /** One reader per stream. */
  reader(): (frame: Frame) => ModelEvent[]
  /** A whole answer, not streamed. */
  readReply(body: Uint8Array): ModelEvent[]
  /** What a whole answer of status 200 says of the call. */
  readWhole(body: Uint8Array): WholeAnswer
  /** How many tokens a prompt has, where that may be asked. */
  count?: TokenCount
}

export interface Dialect extends Format, ProviderDialect {
  operation: 'chat'
  /** @throws GatewayError request.unreadable, request.no_model, request.invalid */
  readRequest(body: Uint8Array, place?: Place): ModelRequest
  /** One writer per stream. */
  writer(head: RequestHead): (event: ModelEvent) => Frame[]
  writeReply(events: ModelEvent[], head?: RequestHead): Uint8Array
}

/** No frame of a stream may be larger (a whole image in one event is below it). */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

/** Shorter prompts are in no provider's cache (OpenAI's and Anthropic's least). Unit: tokens. */
export const CACHED_PROMPT_TOKENS = 1024
