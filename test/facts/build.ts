// The data file of facts, built from two lists and the corrections.
import type { FactsFile } from '../../core/models/fact-row.ts'
import { parseDay, type CatalogueFields } from '../../core/prices/catalogue.ts'
import type { Correction } from './correct.ts'
import { correctRows } from './correct.ts'
import { corrections as allCorrections } from './corrections.data.ts'
import { describeSource, listModelsDevEntries } from './file.ts'
import { mergeLists } from './merge.ts'
import { vendors as allVendors, type Vendor } from './vendors.data.ts'

/** A list as text and as it was parsed. */
type Copy = readonly [text: string, list: CatalogueFields]

interface Request {
  modelsDev: Copy
  liteLlm: Copy
  /** The day on which both were read, as `2026-11-29`. */
  date: string
  vendors?: readonly Vendor[]
  corrections?: readonly Correction[]
}

/** @returns the file, and the names of corrections that the lists agree with */
export function buildFacts(request: Request): { file: FactsFile; outdated: string[] } {
  const { modelsDev, liteLlm, date, vendors = allVendors, corrections = allCorrections } = request
  const merged = mergeLists({ modelsDev: modelsDev[1], liteLlm: liteLlm[1] }, vendors)
  const { rows, outdated } = correctRows(merged, corrections)
  const entries = listModelsDevEntries(modelsDev[1])
  const days = entries.map((entry) => parseDay(entry.last_updated) || parseDay(entry.release_date))
  const sources = [
    describeSource('models.dev', modelsDev[0], entries.length, days),
    describeSource('LiteLLM', liteLlm[0], Object.keys(liteLlm[1]).length, []),
  ]
  return { file: { date, sources, models: rows }, outdated }
}
