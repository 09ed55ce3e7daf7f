// The usage of one call, as its provider reported it or as it was estimated.

/**
 * Disjoint counts of one call: nothing is counted in two of the first five. Units: tokens. Counts that the format lacks
 * or did not report are undefined and count as 0.
 */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  input: number
  cache_read: number
  /** Written to the provider's cache for 5 minutes or an unknown time. */
  cache_write: number
  cache_write_1h: number
  output: number
  /** Part of output: shown, never added. */
  reasoning: number
  /** Parts of input with separate prices. */
  audio_in?: number
  image_in?: number
  /** Parts of output. */
  audio_out?: number
  image_out?: number
  /** For speech synthesis: Unicode characters of the text. */
  characters?: number
  /** For transcription without reported tokens: the length of the audio. */
  seconds?: number
  /** For generated video without reported tokens: its length. */
  video_seconds?: number
  /**
   * Properties that determine the price of such a video: resolution (`1080p`) as its size, `sound` or `silent` as its
   * quality.
   */
  film?: { size?: string; quality?: string }
  /** Number of drawings and pieces of music, which are sold individually. */
  tasks?: number
  /** Generated images, if they are sold individually. */
  images?: { n: number; size?: string; quality?: string }
  /** Calls of the provider's hosted tools, by the names of the tool prices. */
  calls?: Record<string, number>
  /** The service tier that the provider reports: `flex`, `priority`, `batch` … */
  service_tier?: string
  /** The region in which the model ran, as reported or else as requested: `us`. */
  inference_geo?: string
  source: 'reported' | 'estimated'
  /** Basis of the estimate, if the usage was not reported. */
  estimated_by?: EstimatedBy
}

/**
 * By the length of the texts, by our own tokenizer, by the text of the answer after a report that came too early; for
 * audio by the length of the file, or by its size if its length cannot be read.
 */
export type EstimatedBy = 'text' | 'tokenizer' | 'answer_text' | 'sound_length' | 'sound_size'

// Converts overlapping token counts of a report to disjoint counters (docs/billing.md, 4.0, 4.1 and 5).

/** A count in a report that may be part of another count. */
export type UsageBucket =
  'cache_read' | 'cache_write' | 'cache_write_1h' | 'audio_in' | 'image_in' | 'audio_out' | 'image_out' | 'reasoning'

/** `inside`: included in the count of the prompt or answer. `beside`: counted in addition to it. */
export type UsageBuckets = Readonly<Record<UsageBucket, 'inside' | 'beside'>>

/** The usual counting: each part is included in its whole. */
export const ALL_COUNTS_INSIDE: UsageBuckets = {
  cache_read: 'inside',
  cache_write: 'inside',
  cache_write_1h: 'inside',
  audio_in: 'inside',
  image_in: 'inside',
  audio_out: 'inside',
  image_out: 'inside',
  reasoning: 'inside',
}

/** Counts as a provider reports them. Units: tokens. */
export type UsageReport = Record<UsageBucket, number> & {
  prompt: number
  answer: number
  /** Total of prompt and answer; 0 if not reported. */
  total: number
}

/**
 * Returns the disjoint counters of a report: the plain input, its parts and its cached tokens never add up to more than
 * the reported prompt. A single part that is larger than its prompt stays as it is, so that a provider that mixes both
 * ways of counting is not paid less for it. Tokens of the total beyond prompt and answer count as output, since some
 * providers report reasoning nowhere else.
 */
export function toDisjointCounts(report: UsageReport, where: UsageBuckets): Usage {
  const { prompt, answer, total, reasoning, audio_out, image_out } = report
  const spokenInside = inside(where.audio_out, audio_out) + inside(where.image_out, image_out)
  const plain = Math.max(0, answer - spokenInside)
  // Reasoning has no audio or images, and reasoning that exceeds the answer is not part of it.
  const text = where.reasoning === 'inside' && reasoning <= plain ? plain : plain + reasoning
  const output = text + audio_out + image_out
  let cached = 0
  let cachedInside = 0
  for (const bucket of OF_CACHE) {
    cached += report[bucket]
    cachedInside += inside(where[bucket], report[bucket])
  }
  // More tokens cached than in the prompt: the total may count them in addition to the prompt.
  const onTop = cachedInside > prompt && total === prompt + cached + output
  const promptTotal = prompt + (onTop ? cached : cached - cachedInside)
  const { input, cache_read, cache_write, cache_write_1h, audio_in, image_in } = promptParts(
    report,
    where,
    onTop ? undefined : cachedInside,
  )
  return {
    input,
    cache_read,
    cache_write,
    cache_write_1h,
    output: Math.max(output, total - promptTotal),
    reasoning,
    ...(audio_in > 0 ? { audio_in } : undefined),
    ...(image_in > 0 ? { image_in } : undefined),
    ...(audio_out > 0 ? { audio_out } : undefined),
    ...(image_out > 0 ? { image_out } : undefined),
    source: 'reported',
  }
}

/** Parts of a prompt, the cheapest first: if they exceed its total, the most expensive are cut. */
const OF_CACHE = ['cache_read', 'cache_write', 'cache_write_1h'] as const
const OF_MEDIA = ['image_in', 'audio_in'] as const
const OF_PROMPT = [...OF_CACHE, ...OF_MEDIA]

type PromptParts = Record<(typeof OF_PROMPT)[number] | 'input', number>

/**
 * Returns the input and its parts. Text counts as cached first. If more was cached than the text, and the report does
 * not name the cached parts, images and audio count as cached, so that no token is charged twice.
 * @param cachedInside cached tokens included in the prompt; undefined if the parts may exceed the prompt
 */
function promptParts(report: UsageReport, where: UsageBuckets, cachedInside: number | undefined): PromptParts {
  const { prompt, cache_read, cache_write, cache_write_1h, audio_in, image_in } = report
  const parts = { cache_read, cache_write, cache_write_1h, audio_in, image_in, input: 0 }
  let sum = 0
  let whole = prompt
  for (const bucket of OF_PROMPT) {
    const count = inside(where[bucket], report[bucket])
    sum += count
    whole = Math.max(whole, count)
  }
  if (sum > whole && cachedInside !== undefined) {
    let cached = cachedInside
    for (const bucket of OF_MEDIA.toReversed()) {
      const covered = inside(where[bucket], Math.min(parts[bucket], cached))
      parts[bucket] -= covered
      cached -= covered
    }
    let room = whole
    for (const bucket of OF_PROMPT) {
      if (where[bucket] === 'beside') continue
      parts[bucket] = Math.min(parts[bucket], room)
      room -= parts[bucket]
    }
  }
  let plain = prompt
  for (const bucket of OF_PROMPT) plain -= inside(where[bucket], parts[bucket])
  parts.input = Math.max(0, plain) + parts.audio_in + parts.image_in
  return parts
}

/**
 * Returns the tokens written to a cache, by lifetime. Tokens of the total beyond its parts have a lifetime of five
 * minutes. Parts that exceed the total are cut to it, those of an hour first.
 * @param total 0 if not reported
 */
export function countCacheWrites(total: number, fiveMinutes: number, hour: number) {
  const whole = total === 0 ? fiveMinutes + hour : total
  const cache_write_1h = Math.min(hour, Math.max(0, whole - fiveMinutes))
  return { cache_write: whole - cache_write_1h, cache_write_1h }
}

const inside = (where: 'inside' | 'beside', count: number): number => (where === 'inside' ? count : 0)

/** Does the report count any token? */
export const hasTokenCounts = ({ input, cache_read, cache_write, cache_write_1h, output }: Usage): boolean =>
  input + cache_read + cache_write + cache_write_1h + output > 0
