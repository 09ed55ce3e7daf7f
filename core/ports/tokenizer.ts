/** The encodings of models' tokenizers. */
export type TokenizerEncoding = 'o200k_base' | 'cl100k_base'

/** Counts tokens exactly, away from the event loop. */
export interface Tokenizer {
  /**
   * Returns the number of tokens of all texts together. Never rejects: texts that cannot be counted in time are
   * estimated.
   */
  count(texts: readonly string[], encoding: TokenizerEncoding): Promise<number>
  /** True if the queue is full, so that another count would be estimated. */
  isBusy(): boolean
  close(): Promise<void>
}
