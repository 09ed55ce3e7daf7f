// What a chat call has in common with others of the same beginning.
import type { RequestHead } from '../head.ts'
import { listIn, memberOf, textIn, type JsonObject } from '../json-value.ts'
import { cacheAffinityOf } from '../cache-affinity.ts'

/** The session that a caller names, or a hash of the prompt's first characters; nothing for short prompts. */
export const cacheAffinityIn = (request: JsonObject, promptTokens: number): Pick<RequestHead, 'session' | 'prefix'> =>
  cacheAffinityOf(promptTokens, textIn(request.prompt_cache_key) ?? textIn(request.user), textsIn(request.messages))

function* textsIn(messages: unknown): Generator<string> {
  for (const message of listIn(messages) ?? []) {
    const content = memberOf(message, 'content')
    for (const part of typeof content === 'string' ? [content] : (listIn(content) ?? [])) {
      yield typeof part === 'string' ? part : (textIn(memberOf(part, 'text')) ?? '')
    }
  }
}
