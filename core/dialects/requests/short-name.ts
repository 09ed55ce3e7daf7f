// Shortens names that exceed a limit, without collisions.
import { hashTexts } from '../json/text-hash.ts'

const HASH_BASE = 36
const HASH_DIGITS = 8

/** Returns the start of a name and a hash of all of it, or of `whole`; deterministic. */
export function shortenWithHash(name: string, most: number, whole = name): string {
  const digits = hashTexts(whole).toString(HASH_BASE).slice(-HASH_DIGITS)
  return `${name.slice(0, most - digits.length - 1)}_${digits}`
}
