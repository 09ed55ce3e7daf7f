// One import: the source is read here, and the converted rows are sent to the gateway, local or remote.
import type { WeirClient } from '../core/contracts.ts'
import type { ImportProduct } from '../core/imports/imported-rows.ts'
import { findSourceRefusal, findImportRules } from '../core/imports/products.ts'
import {
  countHistoryRows,
  readSourceHead,
  readSourcePast,
  readSourceRows,
  reportOtherTables,
} from '../core/imports/read-source.ts'
import { ImportReport } from '../core/imports/report.ts'
import type { ImportSource } from '../core/imports/source.ts'
import { GatewayRefusal } from './failure.ts'
import type { ImportResult } from './nouns/import.ts'

/** The steps of an import: read the source, transfer its configuration at once, transfer its history in batches. */
export type ImportStep = 'read' | 'bring' | 'history'

interface ImportRunOptions {
  product: ImportProduct
  dry_run: boolean
  /** Reports progress in rows; `all` is 0 if the total is unknown. May throw to stop the import. */
  moved?(step: ImportStep, what: string, done: number, all: number): void
}

/** @throws Refusal if the source is not a known database of the product */
export async function importSource(
  weir: WeirClient,
  source: ImportSource,
  how: ImportRunOptions,
): Promise<ImportResult> {
  const { product, dry_run, moved = () => undefined } = how
  const rules = findImportRules(product, source)
  const refused = findSourceRefusal(rules, source)
  if (refused) throw new GatewayRefusal(refused, 'import.source')
  const report = new ImportReport()
  moved('read', product, 0, 0)
  const { facts, marks } = await readSourceHead(source, rules, Math.floor(Date.now() / 1000))
  const from = { product, marks, units: facts.units, dry_run }
  const rows = await readSourceRows(source, rules, facts, report)
  moved('bring', product, 0, rows.length)
  report.add(await weir.imports.bring({ ...from, rows }))
  moved('bring', product, rows.length, rows.length)
  const all = await countHistoryRows(source, rules)
  let done = 0
  for await (const { rows: read, arrivals } of readSourcePast(source, rules, facts, report)) {
    report.add(await weir.imports.history({ ...from, rows: arrivals }))
    moved('history', product, (done += read), all)
  }
  await reportOtherTables(source, rules, report)
  return { product, dry_run, counts: report.counts, lines: report.lines }
}
