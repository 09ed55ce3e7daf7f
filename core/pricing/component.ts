// The shape of a component: something that can be counted of a call, and what is declared of it once.
import type { PriceWord } from '../dialects/price-words.ts'
import type { Usage } from '../dialects/usage.ts'
import type { Language } from '../errors.ts'
import type { Operation } from '../models/operation.ts'
import type { Images } from './image-factors.ts'
import type { CallPrice, Price, UsagePrice } from './price.ts'

/** `piece`: sold one by one, as pictures are. `call`: a call of the model, or of one of its provider's tools. */
export type Unit = 'token' | 'character' | 'second' | 'piece' | 'call'

/**
 * A product of decimals, from what one plain token of input costs (`ratio`), or one USD (`dollars`), in the group; divided
 * by `over`, to twelve places where it does not end.
 */
export interface Factors {
  of: 'ratio' | 'dollars'
  times: readonly number[]
  over?: number
}

/**
 * What one of a component costs; or in what its price is: in that of what it is a part of, in that of the whole call, or
 * in those of everything else that the call uses.
 */
type Rule<P> = ((price: P) => Factors) | 'in_whole' | 'in_call' | 'in_usage'

/** So many of one kind, where one component is sold at several prices: pictures by size, tools by name. */
export interface ComponentKind {
  count: number
  label?: string
  /** What the kind makes of the component's rate. */
  times: readonly number[]
}

/** One row of a price list: its label, empty for the plain one, and what it makes of the component's rate. */
export type ListedKind = readonly [label: string, times: number]

/** What a request says about its size before it runs. Chat and embeddings and rerank have a prompt; others say more. */
export interface Sized {
  /** Tokens. */
  prompt_estimate: number
  max_tokens?: number
  /** Of speech synthesis: Unicode characters. */
  characters?: number
  /** Of transcription. */
  seconds?: number
  /** Of video to be made. */
  video_seconds?: number
  film?: Omit<Images, 'n'>
  /** Of drawings and music. */
  tasks?: number
  images?: Images
  /** Words that its price may depend on. */
  words?: readonly PriceWord[]
}

/** The counts of `Usage` that are single numbers. */
export type Counted = NonNullable<
  { [K in keyof Usage]-?: NonNullable<Usage[K]> extends number ? K : never }[keyof Usage]
>

/**
 * How far a report is believed: to as many tokens as the request can have had (`cut`: which count of the prompt shrinks
 * first) or asked for, to the seconds of sound that its bytes can be, to a number, or as it is, because request or answer
 * have it themselves.
 */
export type ComponentLimit =
  { by: 'prompt'; cut: number } | { by: 'answer' } | { by: 'sound' } | { by: 'number'; most: number } | { by: 'told' }

/** What a price tier has a factor of its own for. */
export type TierFactor = 'input' | 'output' | 'cache_read' | 'cache_write'

export interface Component {
  unit: Unit
  label: Record<Language, string>
  /** Its number in `Usage`, where it is one. */
  field?: Counted
  /** Its number is in the number of this one, too. */
  partOf?: 'input' | 'output'
  /** What is counted in tokens of this one, where there are any: never charged both ways. */
  insteadOf?: 'input' | 'output'
  /** How many are charged as this component: without what is charged apart. */
  count(usage: Usage): number
  /** The same by kinds, where it is sold at several prices. */
  kinds?(usage: Usage, price: Price): readonly ComponentKind[]
  rate: { per_usage: Rule<UsagePrice>; per_call: Rule<CallPrice> }
  /** As what a price list has it for a model of this kind; without it, as itself. Nothing where it would say nothing. */
  listed?(price: Price, kind: Operation): readonly ListedKind[]
  /** Which factor of a price tier applies; null for what costs the same at every tier. */
  follows: TierFactor | null
  /** How much of it a call holds for that says so; of several the last one in this table. */
  held?(asked: Sized, leastTokens: number): number | undefined
  limit: ComponentLimit
  /** Under which name a log row's detail and a receipt have it; without one the row has a column for it. */
  log?: string
  /** What stands under that name where it is not the count, or where 0 is told too; undefined for nothing. */
  logged?(usage: Usage): number | undefined
}

const INCLUDED = { per_usage: ['in_whole', 'in_usage'], per_call: ['in_whole', 'in_call'] } as const

/** @throws Error where a component has no rule for its price: nothing is given away because somebody forgot it */
export function defineComponents<const K extends string>(table: Record<K, Component>): Record<K, Component> {
  for (const [what, { rate, partOf }] of Object.entries<Component>(table)) {
    for (const kind of ['per_usage', 'per_call'] as const) {
      const rule = rate?.[kind]
      const isIncluded = INCLUDED[kind].some((included) => included === rule)
      const isPriced = typeof rule === 'function' || (isIncluded && (rule !== 'in_whole' || partOf !== undefined))
      if (!isPriced) throw new Error(`The component ${what} has no price (${kind}): say what one of it costs`)
    }
  }
  return table
}
