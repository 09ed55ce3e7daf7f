/** The encoders that models' texts are cut with. */
export type Encoding = 'o200k_base' | 'cl100k_base'

/** Counts tokens exactly, away from the event loop. */
export interface Tokenizer {
  /** Tokens of all texts together. Never rejects: what cannot be counted in good time is estimated. */
  count(texts: readonly string[], encoding: Encoding): Promise<number>
  /** Would one more count be estimated, because so many wait? */
  busy(): boolean
  close(): Promise<void>
}
