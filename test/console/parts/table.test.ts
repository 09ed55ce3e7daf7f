// How columns are arranged, which pages are offered, and what a click on a title asks for.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsvRows } from '../../../console/parts/table/csv-rows.ts'
import {
  arrangeColumns,
  distributeChosenWidths,
  getNextSort,
  distributeWidths,
} from '../../../console/parts/table/column.ts'
import { sortColumns } from '../../../console/parts/table/column-order.ts'
import { listPageNumbers } from '../../../console/parts/table/pages.ts'

const columns = fc
  .array(
    fc.record({
      rank: fc.integer({ min: 1, max: 5 }),
      width: fc.integer({ min: 40, max: 300 }),
      under: fc.option(
        fc.array(
          fc.integer({ min: 0, max: 13 }).map((at) => `c${at}`),
          { maxLength: 2 },
        ),
        { nil: undefined },
      ),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) => all.map((column, at) => ({ key: `c${at}`, ...column })))

describe('columns', () => {
  it('leave the table by rank: each for the line of another, or else for the details', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 0, max: 3000 }), (all, room) => {
        const { shown, folded } = arrangeColumns(all, room)
        const placed = [...shown.flatMap(({ column, below }) => [column, ...below]), ...folded]
        expect(new Set(placed).size).toBe(all.length)
        expect(placed).toHaveLength(all.length)
        const own = shown.map(({ column }) => column)
        expect(all.filter((column) => own.includes(column))).toEqual(own)
        for (const { rank } of folded) expect(rank).toBeGreaterThan(1)
        // What left ranks no higher than what stayed, unless that has nowhere to go.
        const left = placed.filter((column) => !own.includes(column))
        for (const gone of left)
          for (const kept of own) if (kept.rank > 1) expect(kept.rank).toBeLessThanOrEqual(gone.rank)
        const width = own.reduce((sum, column) => sum + column.width, 0)
        if (own.some(({ rank }) => rank > 1)) expect(width).toBeLessThanOrEqual(room)
        if (all.reduce((sum, column) => sum + column.width, 0) <= room) expect(left).toEqual([])
      }),
    )
  })
})

it('a column whose place has left the table leads the way for those that can stand below it', () => {
  const name = { key: 'name', rank: 1, width: 150 }
  const time = { key: 'time', rank: 3, width: 100, under: ['health'], card: 'number' as const }
  const health = { key: 'health', rank: 2, width: 110 }
  const used = { key: 'used', rank: 2, width: 120, under: ['time'], card: 'number' as const }
  expect(arrangeColumns([name, time, health, used], 270)).toEqual({
    shown: [
      { column: name, below: [] },
      { column: time, below: [used] },
    ],
    folded: [health],
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

const oneLine = (width: number) => ({ least: width, first: width, whole: width })
const sumOf = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, 0)

it('fills the room: each column has what it needs and a share of the rest; second lines and wide columns give way', () => {
  expect(distributeWidths([100, 200, 100].map(oneLine), 800)).toEqual([200, 400, 200])
  expect(distributeWidths([60, 300, 90, 400].map(oneLine), 500)).toEqual([60, 175, 90, 175])
  expect(distributeWidths([{ least: 100, first: 100, whole: 300 }, oneLine(130)], 280)).toEqual([150, 130])
  expect(distributeWidths([{ least: 90, first: 200, whole: 200 }, oneLine(200)], 300)).toEqual([100, 200])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 20, max: 340 }), fc.nat(100), fc.nat(200)), { minLength: 1, maxLength: 14 }),
      fc.nat(2000),
      (all, room) => {
        const contents = all.map(([least, more, second]) => ({
          least,
          first: least + more,
          whole: least + more + second,
        }))
        const widths = distributeWidths(contents, room)
        expect(sumOf(widths)).toBeCloseTo(room)
        const isTight = sumOf(contents.map(({ whole }) => whole)) > room
        widths.forEach((width, at) => {
          expect(isTight ? width <= contents[at]!.whole + 0.001 : width >= contents[at]!.whole - 0.001).toBe(true)
        })
        for (const level of ['least', 'first'] as const)
          if (sumOf(contents.map((each) => each[level])) <= room)
            widths.forEach((width, at) => expect(width).toBeGreaterThanOrEqual(contents[at]![level] - 0.001))
      },
    ),
  )
})

it('gives a column the width that was chosen for it, and the others the rest', () => {
  const content = oneLine(100)
  expect(distributeChosenWidths([{ content, chosen: 300 }, { content }, { content }], 600)).toEqual([300, 150, 150])
  // What does not fit gives way as far as it must.
  const tight = distributeChosenWidths([{ content, chosen: 900 }, { content: oneLine(60) }], 500)
  expect(sumOf(tight)).toBeCloseTo(500)
})

it('orders columns as they were moved, and leaves a new one where it is declared', () => {
  const columns = ['a', 'b', 'new', 'c'].map((key) => ({ key }))
  expect(sortColumns(columns, ['c', 'a', 'b']).map(({ key }) => key)).toEqual(['c', 'a', 'new', 'b'])
})

it('writes a file of every field but the secret ones', () => {
  const rows = [
    { id: 1, name: 'a', key: 'sk-secret', budgets: { day: 5 } },
    { id: 2, name: null, extra: true },
  ]
  expect(buildCsvRows(rows)).toEqual([
    ['id', 'name', 'budgets', 'extra'],
    ['1', 'a', '{"day":5}', ''],
    ['2', '', '', 'true'],
  ])
})

it('a title sorts upwards, then downwards, then not at all', () => {
  expect([
    getNextSort('', 'name'),
    getNextSort('name', 'name'),
    getNextSort('-name', 'name'),
    getNextSort('id', 'name'),
  ]).toEqual(['name', '-name', '', 'name'])
})
