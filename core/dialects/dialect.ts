// A wire format, both ways: what a dialect writes it reads back. Chat can be written anew in another format; what
// is asked for beside chat passes on as it came, to providers that speak the same format.
import type { Buckets } from './buckets.ts'
import type { CacheUse } from './cache-mark.ts'
import type { CallFailure } from './call-failure.ts'
import type { Operation } from '../models/operation.ts'
import type { Format } from './format.ts'
import type { Frame } from './frame.ts'
import type { RequestHead } from './head.ts'
import type { JsonObject } from './json-value.ts'
import type { ModelEvent } from './model-event.ts'
import type { ModelRequest, Place, ProofOf, WrittenRequest } from './model-request.ts'
import type { NamedObject } from './object-places.ts'
import type { Usage } from './usage.ts'

/** What a whole answer says of its call. */
export interface WholeReport {
  /** It is an error all the same. */
  failure: CallFailure | undefined
  /** Undefined where it reports none. */
  usage: Usage | undefined
  /** Has it no content and no regular end? Throws where what it says cannot be read. */
  isEmpty?(): boolean
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  /** The last proof of thought in it. */
  proof?: string
  /** A conversation in it that the provider has summed up and encrypted. */
  compaction?: string
  /** Objects that the provider keeps, given in it. */
  objects?: NamedObject[]
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
  /** Mends what strict clients refuse in answers that pass: in a whole one, and in the data of a stream's events, one by one. */
  tidy?: { reply(body: Uint8Array): Uint8Array; stream(): (data: string) => string }
  /** Its answers may hold proofs of thought. */
  proves?: true
  /** Its provider's answers can be read by the provider alone: they pass as they are, and are never written anew. */
  opaque?: true
}

/** A format of which only the bytes pass: embeddings, pictures, sound … */
export interface PassingDialect extends Format {
  operation: Exclude<Operation, 'chat'>
  /** Requests may be forms. */
  forms?: true
  /** What an answer may be that is neither JSON nor a stream of events. */
  plain?: 'text' | 'bytes'
  /** The texts of a request: searched for words, and counted where nobody reports. Empty where it holds other things. */
  texts(body: Uint8Array): string[]
  /** An answer of status 200 that is an error all the same; undefined when it is none. */
  readDisguisedError(body: Uint8Array): CallFailure | undefined
  /** What was used: by members of the answer (or of a stream's last event), else by what was asked for. */
  usageOf(answer: JsonObject, head: RequestHead): Usage
  /** A whole answer as its caller asked for it; the very same bytes where it is. */
  fitAnswer?(answer: Uint8Array, head: RequestHead): Uint8Array
  as?: OtherFormat
}

/** How a request of one format is asked where only another is spoken, and the answer brought back. */
export interface OtherFormat {
  dialect: PassingDialect
  /** @throws GatewayError request.untranslatable */
  write(body: Uint8Array, model: string): WrittenRequest
  /** @throws GatewayError upstream.unreadable */
  read(answer: Uint8Array): Uint8Array
}

/** A format that callers speak. */
export type AnyDialect = Dialect | PassingDialect

/** A format that providers speak. */
export type SpokenDialect = ProviderDialect | PassingDialect
