// The system's randomness.
import { randomFillSync } from 'node:crypto'
import type { Random } from '../ports/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters more likely, so they are discarded. */
const FAIR = 256 - (256 % ALPHABET.length)
const POOL_BYTES = 4096

/** Creates the random source: unguessable texts, and fast numbers for choices that need no secrecy. */
export function createRandom(): Random {
  const nextByte = createBytes()
  return {
    number: () => Math.random(),
    text(length) {
      let text = ''
      while (text.length < length) {
        const byte = nextByte()
        if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length]
      }
      return text
    },
  }
}

/**
 * Returns random bytes from a pool that is filled in batches, because a system call costs more than a byte. Each byte
 * is used once and wiped.
 */
function createBytes(): () => number {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used] ?? 0
    pool[used] = 0
    used += 1
    return byte
  }
}
