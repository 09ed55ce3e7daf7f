// The page of what the walk has seen: a row for each screen, a column for each part of the walk. Who walks a part of it alone
// replaces its figures, and leaves the others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { markdownTable } from '../../support/markdown-table.ts'
import { summed, type Tally } from './report.ts'

const FILE = new URL('../WALK.md', import.meta.url)
export const COLUMNS = ['looks, 0 rows', 'looks, 1 row', 'looks, 10000 rows', 'conditions', 'acts'] as const
export type Column = (typeof COLUMNS)[number]

const HEAD = `# What the walk has seen

Written by \`npm run walk -- --write\`: every screen on a real Weir, as everybody who is let in or turned away. A look is one page in
one language, theme and width; of a condition (slow, failing, offline, expired) one look each; an act is one control pressed and all
that it opened, or what the screen's facts say must be typed, with the endpoints that were asked meanwhile. Behind a figure stand
the faults that were found, and who walked where it was not everybody.
`

/** The screens' rows, each with a cell for each column. */
function known(): Map<string, Map<string, string>> {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n') : []
  const rows = lines
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [head = [], , ...body] = rows
  return new Map(
    body.map(([screen = '', ...cells]) => [screen, new Map(cells.map((cell, at) => [head[at + 1] ?? '', cell]))]),
  )
}

/** Puts what a part of the walk has seen into the page. */
export function writeFigures(column: Column, tallies: ReadonlyMap<string, Tally>, people: string): void {
  const rows = known()
  rows.delete('all')
  for (const [screen, { looks, acts, asked, faults }] of tallies) {
    const found = summed(faults).length
    const seen = column === 'acts' ? `${acts}, ${asked.size} endpoints` : String(looks)
    const cell = [seen, ...(found > 0 ? [`${found} faults`] : []), ...(people ? [people] : [])].join('; ')
    rows.set(screen, new Map([...(rows.get(screen) ?? []), [column, cell]]))
  }
  const body = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([screen, cells]) => [screen, ...COLUMNS.map((each) => cells.get(each) ?? '')])
  const sums = COLUMNS.map((_, at) =>
    String(body.reduce((sum, row) => sum + (Number.parseInt(row[at + 1] ?? '', 10) || 0), 0)),
  )
  writeFileSync(FILE, `${HEAD}\n${markdownTable([['screen', ...COLUMNS], ...body, ['all', ...sums]])}\n`)
}
