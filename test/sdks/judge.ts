// Compares the result of a case through Weir with the vendor's script and with the direct result.
import { isDeepStrictEqual } from 'node:util'
import type { Heard } from '../vendors/vendor.ts'
import type { Passed } from './front.ts'
import type { Format, Seen } from './library.ts'
import { CITY, HELLO, PERSON, WEATHER, WEATHER_CALL } from './said.ts'

/** A case, what the library made of it, and what passed on the way. */
export interface Played {
  name: string
  seen: Seen
  /** What the library asked. */
  passed: readonly Passed[]
  /** What the vendor heard. */
  heard: readonly Heard[]
}

/** Of each case what the library must give. */
const given: Record<string, object> = {
  chat: { text: HELLO },
  stream: { text: HELLO, streamed: HELLO },
  tools: { text: WEATHER },
  stream_tools: { text: WEATHER, streamed: WEATHER },
  structured: { value: PERSON },
  native: { value: PERSON },
  json_mode: { value: CITY },
  embeddings: { vectors: [0, 1].map(() => Array.from({ length: 8 }, (_, at) => (at === 0 ? 1 : 0))) },
}

/** Cases of a key or a model that is not there. */
export const refusals = ['bad_key', 'unknown_model']

/** What is not as the vendor was told to say; undefined where all is. */
export function faultOf({ name, seen, heard }: Played): string | undefined {
  const { gave, error, calls } = seen
  if (refusals.includes(name)) return error ? undefined : `no error: ${JSON.stringify(gave)}`
  if (error) return `${error.class}: ${error.message}`
  for (const [field, expected] of Object.entries(given[name] ?? {})) {
    const got = (gave as Record<string, unknown>)[field]
    if (field === 'streamed' && got === undefined) continue
    if (!isDeepStrictEqual(got, expected)) return `${field}: ${JSON.stringify(got)}`
  }
  const called = /tools/.test(name) ? [WEATHER_CALL] : []
  if (!isDeepStrictEqual(calls, called)) return `called: ${JSON.stringify(calls)}`
  return gave?.usage && !counted(gave.usage, heard) ? `usage: ${gave.usage}, the vendor's ${shown(heard)}` : undefined
}

/** Weir says what Anthropic leaves to guess, that it is the model that does not exist: DSPy then knows it. */
const plainer: Record<string, string> = { LMUnsupportedModelError: 'LMInvalidRequestError' }

/** How a case through Weir differs from the same one without; undefined where it does not. */
export function differenceOf(through: Played, direct: Played, format: Format, home: boolean): string | undefined {
  // What a library refuses by the model's name, without asking, is its own affair.
  if (through.seen.error && through.passed.length === 0) return undefined
  const fault = faultOf(foretold(through, format, home))
  if (fault) return fault
  const [here, there] = [through, direct].map(({ seen, passed, heard }) => ({
    // Weir says of a wrong key that it is one; Google says that the request is.
    error: format === 'gemini' && through.name === 'bad_key' ? 'any' : plainest(seen.error?.class),
    failed: passed.filter(({ status }) => status >= 400).length,
    refused: refusals.includes(through.name) ? 0 : heard.filter(({ refusal }) => refusal).length,
  }))
  return isDeepStrictEqual(here, there) ? undefined : `${JSON.stringify(here)} instead of ${JSON.stringify(there)}`
}

const plainest = (name: string | undefined) => (name === undefined ? undefined : (plainer[name] ?? name))

/**
 * Anthropic's format says what a prompt took before the first word, other vendors behind the last: libraries that read the
 * first alone are told an estimate there. What the answer took is never one.
 */
function foretold(through: Played, format: Format, home: boolean): Played {
  const { name, seen, heard } = through
  const usage = seen.gave?.usage
  const streamed = format === 'anthropic' && !home && /stream/.test(name)
  if (!streamed || !usage || usage[0] <= 0) return through
  const outputs = heard.flatMap((one) => (one.usage ? [one.usage.completion] : []))
  const known = [outputs.at(-1), outputs.reduce((all, output) => all + output, 0)].includes(usage[1])
  return known ? { ...through, seen: { ...seen, gave: { ...seen.gave, usage: null } } } : through
}

/** Is it what the vendor reported: of the last answer or of all of them, with or without what a cache held? */
function counted([input, output]: [number, number], heard: readonly Heard[]): boolean {
  const usages = heard.flatMap(({ usage }) => (usage ? [usage] : []))
  return [usages, usages.slice(-1)].some((some) => {
    const sum = (of: (usage: (typeof usages)[number]) => number) => some.reduce((all, usage) => all + of(usage), 0)
    const prompts = [sum(({ prompt }) => prompt), sum((usage) => usage.prompt - usage.cache_read - usage.cache_write)]
    return prompts.includes(input) && sum(({ completion }) => completion) === output
  })
}

const shown = (heard: readonly Heard[]): string =>
  heard.flatMap(({ usage }) => (usage ? [`${usage.prompt},${usage.completion}`] : [])).join(' + ')
