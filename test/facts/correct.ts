// Corrections of what two lists make of a model, and which of them are of no use any more.
import type { FactRow, VendorPrice } from '../../core/models/fact-row.ts'
import type { Operation } from '../../core/models/operation.ts'
import { sortRows } from './merge.ts'

interface CorrectedFacts {
  kind?: Operation
  context?: number
  output?: number
  released?: string
  reads?: string
  writes?: string
  usd?: VendorPrice
}

export interface Correction {
  name: string
  vendor: string
  /** Where the facts stand, and what is wrong with the lists. */
  source: string
  facts: CorrectedFacts
}

const PLACES = { kind: 2, context: 3, output: 4, released: 5, reads: 6, writes: 7, usd: 8 } as const

/**
 * Returns the rows with the corrections in them, and the corrections that are to be taken out: those that state
 * nothing but what the lists do.
 */
export function correctRows(
  rows: readonly FactRow[],
  corrections: readonly Correction[],
): { rows: FactRow[]; outdated: string[] } {
  const models = new Map(rows.map((row) => [row[0], row]))
  const outdated: string[] = []
  for (const { name, vendor, facts } of corrections) {
    const before: FactRow = models.get(name) ?? [name, vendor, 'chat', 0, 0, '', 'text', 'text', null]
    const places = Object.entries(facts).map(([part, value]) => [PLACES[part as keyof CorrectedFacts], value] as const)
    const isKnown =
      models.has(name) && places.every(([at, value]) => JSON.stringify(before[at]) === JSON.stringify(value))
    if (isKnown) outdated.push(name)
    const after: unknown[] = [...before]
    for (const [at, value] of places) after[at] = value
    models.set(name, after as unknown as FactRow)
  }
  return { rows: sortRows([...models.values()]), outdated }
}
