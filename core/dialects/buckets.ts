// What a report counts inside what, brought to disjoint counters (docs/billing.md, 4.0, 4.1 and 5).
import type { Usage } from './usage.ts'

/** A count of its own in a report that may be a part of another one. */
export type Bucket =
  'cache_read' | 'cache_write' | 'cache_write_1h' | 'audio_in' | 'image_in' | 'audio_out' | 'image_out' | 'reasoning'

/** `inside`: the prompt's or the answer's own count has it too. `beside`: it comes on top of it. */
export type Buckets = Readonly<Record<Bucket, 'inside' | 'beside'>>

/** What most providers do: each part is in its whole. */
export const ALL_INSIDE: Buckets = {
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
export type Report = Record<Bucket, number> & {
  prompt: number
  answer: number
  /** Of prompt and answer together, 0 where it is not told. */
  total: number
}

/**
 * Disjoint counters of a report. A part never shrinks to its whole: only the plain rest is bounded by zero, so that a
 * provider that mixes both readings is not paid less for it. What the total has more than prompt and answer is answer:
 * some tell their thoughts nowhere else.
 */
export function disjoint(report: Report, where: Buckets): Usage {
  const { prompt, answer, total, cache_read, cache_write, cache_write_1h, reasoning } = report
  const { audio_in, image_in, audio_out, image_out } = report
  const cached = cache_read + cache_write + cache_write_1h
  const cachedInside =
    inside(where.cache_read, cache_read) +
    inside(where.cache_write, cache_write) +
    inside(where.cache_write_1h, cache_write_1h)
  const heardInside = inside(where.audio_in, audio_in) + inside(where.image_in, image_in)
  const spokenInside = inside(where.audio_out, audio_out) + inside(where.image_out, image_out)
  const input = Math.max(0, prompt - cachedInside - heardInside) + audio_in + image_in
  const plain = Math.max(0, answer - spokenInside)
  // Thoughts are never told by sound or pictures.
  const text = where.reasoning === 'inside' ? Math.max(plain, reasoning) : plain + reasoning
  const said = text + audio_out + image_out
  // More cached than asked: the total may count it on top of the prompt.
  const onTop = cachedInside > prompt && total === prompt + cached + said
  const asked = prompt + (onTop ? cached : cached - cachedInside)
  return {
    input,
    cache_read,
    cache_write,
    cache_write_1h,
    output: Math.max(said, total - asked),
    reasoning,
    ...(audio_in > 0 ? { audio_in } : undefined),
    ...(image_in > 0 ? { image_in } : undefined),
    ...(audio_out > 0 ? { audio_out } : undefined),
    ...(image_out > 0 ? { image_out } : undefined),
    source: 'reported',
  }
}

const inside = (where: 'inside' | 'beside', count: number): number => (where === 'inside' ? count : 0)

/** Does the report count any token? */
export const countsTokens = ({ input, cache_read, cache_write, cache_write_1h, output }: Usage): boolean =>
  input + cache_read + cache_write + cache_write_1h + output > 0
