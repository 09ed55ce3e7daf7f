// One import: the source is read here, and what its rules make of it goes to the gateway, wherever that is.
import type { WeirClient } from '../core/contracts.ts'
import type { ImportProduct } from '../core/imports/arrival.ts'
import { refusedSource, rulesFor } from '../core/imports/products.ts'
import {
  countPast,
  readSourceHead,
  readSourcePast,
  readSourceRows,
  reportOtherTables,
} from '../core/imports/read-source.ts'
import { ImportReport } from '../core/imports/report.ts'
import type { ImportSource } from '../core/imports/source.ts'
import { Refusal } from './failure.ts'
import type { ImportResult } from './nouns/import.ts'

/** What is done: the source is read, what it has comes at once, and its history some rows at a time. */
export type ImportStep = 'read' | 'bring' | 'history'

interface How {
  product: ImportProduct
  dry_run: boolean
  /** How far it is, of so many rows; of what it does not know before, nothing. May throw to end it there. */
  moved?(step: ImportStep, what: string, done: number, all: number): void
}

/** @throws Refusal where the source is no database of the product that is known */
export async function importSource(weir: WeirClient, source: ImportSource, how: How): Promise<ImportResult> {
  const { product, dry_run, moved = () => undefined } = how
  const rules = rulesFor(product, source)
  const refused = refusedSource(rules, source)
  if (refused) throw new Refusal(refused, 'import.source')
  const report = new ImportReport()
  moved('read', product, 0, 0)
  const { facts, marks } = await readSourceHead(source, rules, Math.floor(Date.now() / 1000))
  const from = { product, marks, units: facts.units, dry_run }
  const rows = await readSourceRows(source, rules, facts, report)
  moved('bring', product, 0, rows.length)
  report.add(await weir.imports.bring({ ...from, rows }))
  moved('bring', product, rows.length, rows.length)
  const all = await countPast(source, rules)
  let done = 0
  for await (const { rows: read, arrivals } of readSourcePast(source, rules, facts, report)) {
    report.add(await weir.imports.history({ ...from, rows: arrivals }))
    moved('history', product, (done += read), all)
  }
  await reportOtherTables(source, rules, report)
  return { product, dry_run, counts: report.counts, lines: report.lines }
}
