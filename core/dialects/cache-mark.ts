// Marks of a prompt's cache as Anthropic spells them, which others' formats have taken over.
import { asObject, type JsonObject } from './json-value.ts'

/** The provider is asked to keep the prompt up to here in its cache for so long. */
export type CacheMark = '5m' | '1h'

/** Which prompts are marked beside those that callers mark themselves; `auto` where a second call is likely. */
export type CacheUse = 'auto' | 'always' | 'never'

export function readCache(block: JsonObject): { cache?: CacheMark } {
  const mark = asObject(block.cache_control)
  return mark ? { cache: mark.ttl === '1h' ? '1h' : '5m' } : {}
}

export const writeCache = (cache: CacheMark | undefined): JsonObject =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache === '1h' ? { ttl: '1h' } : {}) } } : {}
