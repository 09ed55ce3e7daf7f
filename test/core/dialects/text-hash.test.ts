// Hashes of texts: whole numbers that JavaScript can represent exactly, and different for different texts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTextToHash, createEmptyHash, getDigest, hashTexts } from '../../../core/dialects/json/text-hash.ts'

const DIGESTS = Array.from({ length: 5000 }, (_, index) => hashTexts(`text ${index}`))

describe('the hash of texts', () => {
  it('is an exact whole number, and uses all 53 bits', () => {
    expect(DIGESTS.filter((digest) => !Number.isSafeInteger(digest) || digest < 0)).toEqual([])
    for (let bit = 0; bit < 53; bit++) {
      const set = DIGESTS.filter((digest) => Math.floor(digest / 2 ** bit) % 2 === 1).length
      expect(Math.abs(set / DIGESTS.length - 0.5), `bit ${bit}`).toBeLessThan(0.05)
    }
  })

  it('differs for different texts, and for the same characters in other texts', () => {
    expect(new Set(DIGESTS).size).toBe(DIGESTS.length)
    const split = ['', 'a', 'ab', 'abc'].map((start) => hashTexts(start, 'abc'.slice(start.length)))
    expect(new Set([...split, hashTexts('abc'), hashTexts('cba')]).size).toBe(6)
  })

  it('is the same for a text that is added up to a limit', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), (text, limit) => {
        const hash = createEmptyHash()
        const start = text.slice(0, limit)
        expect(addTextToHash(hash, text, limit)).toBe(start.length)
        expect(getDigest(hash)).toBe(hashTexts(start))
      }),
    )
  })
})
