// The form of the data file of facts (`model-facts.data.ts`), which `npm run facts` writes.
import type { Operation } from './operation.ts'

/** A vendor's price in USD: of 1M tokens, of one call or picture (`call`), of one second of video (`video`). */
export interface VendorPrice {
  readonly input?: number
  readonly output?: number
  readonly cache_read?: number
  readonly cache_write?: number
  readonly cache_write_1h?: number
  readonly image_input?: number
  readonly audio_input?: number
  readonly audio_output?: number
  readonly call?: number
  readonly video?: number
}

/** The factors by which the parts of the price change for prompts of more tokens than `above`. */
export interface VendorTier {
  readonly above: number
  readonly factor: {
    readonly input: number
    readonly output: number
    readonly cache_read?: number
    readonly cache_write?: number
  }
}

/**
 * The facts of one model. Numbers are tokens, 0 if unknown; the day of release is like `2025-11-24`, or empty; input
 * and output are words separated by spaces, such as `text image`; null if no list has a price that Weir can charge by;
 * the last member is missing if long prompts cost no more.
 */
export type FactRow = readonly [
  name: string,
  vendor: string,
  kind: Operation,
  context: number,
  output: number,
  released: string,
  reads: string,
  writes: string,
  usd: VendorPrice | null,
  longer?: readonly VendorTier[],
]

/** A list that the facts were taken from. */
export interface FactSource {
  readonly name: string
  readonly models: number
  /** The latest day in it; empty if it has no days. */
  readonly newest: string
  /** Hash of the copy that was read. */
  readonly sha256: string
}

export interface FactsFile {
  /** The day on which the copies were read, as `2026-11-29`. */
  readonly date: string
  readonly sources: readonly FactSource[]
  readonly models: readonly FactRow[]
}
