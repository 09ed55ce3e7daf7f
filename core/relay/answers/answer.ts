// An answer that has begun, in the caller's own format.
import type { Buckets } from '../../dialects/buckets.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import type { AnyDialect } from '../../dialects/dialect.ts'
import type { Piece } from '../../dialects/frame.ts'
import type { Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import type { NamedObject } from '../../dialects/object-places.ts'
import type { ToolNames } from '../../dialects/sizes.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { ReplyBody, Runs } from '../../ports/upstream.ts'
import type { BodyWithTrailers, UsageReaders } from './trailing-usage.ts'

/** An answer that has begun, and how it was asked for. */
export type Answer = (WholeAnswer | StreamAnswer) & {
  upstream_model: string
  /** Names what the provider's format has no word for. */
  dropped: string[]
  /** The provider speaks the caller's own format. */
  same: boolean
  /** Where the provider counts what is cached, if its format says so. */
  cached: Buckets['cache_read'] | undefined
}

export interface WholeAnswer {
  kind: 'whole'
  body: Uint8Array
  usage: Usage | undefined
  /** Objects that the provider keeps, given in it. */
  objects?: readonly NamedObject[]
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  content_type?: string
}

/** `rest` goes on where `pieces` stop. */
export interface StreamAnswer {
  kind: 'stream'
  /** What was kept back until the first content, and the content. */
  pieces: Piece[]
  /** The end mark has come already. */
  ended: boolean
  watcher: Watcher
  /** What ends it, once it has ended. */
  end?: Uint8Array
  usage: Usage | undefined
  /** Objects that the provider keeps, given so far. */
  objects?: readonly NamedObject[]
  rest: Runs
  /** What its provider reports behind it. */
  behind?: UsageReaders['behind']
  /** It broke right behind its first content. */
  failure?: CallFailure
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  /** Of an answer that is no stream of events: bytes that pass as they come. */
  content_type?: string
}

// What an answer is read by, whatever was asked for.

/** Who reads an answer. */
export interface AnswerReader {
  /** Of the call: names what its provider leaves without a name. */
  id: string
  dialect: AnyDialect
  head: RequestHead
  /** The caller's own names of tools, where the provider was given others. */
  tool_names?: ToolNames
  /** A stream is to be one that can be ended: written anew. */
  bounded?: boolean
}

/** What an answer of that format is read by. */
export interface AnswerFormat {
  /** A report that stands alone, as that format's. */
  usageIn(report: JsonObject): Usage | undefined
  /** Sees it pass, where it passes as it comes. */
  watcher?: Watcher
  /** What is known of it before it is over, where it passes and is no stream of events. */
  known?: Pick<StreamAnswer, 'usage' | 'content_type'>
  /** Makes one piece of a stream, where nobody asked for one. */
  gather?(body: ReplyBody, behind: ReadUsageTrailer): Promise<WholeAnswer | StreamAnswer>
  /** Reads one that came whole; `report` came behind it. */
  whole?(body: Uint8Array, report: JsonObject | undefined): WholeAnswer | StreamAnswer
}

/** What is reported of usage behind the end of a body. */
export type ReadUsageTrailer = (body: BodyWithTrailers) => Usage | undefined
