// What every wire format has, whatever is asked for in it. Chat can also be written anew in another format (Dialect);
// what is asked for beside chat passes on as it came, to providers that speak the same format.
import type {
  CallFailure,
  Dialect,
  Frame,
  Place,
  ProviderDialect,
  RequestHead,
  Usage,
  Watcher,
  WrittenRequest,
} from './dialect.ts'
import type { JsonObject } from './json-value.ts'
import type { RequestChange } from './patch.ts'
import type { RequestWords } from './request-words.ts'

/** What may be asked of a model. A provider has doors for some of them. */
export const OPERATIONS = [
  ...(['chat', 'embeddings', 'moderation', 'rerank', 'images', 'speech', 'transcription', 'realtime'] as const),
] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Format {
  name: string
  operation: Operation
  /**
   * Where its calls come in; under `{model}` stands the model's name. The first is also where those providers have it who
   * follow its vendor.
   */
  paths: readonly [string, ...string[]]
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
  /** Names of request headers (in lower case) that belong to this format and go on with a request that stays in it. */
  headers?: readonly string[]
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
