// Types of an answer in progress, in the caller's format.
import type { OutputPiece } from '../../dialects/answers/frames.ts'
import type { PassthroughWatcher } from '../../dialects/answers/stream-watcher.ts'
import type { UsageBuckets, Usage } from '../../dialects/answers/usage.ts'
import type { CallFailure } from '../../dialects/answers/call-failure.ts'
import type { CallerDialect } from '../../dialects/dialect.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import type { JsonObject } from '../../dialects/json/json-value.ts'
import type { ProviderObject } from '../../dialects/requests/object-places.ts'
import type { ToolNames } from '../../dialects/requests/sizes.ts'
import type { ReplyBody, RemainingRuns } from '../../ports/upstream.ts'
import type { BodyWithTrailers, UsageReaders } from './trailing-usage.ts'

/** An answer that has started, and how its request was sent. */
export type ProviderAnswer = (WholeAnswer | StreamedAnswer) & {
  upstream_model: string
  /** Request fields that the provider's format cannot express. */
  dropped: string[]
  /** True if the provider speaks the caller's format. */
  same: boolean
  /** The bucket that the provider counts cached tokens in, if its format has one. */
  cached: UsageBuckets['cache_read'] | undefined
}

export interface WholeAnswer {
  kind: 'whole'
  body: Uint8Array
  usage: Usage | undefined
  /** Objects in the answer that the provider stores. */
  objects?: readonly ProviderObject[]
  /** Set if the provider refused to answer or to continue. */
  blocked?: CallFailure
  content_type?: string
}

/** A streamed answer. `rest` continues where `pieces` end. */
export interface StreamedAnswer {
  kind: 'stream'
  /** The pieces that were held back until the first content, and the first content. */
  pieces: OutputPiece[]
  /** True if the end mark has already arrived. */
  ended: boolean
  watcher: PassthroughWatcher
  /** The closing events, once the stream has ended. */
  end?: Uint8Array
  usage: Usage | undefined
  /** Objects in the answer so far that the provider stores. */
  objects?: readonly ProviderObject[]
  rest: RemainingRuns
  /** Reads the usage that the provider reports after the end of the body. */
  behind?: UsageReaders['behind']
  /** Set if the stream broke right after its first content. */
  failure?: CallFailure
  /** Set if the provider refused to answer or to continue. */
  blocked?: CallFailure
  /** Set for an answer that is not an event stream: bytes that are forwarded as they arrive. */
  content_type?: string
}

// Readers and formats of answers.

/** The reader of an answer: the caller's dialect, request and tool names. */
export interface AnswerReader {
  /** Id of the call. Names objects that the provider leaves unnamed. */
  id: string
  dialect: CallerDialect
  head: RequestHead
  /** Maps the tool names that the provider received to the caller's names. */
  tool_names?: ToolNames
  /** True if the stream must be translated, so that it can be ended early. */
  bounded?: boolean
}

/** How an answer of one format is read. */
export interface AnswerFormat {
  /** Parses a separate usage report in this format. */
  parseReportUsage(report: JsonObject): Usage | undefined
  /** Observes an answer that is forwarded as it arrives. */
  watcher?: PassthroughWatcher
  /** The facts known before the end of a forwarded answer that is not an event stream. */
  known?: Pick<StreamedAnswer, 'usage' | 'content_type'>
  /** Collects a stream into a whole answer for a caller who did not ask for a stream. */
  gather?(body: ReplyBody, behind: ReadUsageTrailer): Promise<WholeAnswer | StreamedAnswer>
  /** Parses a whole answer. `report` is the usage that came after it. */
  whole?(body: Uint8Array, report: JsonObject | undefined): WholeAnswer | StreamedAnswer
}

/** Reads the usage that is reported after the end of a body. */
export type ReadUsageTrailer = (body: BodyWithTrailers) => Usage | undefined
