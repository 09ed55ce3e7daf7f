// Maps of prices without a page: the merge of concurrent changes, and the equality of dollars and ratios.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  formatMap,
  mergeMaps,
  parseMap,
  parsePriceRows,
  setPriceRows,
  toDollars,
  toRatios,
} from '../../console/screens/settings/prices/maps.ts'

const names = ['a', 'b', 'c', 'd']
const table = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 }))
const own = (map: Record<string, number>, name: string) => (Object.hasOwn(map, name) ? map[name] : undefined)

it('lays two changes of one map over each other: each name as whoever changed it says, mine where both did', () => {
  fc.assert(
    fc.property(table, table, table, (base, mine, theirs) => {
      const { text, conflicts } = mergeMaps(formatMap(base), formatMap(mine), formatMap(theirs))
      const merged = parseMap(text) as Record<string, number>
      for (const name of names) {
        const [before, here, there] = [base, mine, theirs].map((each) => own(each, name))
        expect(own(merged, name)).toBe(here === before ? there : here)
        expect(conflicts.includes(name)).toBe(here !== before && there !== before && here !== there)
      }
    }),
    { seed: 7, numRuns: 500 },
  )
})

it('says ratios in dollars and dollars in ratios: 2 per unit of ratio, output by the completion ratio', () => {
  expect(toDollars({ ratio: 0.625, completion: 8 })).toEqual({ input: 1.25, output: 10 })
  const cents = fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 1000)
  fc.assert(
    fc.property(cents, fc.option(cents, { nil: undefined }), (input, output) => {
      expect(toDollars(toRatios(input, output))).toEqual({ input, output })
    }),
    { seed: 7, numRuns: 500 },
  )
})

it('changes only the rows that are given, in whichever maps they stand', () => {
  const texts = { ModelPrice: '{"a":1}', ModelRatio: '{"b":2}', CompletionRatio: '{"b":3,"c":4}' }
  const next = setPriceRows(texts, { a: { ratio: 5 }, b: null })
  expect([...parsePriceRows(next)!]).toEqual([
    ['a', { ratio: 5 }],
    ['c', { completion: 4 }],
  ])
  expect(parsePriceRows({ ...texts, ModelRatio: '{' })).toBeUndefined()
})
