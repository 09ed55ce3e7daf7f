// What every wire format has, whatever is asked for in it.
import type { Operation } from '../models/operation.ts'
import type { Frame } from './frame.ts'
import type { CallFailure } from './call-failure.ts'
import type { Place } from './model-request.ts'
import type { Usage } from './usage.ts'
import type { Watcher } from './glance.ts'
import type { RequestHead } from './head.ts'
import type { FormatObjects } from './object-places.ts'
import type { RequestChange } from './patch.ts'
import type { RequestWords } from './request-words.ts'
import type { Kinds } from './shape.ts'

export interface Format {
  name: string
  operation: Operation
  /**
   * Where its calls come in; under `{model}` stands the model's name. The first is also where those providers have it who
   * follow its vendor.
   */
  paths: readonly [string, ...string[]]
  /** Members of a request that its head reads, of which kind they must be whoever is asked. */
  headFields: Kinds
  /** @throws GatewayError request.unreadable, request.no_model, request.invalid */
  readHead(body: Uint8Array, place?: Place): RequestHead
  /** The same bytes with the model replaced, usage asked for in streams, and `override` merged over the top level. */
  patchRequest(body: Uint8Array, change: RequestChange): Uint8Array
  watcher(head: RequestHead): Watcher
  /** `body` may be anything at all. */
  readError(status: number, body: Uint8Array): CallFailure
  writeError(failure: CallFailure): Uint8Array
  /** A failure inside a stream that has begun. */
  writeErrorFrame(failure: CallFailure): Frame
  /** A stream that fails before it has told anything else, of formats in which that takes more than the frame of a failure. */
  writeFailedStream?(failure: CallFailure, head: RequestHead, about: { id: string; created: number }): Frame[]
  /** Names of request headers (in lower case) that belong to this format and go on with a request that stays in it. */
  headers?: readonly string[]
  /** The places that name objects of a provider. */
  objects: FormatObjects
  /**
   * The answer, or the event that ends its stream, with usage that its provider did not report; only of formats that have to
   * tell some.
   */
  withUsage?(json: Uint8Array, usage: Usage): Uint8Array
  /** Under which id an answer is kept by its provider, in a whole answer or in the first events of a stream. */
  answerId?(bytes: Uint8Array): string | undefined
  /** What a request says of its cost beside its text. */
  words: RequestWords
  /** Members of a whole answer that report what was used, the first of them where a report stands alone. */
  usageKeys: readonly string[]
  /** Where an answer, or an event of one, names its model: members, with those of members as `message.model`. */
  modelKeys: readonly string[]
  /** A rough count of the output tokens of a whole answer that reports no usage. */
  outputEstimate(body: Uint8Array): number
}
