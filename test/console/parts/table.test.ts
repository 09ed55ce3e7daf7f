// The columns that fold, the pages that are offered, and the sort order after a click on a heading.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitColumns, getNextSort, distributeWidths } from '../../../console/parts/table/column.ts'
import { listPageNumbers } from '../../../console/parts/table/pages.ts'

const columns = fc.array(
  fc.record({ rank: fc.integer({ min: 1, max: 5 }), width: fc.integer({ min: 40, max: 300 }) }),
  {
    minLength: 1,
    maxLength: 14,
  },
)

describe('columns', () => {
  it('fold by rank: what is shown fits, and nothing shown matters less than what is folded', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 0, max: 3000 }), (all, room) => {
        const { shown, folded } = fitColumns(all, room)
        expect([...shown, ...folded]).toHaveLength(all.length)
        expect(all.filter((column) => shown.includes(column))).toEqual(shown)
        const first = all.filter(({ rank }) => rank === 1)
        for (const column of first) expect(shown).toContain(column)
        const optional = shown.filter(({ rank }) => rank > 1)
        const width = shown.reduce((sum, column) => sum + column.width, 0)
        if (optional.length > 0) expect(width).toBeLessThanOrEqual(room)
        for (const gone of folded) for (const kept of shown) expect(kept.rank).toBeLessThanOrEqual(gone.rank)
      }),
    )
  })
})

describe('pages', () => {
  it('offer the first, the last and those around this one, with a gap only where more than one is left out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
        const [page, last] = [Math.min(a, b), Math.max(a, b)]
        const shown = listPageNumbers(page, last)
        expect(shown).toEqual(expect.arrayContaining([1, page, last]))
        expect(shown.length).toBeLessThanOrEqual(7)
        const pages = shown.map((each, index) => each ?? Number(shown[index - 1]) + 2)
        expect(pages).toEqual([...pages].sort((one, other) => one - other))
        shown.forEach((each, index) => {
          if (each === null) expect(Number(shown[index + 1]) - Number(shown[index - 1])).toBeGreaterThan(2)
        })
      }),
    )
  })
})

it('fills the room, never under the least width of a column, and gives words more of it than numbers', () => {
  const columns = [{ width: 100 }, { width: 200 }, { width: 100, align: 'right' as const }]
  const [name = 0, text = 0, number = 0] = distributeWidths(columns, 1000)
  expect(name + text + number).toBeCloseTo(1)
  expect(text).toBeCloseTo(2 * name)
  expect(name).toBeGreaterThan(number)
  expect(number).toBeGreaterThan(0.1)
  expect(distributeWidths(columns, 300)).toEqual([0.25, 0.5, 0.25])
})

it('a title sorts upwards, then downwards, then not at all', () => {
  expect([
    getNextSort('', 'name'),
    getNextSort('name', 'name'),
    getNextSort('-name', 'name'),
    getNextSort('id', 'name'),
  ]).toEqual(['name', '-name', '', 'name'])
})
