// Cache breakpoints as Anthropic spells them, which other formats have adopted.
import { asObject, type JsonObject } from './json/json-value.ts'

/** How long the provider should cache the prompt up to this point. */
export type CacheMark = '5m' | '1h'

/** Prompts that get cache breakpoints in addition to the caller's own; `auto` if a second call is likely. */
export type CacheUse = 'auto' | 'always' | 'never'

export function readCache(block: JsonObject): { cache?: CacheMark } {
  const mark = asObject(block.cache_control)
  return mark ? { cache: mark.ttl === '1h' ? '1h' : '5m' } : {}
}

export const writeCache = (cache: CacheMark | undefined): JsonObject =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache === '1h' ? { ttl: '1h' } : {}) } } : {}
