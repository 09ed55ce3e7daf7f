// A cheap hash to distinguish texts in this process. Not for secrets, and not collision-resistant against attackers.

/** Two 32-bit hashes like FNV, but mixed at the end; 53 bits are used. */
export interface TextHash {
  a: number
  b: number
}

export const createEmptyHash = (): TextHash => ({ a: 0x811c9dc5, b: 0x41c6ce57 })

/** Adds up to `limit` characters of a text to the hash; returns how many it added. */
export function addTextToHash(hash: TextHash, text: string, limit = text.length): number {
  const end = Math.min(text.length, limit)
  // 32-bit integers, or the loop would use floating point.
  let a = hash.a | 0
  let b = hash.b | 0
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  // A separator between texts, so that "ab" + "c" differs from "a" + "bc".
  hash.a = Math.imul(a ^ 0x1f, 0x01000193)
  hash.b = Math.imul(b ^ 0x1f, 0x5f356495)
  return end
}

/** Returns the hash as an integer below 2^53. */
export function getDigest({ a, b }: TextHash): number {
  const high = Math.imul(a ^ (b >>> 15), 0x85ebca6b) >>> 0
  const low = Math.imul(b ^ (a >>> 13), 0xc2b2ae35) >>> 0
  return (high >>> 11) * 2 ** 32 + low
}

export function hashTexts(...texts: string[]): number {
  const hash = createEmptyHash()
  for (const text of texts) addTextToHash(hash, text)
  return getDigest(hash)
}
