// What a provider reports of usage behind the body of its answer: JSON in a trailer of HTTP, under a name that says usage
// or with a member that does.
import type { Format } from '../../dialects/format.ts'
import { asObject, parsed, type JsonObject } from '../../dialects/json-value.ts'

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
    const said = asObject(parsed(text))
    if (!said) continue
    if (usageKeys.some((key) => said[key])) return said
    if (/usage/i.test(name)) return { [usageKeys[0] ?? 'usage']: said }
  }
  return undefined
}
