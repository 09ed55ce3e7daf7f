// Finds the property that a chat call shares with others of the same prefix.
import type { RequestHead } from '../head.ts'
import { asList, getMember, asText, type JsonObject } from '../json-value.ts'
import { findCacheAffinity } from '../cache-affinity.ts'

/** Returns the session that a caller names, or a hash of the prompt's first characters; nothing for short prompts. */
export const findChatAffinity = (request: JsonObject, promptTokens: number): Pick<RequestHead, 'session' | 'prefix'> =>
  findCacheAffinity(promptTokens, asText(request.prompt_cache_key) ?? asText(request.user), listTexts(request.messages))

function* listTexts(messages: unknown): Generator<string> {
  for (const message of asList(messages) ?? []) {
    const content = getMember(message, 'content')
    for (const part of typeof content === 'string' ? [content] : (asList(content) ?? [])) {
      yield typeof part === 'string' ? part : (asText(getMember(part, 'text')) ?? '')
    }
  }
}
