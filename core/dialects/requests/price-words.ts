// The request members that a price may depend on, as the caller wrote them.
import type { JsonObject } from '../json/json-value.ts'

/**
 * Meaning of a member: the service tier of a call, the region of its model, or the size or quality of an image or
 * video.
 */
export type PriceWordKind = 'service' | 'geo' | 'size' | 'quality'

/** Members of conversations in every format: a provider behind a channel may read any of them. */
export const CHAT_PRICE_WORDS: Readonly<Record<string, PriceWordKind>> = {
  service_tier: 'service',
  serviceTier: 'service',
  speed: 'service',
  inference_geo: 'geo',
}
export const IMAGE_PRICE_WORDS: Readonly<Record<string, PriceWordKind>> = { size: 'size', quality: 'quality' }

export interface PriceWord {
  member: string
  kind: PriceWordKind
  value: unknown
}

/** Returns the members that a request has, including `null`; undefined if none, as in most requests. */
export function readPriceWords(
  request: JsonObject,
  kinds: Readonly<Record<string, PriceWordKind>>,
): PriceWord[] | undefined {
  let words: PriceWord[] | undefined
  for (const member in kinds) {
    const value = request[member]
    if (value !== undefined) (words ??= []).push({ member, kind: kinds[member]!, value })
  }
  return words
}

/** Returns the form in which a value is priced and sent. */
export const toPriceForm = (word: string): string => word.trim().toLowerCase()

/** Finds the entry of a value in a table, in any spelling of an operator. */
export function findByWord<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  if (!table) return undefined
  if (Object.hasOwn(table, word)) return table[word]
  const key = Object.keys(table).find((name) => toPriceForm(name) === word)
  return key === undefined ? undefined : table[key]
}
