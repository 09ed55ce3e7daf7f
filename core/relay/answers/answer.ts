// An answer in progress, in the caller's format, and the usage that a provider sends after its end.
import type { CallFailure } from '../../dialects/answers/call-failure.ts'
import type { OutputPiece } from '../../dialects/answers/frames.ts'
import type { PassthroughWatcher } from '../../dialects/answers/stream-watcher.ts'
import type { Usage, UsageBuckets } from '../../dialects/answers/usage.ts'
import type { CallerDialect } from '../../dialects/dialect.ts'
import type { WireFormat } from '../../dialects/format.ts'
import { asObject, type JsonObject, parseJson } from '../../dialects/json/json-value.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import type { ProviderObject } from '../../dialects/requests/object-places.ts'
import type { ToolNames } from '../../dialects/requests/sizes.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RemainingRuns, ReplyBody } from '../../ports/upstream.ts'

/** An answer that has started, and how its request was sent. */
export type ProviderAnswer = (WholeAnswer | StreamedAnswer) & {
  upstream_model: string
  /** Request fields that the provider's format cannot express. */
  dropped: string[]
  /** True if the provider uses the client's format. */
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

// Reads the usage that a provider sends after the end of an answer or after an error. Waits briefly: a connection that
// never closes must not block the call.

/** Maximum wait without a usage report so far, and with one that may only be replaced. Unit: ms. */
const WAIT_MS = 1000
const SHORT_WAIT_MS = 250
/** Maximum number of bytes read; a usage report is shorter. */
const MOST_BYTES = 64 * 1024

/** Usage parsers for a run of the body and for its trailers. */
export interface UsageReaders {
  in(run: Uint8Array): Usage | undefined
  behind?(body: BodyWithTrailers): Usage | undefined
}

/**
 * Returns the usage, updated by the runs that still arrive and by the trailers. Bodies that cannot be released while a
 * read is pending are not read further.
 */
export async function readTrailingUsage(
  rest: RemainingRuns,
  usage: Usage | undefined,
  readers: UsageReaders,
  clock: Clock,
): Promise<Usage | undefined> {
  if (!rest.isExhausted) return usage
  const last = rest.isExhausted() ? usage : await readLateUsage(rest, usage, readers, clock)
  return readers.behind?.(rest) ?? last
}

async function readLateUsage(
  rest: RemainingRuns,
  usage: Usage | undefined,
  readers: UsageReaders,
  clock: Clock,
): Promise<Usage | undefined> {
  let last = usage
  let stop = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    stop = clock.every(usage ? SHORT_WAIT_MS : WAIT_MS, () => resolve(undefined))
  })
  try {
    for (let remaining = MOST_BYTES; remaining > 0;) {
      const next = await Promise.race([rest.next(), late])
      if (!next || next.done) break
      last = readers.in(next.value) ?? last
      remaining -= next.value.length
    }
  } catch {
    // The body broke off: no more usage will arrive.
  } finally {
    stop()
  }
  return last
}

/** Releases a body: cancels it at its provider, without waiting for that. */
export function cancelProviderBody(rest: RemainingRuns): void {
  Promise.resolve(rest.return?.()).catch(() => undefined)
}

// Usage in HTTP trailers: JSON under a name that contains `usage`, or with a usage member.

/** Trailers are available once the body has been read to its end. */
export interface BodyWithTrailers {
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** Returns the members that an answer with this usage report has. */
export function readUsageTrailer(
  body: BodyWithTrailers,
  { usageKeys }: Pick<WireFormat, 'usageKeys'>,
): JsonObject | undefined {
  const trailers = body.trailed?.()
  if (!trailers) return undefined
  for (const [name, text] of Object.entries(trailers)) {
    const report = asObject(parseJson(text))
    if (!report) continue
    if (usageKeys.some((key) => report[key])) return report
    if (/usage/i.test(name)) return { [usageKeys[0] ?? 'usage']: report }
  }
  return undefined
}
