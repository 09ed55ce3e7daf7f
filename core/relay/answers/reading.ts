// What an answer is read by, whatever was asked for.
import type { RequestHead } from '../../dialects/head.ts'
import type { ToolNames } from '../../dialects/sizes.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Watcher } from '../../dialects/glance.ts'
import type { AnyDialect } from '../../dialects/dialect.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import type { ReplyBody } from '../../ports/upstream.ts'
import type { StreamAnswer, WholeAnswer } from './answer.ts'
import type { BodyWithTrailers } from './trailers.ts'

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
