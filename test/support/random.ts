// Chance that is the same in every run.
import type { Random } from '../../core/ports/random.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A seeded generator (mulberry32). Two of one seed give the same texts: processes need seeds of their own. */
export function createFakeRandom(seed = 1): Random {
  let state = seed >>> 0
  function number(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    number,
    text: (length) => Array.from({ length }, () => LETTERS[Math.floor(number() * LETTERS.length)]).join(''),
  }
}
