// How many tokens a prompt has, as Google is asked and answers.
import type { TokenCount } from '../dialect.ts'
import { jsonBytes } from '../json-bytes.ts'
import { getMember, asNumber, asObject, parsedBytes } from '../json-value.ts'

export const promptCount: TokenCount = {
  // The turns alone may be asked about as they are; with system words and tools they are a request in the request.
  ask: (request, model) =>
    jsonBytes({ generateContentRequest: { model: `models/${model}`, ...asObject(parsedBytes(request)) } }),
  read: (answer) => asNumber(getMember(parsedBytes(answer), 'totalTokens')),
  write: (totalTokens) =>
    jsonBytes({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}
