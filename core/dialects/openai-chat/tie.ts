// What ties a chat call to others with the same beginning, so that they can share the provider's prompt cache.
import { CACHED_PROMPT_TOKENS, type RequestHead } from '../dialect.ts'
import { listIn, memberOf, textIn, type JsonObject } from '../json-value.ts'
import { digestOf, emptyHash, mix } from '../text-hash.ts'

/** So much of the prompt's beginning tells calls apart: well inside the shortest prompt that is cached. */
const PREFIX_CHARACTERS = 2048
const MAX_SESSION = 256

/** The session that a caller names, and a hash of the prompt's first characters; nothing for short prompts. */
export function tieIn(request: JsonObject, promptTokens: number): Pick<RequestHead, 'session' | 'prefix'> {
  if (promptTokens < CACHED_PROMPT_TOKENS) return {}
  const session = textIn(request.prompt_cache_key) ?? textIn(request.user)
  if (session !== undefined) return { session: session.slice(0, MAX_SESSION) }
  return { prefix: prefixOf(request) }
}

function prefixOf(request: JsonObject): number {
  const hash = emptyHash()
  let left = PREFIX_CHARACTERS
  for (const message of listIn(request.messages) ?? []) {
    const content = memberOf(message, 'content')
    for (const part of typeof content === 'string' ? [content] : (listIn(content) ?? [])) {
      const text = typeof part === 'string' ? part : (textIn(memberOf(part, 'text')) ?? '')
      left -= mix(hash, text, left)
      if (left <= 0) return digestOf(hash)
    }
  }
  return digestOf(hash)
}
