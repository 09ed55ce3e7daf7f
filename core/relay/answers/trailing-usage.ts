// Reads the usage that a provider sends after the end of an answer or after an error. Waits briefly: a connection that
// never closes must not block the call.
import type { WireFormat } from '../../dialects/format.ts'
import { asObject, type JsonObject, parseJson } from '../../dialects/json/json-value.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RemainingRuns } from '../../ports/upstream.ts'

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
