// Converts token counting of prompts to and from Google's format.
import type { TokenCount } from '../dialect.ts'
import { jsonBytes } from '../json-bytes.ts'
import { getMember, asNumber, asObject, parseJsonBytes } from '../json-value.ts'

export const promptCount: TokenCount = {
  // Only plain turns can be counted directly. With a system prompt and tools they are nested as a whole request.
  ask: (request, model) =>
    jsonBytes({ generateContentRequest: { model: `models/${model}`, ...asObject(parseJsonBytes(request)) } }),
  read: (answer) => asNumber(getMember(parseJsonBytes(answer), 'totalTokens')),
  write: (totalTokens) =>
    jsonBytes({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}
