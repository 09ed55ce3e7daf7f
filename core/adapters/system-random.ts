// Real chance.
import { randomFillSync } from 'node:crypto'
import type { Random } from '../ports/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters likelier than the others, so they are thrown away. */
const FAIR = 256 - (256 % ALPHABET.length)
const POOL_BYTES = 4096

/** The system's chance: unguessable texts, and quick numbers for choices that nobody gains from guessing. */
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

/** Random bytes, drawn many at a time: asking the system costs more than a byte is worth. Each is used once and wiped. */
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
