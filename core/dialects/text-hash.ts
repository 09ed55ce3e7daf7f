// A cheap hash of texts, for telling them apart in this process. Not for secrets and not against anybody's will.

/** Two runs of 32 bits, as FNV goes but mixed at the end; 53 bits are used. */
export interface TextHash {
  a: number
  b: number
}

export const emptyHash = (): TextHash => ({ a: 0x811c9dc5, b: 0x41c6ce57 })

/** Takes up to `limit` characters of a text into the hash; gives how many it took. */
export function mix(hash: TextHash, text: string, limit = text.length): number {
  const end = Math.min(text.length, limit)
  // Whole numbers of 32 bits, or the loop would count in floating point.
  let a = hash.a | 0
  let b = hash.b | 0
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  // A mark between texts, so that "ab" + "c" is not "a" + "bc".
  hash.a = Math.imul(a ^ 0x1f, 0x01000193)
  hash.b = Math.imul(b ^ 0x1f, 0x5f356495)
  return end
}

/** The hash as a whole number below 2^53. */
export function digestOf({ a, b }: TextHash): number {
  const high = Math.imul(a ^ (b >>> 15), 0x85ebca6b) >>> 0
  const low = Math.imul(b ^ (a >>> 13), 0xc2b2ae35) >>> 0
  return (high >>> 11) * 2 ** 32 + low
}

export function textHash(...texts: string[]): number {
  const hash = emptyHash()
  for (const text of texts) mix(hash, text)
  return digestOf(hash)
}
