// What ties a chat call to others with the same beginning.
import type { RequestHead } from '../dialect.ts'
import { listIn, memberOf, textIn, type JsonObject } from '../json-value.ts'
import { tieOf } from '../tie.ts'

/** The session that a caller names, or a hash of the prompt's first characters; nothing for short prompts. */
export const tieIn = (request: JsonObject, promptTokens: number): Pick<RequestHead, 'session' | 'prefix'> =>
  tieOf(promptTokens, textIn(request.prompt_cache_key) ?? textIn(request.user), textsIn(request.messages))

function* textsIn(messages: unknown): Generator<string> {
  for (const message of listIn(messages) ?? []) {
    const content = memberOf(message, 'content')
    for (const part of typeof content === 'string' ? [content] : (listIn(content) ?? [])) {
      yield typeof part === 'string' ? part : (textIn(memberOf(part, 'text')) ?? '')
    }
  }
}
