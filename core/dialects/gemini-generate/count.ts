// Converts token counting of prompts to and from Google's format.
import type { TokenCount } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { getMember, asFiniteNumber, asObject, parseJsonBytes } from '../json/json-value.ts'

export const promptTokenCount: TokenCount = {
  // Only plain turns can be counted directly. With a system prompt and tools they are nested as a whole request.
  ask: (request, model) =>
    toJsonBytes({ generateContentRequest: { model: `models/${model}`, ...asObject(parseJsonBytes(request)) } }),
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'totalTokens')),
  write: (totalTokens) =>
    toJsonBytes({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}
