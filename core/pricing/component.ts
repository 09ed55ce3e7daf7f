// The type of a price component: a countable quantity of a call, with everything that is declared about it.
import { findByWord, type PriceWord } from '../dialects/requests/price-words.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { Language } from '../errors.ts'
import type { Operation } from '../models/operation.ts'
import type { CallPrice, Price, UsagePrice } from './price.ts'

/** `piece`: sold one by one, as pictures are. `call`: a call of the model, or of one of its provider's tools. */
export type PriceUnit = 'token' | 'character' | 'second' | 'piece' | 'call'

/**
 * A product of decimals with the price of one plain input token (`ratio`) or with one USD (`dollars`), in the group;
 * divided by `over`, with twelve decimal places if the quotient does not end.
 */
export interface PriceFactors {
  of: 'ratio' | 'dollars'
  times: readonly number[]
  over?: number
}

/**
 * The price of one unit of a component, or the usage that already includes it: the component that it is part of, the
 * whole call, or everything else that the call uses.
 */
type Rule<P> = ((price: P) => PriceFactors) | 'in_whole' | 'in_call' | 'in_usage'

/** A count of one kind, for a component with several prices: pictures by size, tools by name. */
export interface ComponentKind {
  count: number
  label?: string
  /** Factors of the kind on the component's rate. */
  times: readonly number[]
}

/** One row of a price list: its label, empty for the plain one, and what it makes of the component's rate. */
export type ListedKind = readonly [label: string, times: number]

/** The size of a request before it runs. Chat, embeddings and rerank have a prompt; others have further members. */
export interface RequestSize {
  /** Tokens. */
  prompt_estimate: number
  max_tokens?: number
  /** Unicode characters of speech synthesis. */
  characters?: number
  /** Seconds of a transcription. */
  seconds?: number
  /** Seconds of requested video. */
  video_seconds?: number
  film?: Omit<ImageRequest, 'n'>
  /** Number of drawings or songs. */
  tasks?: number
  images?: ImageRequest
  /** Words that its price may depend on. */
  words?: readonly PriceWord[]
}

/** The counts of `Usage` that are single numbers. */
export type CountedUsage = NonNullable<
  { [K in keyof Usage]-?: NonNullable<Usage[K]> extends number ? K : never }[keyof Usage]
>

/**
 * The limit for a reported count: the tokens that the request can have had (`cut`: the count of the prompt that is
 * reduced first) or requested, the seconds of sound that its bytes allow, a number, or none, because request or answer
 * contain the count.
 */
export type ComponentLimit =
  { by: 'prompt'; cut: number } | { by: 'answer' } | { by: 'sound' } | { by: 'number'; most: number } | { by: 'told' }

/** A part of a price for which tiers have a separate factor. */
export type TierFactor = 'input' | 'output' | 'cache_read' | 'cache_write'

export interface PriceComponent {
  unit: PriceUnit
  label: Record<Language, string>
  /** Its number in `Usage`, if it has one. */
  field?: CountedUsage
  /** Its number is in the number of this one, too. */
  partOf?: 'input' | 'output'
  /** The tokens that this component replaces if there are any of it: the two are never both charged. */
  insteadOf?: 'input' | 'output'
  /** Returns the count that is charged as this component, without parts that are charged separately. */
  count(usage: Usage): number
  /** Returns the counts by kind, if it has several prices. */
  kinds?(usage: Usage, price: Price): readonly ComponentKind[]
  rate: { per_usage: Rule<UsagePrice>; per_call: Rule<CallPrice> }
  /**
   * Returns the rows of a price list for a model of this kind; empty to leave it out. Without this function it is
   * listed as itself.
   */
  listKinds?(price: Price, kind: Operation): readonly ListedKind[]
  /** The factor of a price tier that applies; null if the price is the same in every tier. */
  follows: TierFactor | null
  /**
   * Returns the count that a call holds for; undefined if the request does not limit it. The last component of the
   * table with a value wins.
   */
  held?(size: RequestSize, leastTokens: number): number | undefined
  limit: ComponentLimit
  /** Name in a log row's detail and in a receipt; undefined if the row has a column for it. */
  log?: string
  /**
   * Returns the value stored under that name if it is not the count, or if 0 is stored as well; undefined for nothing.
   */
  logged?(usage: Usage): number | undefined
}

const INCLUDED = { per_usage: ['in_whole', 'in_usage'], per_call: ['in_whole', 'in_call'] } as const

/** @throws Error if a component has no price rule, so that a forgotten rule gives nothing away */
export function defineComponents<const K extends string>(table: Record<K, PriceComponent>): Record<K, PriceComponent> {
  for (const [what, { rate, partOf }] of Object.entries<PriceComponent>(table)) {
    for (const kind of ['per_usage', 'per_call'] as const) {
      const rule = rate?.[kind]
      const isIncluded = INCLUDED[kind].some((included) => included === rule)
      const isPriced = typeof rule === 'function' || (isIncluded && (rule !== 'in_whole' || partOf !== undefined))
      if (!isPriced) throw new Error(`The component ${what} has no price (${kind}): say what one of it costs`)
    }
  }
  return table
}

// Returns the factors of size and quality on the price of a generated image.

/** The requested images of a call: number, size (`1024x1024`) and quality (`hd`). */
interface ImageRequest {
  n: number
  size?: string
  quality?: string
}

/**
 * Returns the factors to multiply: the one of `quality:size` if the table has it, else those of size and quality. An
 * unlisted word counts as 1 (docs/billing.md, 4.7).
 */
export function getImageFactors(
  table: Record<string, number> | undefined,
  { size, quality }: Omit<ImageRequest, 'n'>,
): readonly number[] {
  const of = (key: string | undefined) => (key === undefined ? undefined : findByWord(table, key))
  const together = size !== undefined && quality !== undefined ? of(`${quality}:${size}`) : undefined
  return together === undefined ? [of(size) ?? 1, of(quality) ?? 1] : [together]
}

/** Size and quality, as a bill has them. */
export const formatKindLabel = ({ size, quality }: Omit<ImageRequest, 'n'>): string =>
  [size, quality].filter((part) => part !== undefined).join(' ')
