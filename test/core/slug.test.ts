// The names that files and scripts know things by.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFreeSlug, MAX_SLUG_LENGTH, SlugText, toSlug } from '../../core/contract/slug.ts'

describe('slugs', () => {
  it.each([
    ['OpenAI (main)', 'openai-main'],
    ['  Café № 3 ', 'cafe-no-3'],
    ['深度求索', 'channel'],
    ['a_b.c', 'a-b-c'],
  ])('%s reads %s', (name, slug) => expect(toSlug(name, 'channel')).toBe(slug))

  it('are slugs, whatever the name, and no two are the same', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 20 }), (names) => {
        const taken = new Set<string>()
        for (const name of names) {
          const slug = findFreeSlug(toSlug(name, 'channel'), (one) => taken.has(one))
          expect(SlugText.safeParse(slug).success).toBe(true)
          expect(slug.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH)
          taken.add(slug)
        }
        expect(taken.size).toBe(names.length)
      }),
    )
  })
})
