// Chooses the tokenizer encoding of a model (docs/billing.md, 12.1).
import type { TokenizerEncoding } from '../ports/tokenizer.ts'

const NEWER = /^gpt-4(o|\.1|\.5)/
const OLDER = /^(gpt-4|gpt-3\.5|text-embedding-)/

/** The older encoder for the models that used it; the newer one for all others, of other makers as an estimate. */
export const getEncoding = (model: string): TokenizerEncoding =>
  !NEWER.test(model) && OLDER.test(model) ? 'cl100k_base' : 'o200k_base'
