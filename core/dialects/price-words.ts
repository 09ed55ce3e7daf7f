// The members of a request whose words a price may depend on, as a caller wrote them.
import type { JsonObject } from './json-value.ts'

/** A word names the service tier that serves a call, the place where its model runs, or the size or quality of a picture or film. */
export type PriceWordKind = 'service' | 'geo' | 'size' | 'quality'

/** Of conversations in every format: a provider behind a channel may read any of them. */
export const CHAT_WORDS: Readonly<Record<string, PriceWordKind>> = {
  service_tier: 'service',
  serviceTier: 'service',
  speed: 'service',
  inference_geo: 'geo',
}
export const IMAGE_WORDS: Readonly<Record<string, PriceWordKind>> = { size: 'size', quality: 'quality' }

export interface PriceWord {
  member: string
  kind: PriceWordKind
  value: unknown
}

/** Those that a request has, `null` too; undefined for none, as most requests have. */
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

/** The form in which a word is priced and sent. */
export const toPriceForm = (word: string): string => word.trim().toLowerCase()

/** Finds the entry of a word in a table, in any spelling of an operator. */
export function findByWord<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  if (!table) return undefined
  if (Object.hasOwn(table, word)) return table[word]
  const key = Object.keys(table).find((name) => toPriceForm(name) === word)
  return key === undefined ? undefined : table[key]
}
