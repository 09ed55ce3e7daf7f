// What a provider says behind the end of its answer, or behind its failure: only what it reports of usage counts. Read on
// for a moment, so that a charge is right, and no longer, so that who never hangs up holds nobody.
import type { Format } from '../../dialects/format.ts'
import { asObject, type JsonObject, parseJson } from '../../dialects/json-value.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Runs } from '../../ports/upstream.ts'

/** Where nothing was reported yet, and where the report may only be replaced. Unit: ms. */
const WAIT_MS = 1000
const SHORT_WAIT_MS = 250
/** More is no report. */
const MOST_BYTES = 64 * 1024

/** What is heard of usage: in a run of the body, and in what came behind it. */
export interface UsageReaders {
  in(run: Uint8Array): Usage | undefined
  behind?(body: BodyWithTrailers): Usage | undefined
}

/**
 * The usage with what is heard in the runs that still come, and behind them. Bodies that cannot be let go while they are
 * waited for are not read on.
 */
export async function readTrailingUsage(
  rest: Runs,
  usage: Usage | undefined,
  hearing: UsageReaders,
  clock: Clock,
): Promise<Usage | undefined> {
  if (!rest.isExhausted) return usage
  const last = rest.isExhausted() ? usage : await spoken(rest, usage, hearing, clock)
  return hearing.behind?.(rest) ?? last
}

async function spoken(
  rest: Runs,
  usage: Usage | undefined,
  hearing: UsageReaders,
  clock: Clock,
): Promise<Usage | undefined> {
  let last = usage
  let stop = (): void => {}
  const late = new Promise<undefined>((resolve) => {
    stop = clock.every(usage ? SHORT_WAIT_MS : WAIT_MS, () => resolve(undefined))
  })
  try {
    for (let left = MOST_BYTES; left > 0;) {
      const next = await Promise.race([rest.next(), late])
      if (!next || next.done) break
      last = hearing.in(next.value) ?? last
      left -= next.value.length
    }
  } catch {
    // It broke off: there is no more to hear.
  } finally {
    stop()
  }
  return last
}

/** Lets a body go: its provider is told at once, and nobody waits for that. */
export function cancelBody(rest: Runs): void {
  Promise.resolve(rest.return?.()).catch(() => undefined)
}

// What a provider reports of usage behind the body of its answer: JSON in a trailer of HTTP, under a name that says usage
// or with a member that does.

/** A body that has come to its end knows what came behind it. */
export interface BodyWithTrailers {
  trailed?(): Readonly<Record<string, string>> | undefined
}

/** The members that an answer with this report has. */
export function readUsageTrailer(
  body: BodyWithTrailers,
  { usageKeys }: Pick<Format, 'usageKeys'>,
): JsonObject | undefined {
  const trailers = body.trailed?.()
  if (!trailers) return undefined
  for (const [name, text] of Object.entries(trailers)) {
    const said = asObject(parseJson(text))
    if (!said) continue
    if (usageKeys.some((key) => said[key])) return said
    if (/usage/i.test(name)) return { [usageKeys[0] ?? 'usage']: said }
  }
  return undefined
}
