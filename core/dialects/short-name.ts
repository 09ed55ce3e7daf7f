// Names that are too long for whoever is given them, made shorter so that no two become the same.
import { textHash } from './text-hash.ts'

const HASH_BASE = 36
const HASH_DIGITS = 8

/** The beginning of a name and a hash of all of it, or of what it stands for: the same each time. */
export function shortName(name: string, most: number, whole = name): string {
  const digits = textHash(whole).toString(HASH_BASE).slice(-HASH_DIGITS)
  return `${name.slice(0, most - digits.length - 1)}_${digits}`
}
