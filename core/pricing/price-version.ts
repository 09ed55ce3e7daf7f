// A short hash of a price at the admission of a call: equal prices have equal hashes.
import { memoize } from '../memoize.ts'
import type { Price } from './price.ts'

/** Returns the version of any JSON value, independent of the order of its fields. */
export const hashVersion = (value: unknown): string => hash(ordered(value))

/** Returns a version of about ten characters, from every number of the price and its tiers in any order. */
export const getPriceVersion: (price: Price) => string = memoize(hashVersion)

/** JSON with its keys in order. */
function ordered(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${ordered(member)}`).join(',')}}`
}

/** FNV-1a over 64 bits: only to tell prices apart, not for secrets. */
function hash(text: string): string {
  let sum = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++) {
    sum = BigInt.asUintN(64, (sum ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  }
  return sum.toString(36)
}
