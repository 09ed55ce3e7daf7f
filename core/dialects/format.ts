// The common interface of all wire formats.
import type { Operation } from '../models/operation.ts'
import type { RequestBytes } from '../ports/upstream.ts'
import type { SseFrame } from './answers/frames.ts'
import type { PassthroughWatcher } from './answers/stream-watcher.ts'
import type { CallFailure } from './answers/call-failure.ts'
import type { RequestPlace } from './model-request.ts'
import type { Usage } from './answers/usage.ts'
import type { RequestHead } from './requests/head.ts'
import type { FormatObjectDeclarations } from './requests/object-places.ts'
import type { RequestChange } from './requests/patch.ts'
import type { RequestCostScanner } from './requests/cost-scanner.ts'
import type { MemberKinds } from './requests/shape.ts'

export interface WireFormat {
  name: string
  operation: Operation
  /**
   * Paths of its calls; `{model}` is replaced by the model's name. The first is also the path at providers that follow
   * the format's vendor.
   */
  paths: readonly [string, ...string[]]
  /** Kinds of the request members that the head reads, checked for every provider. */
  headFields: MemberKinds
  /** @throws GatewayError request.unreadable, request.no_model, request.invalid */
  readRequestHead(body: Uint8Array, place?: RequestPlace): RequestHead
  /**
   * Returns the same bytes with the model replaced, usage requested in streams, and `override` merged over the top
   * level.
   */
  patchRequestBody(body: Uint8Array, change: RequestChange): RequestBytes
  watcher(head: RequestHead): PassthroughWatcher
  /** Reads an error answer. `body` may be anything. */
  readErrorReply(status: number, body: Uint8Array): CallFailure
  writeErrorReply(failure: CallFailure): Uint8Array
  /**
   * Status of a refusal that lasts longer than a client should wait; only for formats whose clients retry its usual
   * status regardless of headers.
   */
  finalStatus?: number
  /** Writes a failure inside a stream that has already started. */
  writeErrorFrame(failure: CallFailure): SseFrame
  /** Writes a stream that fails before its first event; only of formats in which that takes more than one frame. */
  writeFailedStream?(failure: CallFailure, head: RequestHead, about: { id: string; created: number }): SseFrame[]
  /**
   * Names of request headers (in lower case) that belong to this format and are forwarded with a request that stays in
   * it.
   */
  headers?: readonly string[]
  /** Members that refer to a provider's objects. */
  objects: FormatObjectDeclarations
  /**
   * Adds usage that the provider did not report to the answer or to the last event of its stream. Only for formats that
   * require usage.
   */
  withUsage?(json: Uint8Array, usage: Usage): Uint8Array
  /** Returns the id under which the provider stores an answer, from a whole answer or the first events of a stream. */
  answerId?(bytes: Uint8Array): string | undefined
  /** Properties of a request, other than text, that affect its cost. */
  words: RequestCostScanner
  /** Members of a whole answer that report usage; the first is used where a report is written alone. */
  usageKeys: readonly string[]
  /** Members that name the model of an answer or event; nested ones as `message.model`. */
  modelKeys: readonly string[]
  /** Estimates the output tokens of a whole answer that reports no usage. */
  estimateOutputTokens(body: Uint8Array): number
}
