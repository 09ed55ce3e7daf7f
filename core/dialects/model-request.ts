// A request to a model in neutral form, between the formats it is read from and written to.
import type { RequestBytes } from '../ports/upstream.ts'
import type { FormParts } from './media/multipart.ts'
import type { VendorReference } from './requests/shape.ts'
import { asObject, type JsonObject } from './json/json-value.ts'

export interface ToolCall {
  id: string
  name: string
  /** JSON text. */
  arguments: string
  /** The provider's signature of the reasoning before the call; sent back unchanged. */
  signature?: string
}

/** `url` of an image or file is a URL or a `data:` URL (empty if its vendor stores it); `data` is base64. */
export type ContentPart = (
  | { type: 'text'; text: string }
  | { type: 'image'; url: string; detail?: string; file_id?: string }
  | { type: 'audio'; data: string; format: string }
  | { type: 'file'; url?: string; data?: string; file_id?: string; filename?: string; media_type?: string }
) & { cache?: CacheMark }

/** A piece of reasoning that is sent back to the provider unchanged. `text` of a redacted one is its encrypted data. */
export interface ReasoningPiece {
  text: string
  signature?: string
  redacted?: boolean
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: ContentPart[]
  name?: string
  tool_calls?: ToolCall[]
  /** For a tool result: the id of its call, and whether the tool failed. */
  tool_call_id?: string
  failed?: boolean
  /** For an assistant's message. */
  reasoning?: ReasoningPiece[]
}

export interface Tool {
  name: string
  description?: string
  /** JSON schema. */
  parameters?: unknown
  strict?: boolean
  cache?: CacheMark
}

/** JSON output, with a schema if there is one. */
export interface ResponseFormat {
  schema?: unknown
  name?: string
  description?: string
  strict?: boolean
}

export interface ModelRequest {
  /** The dialect that the request was read from. `extra` is written in that dialect only. */
  dialect: string
  model: string
  /** The model name that the caller sent: identifies the model if the provider's name is a deployment. */
  requestedModel?: string
  stream: boolean
  messages: Message[]
  tools?: Tool[]
  /** Tools that the provider runs itself, by the names of the tool prices, each with its options. */
  hosted_tools?: { name: string; options?: unknown }[]
  /** The forced tool is one of the caller's or a hosted one (`hosted`). */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string; hosted?: true }
  parallel_tool_calls?: boolean
  max_tokens?: number
  temperature?: number
  top_p?: number
  top_k?: number
  seed?: number
  /** Return log probabilities, and this many alternatives at each position. */
  logprobs?: true
  top_logprobs?: number
  presence_penalty?: number
  frequency_penalty?: number
  stop?: string[]
  /** Number of answers. */
  n?: number
  /** Id of the caller's user, for the provider. */
  user?: string
  /** The provider may store the answer. */
  storesAnswer?: true
  service_tier?: string
  response_format?: ResponseFormat
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max` … */
  reasoning_effort?: string
  /** Budget in tokens; 0 disables reasoning, -1 leaves it to the model. */
  reasoning_budget?: number
  /** Allowed output: `text`, `image`, `audio`. */
  modalities?: string[]
  /** Fields without a neutral equivalent, as they came. */
  extra: Record<string, unknown>
  /** Names of the fields that were dropped while reading: no format can express them. */
  lost?: string[]
  /** The provider only accepts a system prompt before the conversation, even if its model accepts more elsewhere. */
  system_first?: boolean
  /** References to data that only its vendor stores: no other provider may be called without it. */
  vendorData?: VendorReference[]
}

/** Fields that a model name may imply (`-thinking`), set only if the caller does not set them. */
export type ModelNameSuffixes = Pick<
  ModelRequest,
  'reasoning_effort' | 'reasoning_budget' | 'modalities' | 'max_tokens'
>

/** A request in some dialect, and the neutral fields that it does not support. */
export interface WrittenRequest {
  body: Uint8Array
  dropped: string[]
  /** The caller's tool names by the names that replace them, if some had to change. */
  tool_names?: ReadonlyMap<string, string>
}

/** A request as a provider receives it. */
export interface PatchedRequest extends Omit<WrittenRequest, 'body'> {
  body: RequestBytes
}

/** Converts a reasoning signature for a provider; undefined if it must not be sent. */
export type ConvertSignature = (proof: string) => string | undefined

/** The parts of a request outside its JSON: in its address (Gemini puts model and streaming there), or in a form. */
export interface RequestPlace {
  model?: string
  stream?: boolean
  /** The request is a form and is forwarded as one: its fields are the JSON. */
  form?: FormParts
}

/** How long the provider should cache the prompt up to this point. */
export type CacheMark = '5m' | '1h'

/** Prompts that get cache breakpoints in addition to the caller's own; `auto` if a second call is likely. */
export type CacheUse = 'auto' | 'always' | 'never'

export function readCache(block: JsonObject): { cache?: CacheMark } {
  const mark = asObject(block.cache_control)
  return mark ? { cache: mark.ttl === '1h' ? '1h' : '5m' } : {}
}

export const writeCache = (cache: CacheMark | undefined): JsonObject =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache === '1h' ? { ttl: '1h' } : {}) } } : {}
