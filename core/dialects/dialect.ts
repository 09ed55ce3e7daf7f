// A wire format that is read and written. Chat can be translated to another format; other operations pass through to
// providers of the same format.
import type { SseFrame } from './answers/frames.ts'
import type { UsageBuckets, Usage } from './answers/usage.ts'
import type { CacheUse, ModelRequest, RequestPlace, ConvertSignature, WrittenRequest } from './model-request.ts'
import type { CallFailure } from './answers/call-failure.ts'
import type { Operation } from '../models/operation.ts'
import type { WireFormat } from './format.ts'
import type { RequestHead } from './requests/head.ts'
import type { JsonObject } from './json/json-value.ts'
import type { ModelEvent } from './answers/model-event.ts'
import type { FormParts, StreamedForm } from './media/multipart.ts'
import type { ProviderObject } from './requests/object-places.ts'

/** The facts that a whole answer reports about its call. */
export interface AnswerReport {
  /** The answer is an error despite its status. */
  failure: CallFailure | undefined
  /** undefined if the answer reports none. */
  usage: Usage | undefined
  /** Does the answer have no content and no regular end? Throws if it cannot be read. */
  isEmpty?(): boolean
  /** Set if the provider refused to answer or stopped the answer. */
  blocked?: CallFailure
  /** The last reasoning signature in the answer. */
  proof?: string
  /** A conversation summary in the answer that the provider has encrypted. */
  compaction?: string
  /** Objects in the answer that the provider stores. */
  objects?: ProviderObject[]
}

/** The request that counts a prompt's tokens, and its answer. */
export interface TokenCount {
  /** Builds the request from one that would have been answered. */
  ask(request: Uint8Array, model: string): Uint8Array
  /** Returns undefined if the answer has no count. */
  read(answer: Uint8Array): number | undefined
  write(tokens: number): Uint8Array
}

/** The half of a format that is used towards providers. Formats that no caller uses have only this half. */
export interface ProviderDialect extends Pick<
  WireFormat,
  'name' | 'patchRequestBody' | 'readErrorReply' | 'estimateOutputTokens' | 'usageKeys'
> {
  operation: 'chat'
  writeModelRequest(request: ModelRequest, cache?: CacheUse): WrittenRequest
  /** Creates a reader for one stream. */
  reader(): (frame: SseFrame) => ModelEvent[]
  /** Reads a whole answer that is not streamed. */
  readWholeReply(body: Uint8Array): ModelEvent[]
  /** Reads the facts of a whole answer of status 200. */
  readAnswerReport(body: Uint8Array): AnswerReport
  /** How the counts of its reports overlap. */
  buckets: UsageBuckets
  /** Token counting of prompts, if the provider supports it. */
  count?: TokenCount
}

export interface Dialect extends WireFormat, ProviderDialect {
  operation: 'chat'
  /** Id prefix of its answers. */
  idPrefix: string
  /** @throws GatewayError request.unreadable, request.no_model, request.invalid */
  readModelRequest(body: Uint8Array, place?: RequestPlace): ModelRequest
  /**
   * Returns the request with each reasoning signature replaced by the result of `proofOf`, or left out. `model` is the
   * provider's.
   */
  convertReasoningSignatures?(body: Uint8Array, proofOf: ConvertSignature, model: string): WrittenRequest
  /** Creates a writer for one stream. */
  writer(head: RequestHead): (event: ModelEvent) => SseFrame[]
  writeWholeReply(events: ModelEvent[], head?: RequestHead): Uint8Array
  /**
   * Corrects answers that pass through where strict clients would refuse them: a whole answer, or the data of each
   * stream event.
   */
  tidy?: { reply(body: Uint8Array): Uint8Array; stream(): (data: string) => string }
  /** Its answers may have reasoning signatures. */
  proves?: true
  /** Only the provider itself can read its answers: they pass through unchanged and are never translated. */
  opaque?: true
}

/** A format whose bytes only pass through: embeddings, images, audio … */
export interface PassthroughDialect extends WireFormat {
  operation: Exclude<Operation, 'chat'>
  /** Requests may be forms. */
  forms?: true
  /** Kind of an answer that is neither JSON nor an event stream. */
  plain?: 'text' | 'bytes'
  /**
   * Returns the texts of a request, for blocked words and for estimates if no usage is reported. Empty if it has other
   * content.
   */
  texts(body: Uint8Array): string[]
  /** Returns the error in an answer of status 200; undefined if it is none. */
  readDisguisedError(body: Uint8Array): CallFailure | undefined
  /** Returns the usage: from members of the answer (or of a stream's last event), otherwise from the request. */
  usageOf(answer: JsonObject, head: RequestHead): Usage
  /** Converts a whole answer to the form that its caller requested; returns the same bytes if it has it already. */
  fitAnswer?(answer: Uint8Array, head: RequestHead): Uint8Array
  /** The formats of providers that this one is translated to. */
  as?: readonly TranslatedFormat[]
}

/** Sends a request of one format to a provider that uses another, and converts the answer back. */
export interface TranslatedFormat {
  dialect: PassthroughDialect
  /** @throws GatewayError request.invalid, request.untranslatable */
  write(body: Uint8Array, model: string, place?: RequestPlace): WrittenRequest
  /** Writes a request that came as a form with files. `fields` are those that `write` has written. */
  writeForm?(fields: JsonObject, form: FormParts): StreamedForm
  /** @throws GatewayError upstream.unreadable */
  read(answer: Uint8Array, head: RequestHead): Uint8Array
  /** Returns the media type of the converted answer; JSON if undefined. */
  contentType?(head: RequestHead): string
}

/** Returns the translation of a format to the one of a provider; undefined if there is none. */
export const findTranslation = (dialect: CallerDialect, to: UpstreamDialect): TranslatedFormat | undefined =>
  dialect.operation === 'chat' ? undefined : dialect.as?.find((other) => other.dialect === to)

/** A format that callers use. */
export type CallerDialect = Dialect | PassthroughDialect

/** A format that providers use. */
export type UpstreamDialect = ProviderDialect | PassthroughDialect
