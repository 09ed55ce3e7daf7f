// Real chance.
import { randomBytes } from 'node:crypto'
import type { Random } from '../ports/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters likelier than the others, so they are thrown away. */
const FAIR = 256 - (256 % ALPHABET.length)

/** The system's chance: unguessable texts, and quick numbers for choices that nobody gains from guessing. */
export function createRandom(): Random {
  return {
    number: () => Math.random(),
    text(length) {
      let text = ''
      while (text.length < length) {
        for (const byte of randomBytes(length - text.length + 8)) {
          if (byte < FAIR && text.length < length) text += ALPHABET[byte % ALPHABET.length]
        }
      }
      return text
    },
  }
}
