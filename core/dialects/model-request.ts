// A request to a model in the neutral form, between the formats it is read from and written in.
import type { CacheMark } from './cache-mark.ts'
import type { Form } from './multipart.ts'
import type { KeptUpstream } from './shape.ts'

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
  /** A tool that is to be called is the caller's own, or one of the provider's (`hosted`). */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string; hosted?: true }
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
  /** The provider takes words of the system before the conversation alone, whatever its model takes elsewhere. */
  system_first?: boolean
  /** What only its vendor keeps: no other may be asked without it. */
  kept?: KeptUpstream[]
}

/** Words of a request that a model's name may stand for (`-thinking`), said only where the caller says nothing else. */
export type ImpliedWords = Pick<ModelRequest, 'reasoning_effort' | 'reasoning_budget' | 'modalities' | 'max_tokens'>

/** A request in some dialect, and the fields of the neutral form that it has no word for. */
export interface WrittenRequest {
  body: Uint8Array
  dropped: string[]
  /** The caller's own names of tools by those that are given for them, where some had to change. */
  tool_names?: ReadonlyMap<string, string>
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
