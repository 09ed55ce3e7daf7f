// Finds the property that a call shares with others of the same prefix, so that they can use the provider's prompt
// cache together.
import type { RequestHead } from './requests/head.ts'
import { getTextStart } from './json/long-texts.ts'
import { getDigest, createEmptyHash, addTextToHash } from './json/text-hash.ts'

/** Characters of the prompt's start that distinguish calls: well within the shortest prompt that is cached. */
const PREFIX_CHARACTERS = 2048
const MAX_SESSION = 256

const NO_AFFINITY = {}

/**
 * Returns the session that a caller names, or a hash of the prompt's first characters; nothing for short prompts.
 * @param texts the texts of the prompt, in order; read only as far as needed
 */
export function findCacheAffinity(
  promptTokens: number,
  session: string | undefined,
  texts: Iterable<string>,
): Pick<RequestHead, 'session' | 'prefix'> {
  if (promptTokens < CACHED_PROMPT_TOKENS) return NO_AFFINITY
  if (session !== undefined) return { session: session.slice(0, MAX_SESSION) }
  const hash = createEmptyHash()
  let left = PREFIX_CHARACTERS
  for (const text of texts) {
    left -= addTextToHash(hash, getTextStart(text, left), left)
    if (left <= 0) break
  }
  return { prefix: getDigest(hash) }
}

/** Shorter prompts are cached by no provider (minimum of OpenAI and Anthropic), in tokens. */
export const CACHED_PROMPT_TOKENS = 1024
