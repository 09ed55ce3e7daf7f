// The products that can be imported, and the check whether a database belongs to one.
import { fillTemplate, words, type Words } from '../errors.ts'
import type { ImportProduct } from './arrival.ts'
import { bifrost } from './bifrost/index.ts'
import { liteLlmDatabase } from './litellm/database.ts'
import { liteLlm } from './litellm/index.ts'
import { newApi } from './new-api/index.ts'
import { oneApi } from './one-api/index.ts'
import { oneHub } from './one-hub/index.ts'
import type { ImportRules } from './product.ts'
import type { ImportSource } from './source.ts'

const importRules: Readonly<Record<ImportProduct, ImportRules>> = {
  'new-api': newApi,
  'one-api': oneApi,
  'one-hub': oneHub,
  litellm: liteLlm,
  bifrost,
}

/** Finds the rules for a source. LiteLLM has different ones for its file and its database. */
export const rulesFor = (product: ImportProduct, { tables }: Pick<ImportSource, 'tables'>): ImportRules =>
  product === 'litellm' && !liteLlm.isOwn(tables) ? liteLlmDatabase : importRules[product]

/** All sources, in a sentence. */
export const SOURCES = words(
  'Weir imports databases of new-api, one-api and one-hub (SQLite, PostgreSQL, MySQL), the config.yaml or the PostgreSQL database of LiteLLM, and the config.json of Bifrost.',
)

/** Returns why this database cannot be read as the product's; null if it can. */
export function refusedSource(rules: ImportRules, { tables }: Pick<ImportSource, 'tables'>): Words | null {
  if (tables.has('schema_migrations') && tables.has('ledger_entries'))
    return words('This is the database of a Weir: `weir copy` and `weir restore` move those.')
  const other = [...Object.values(importRules), liteLlmDatabase].find((each) => each !== rules && each.isOwn(tables))
  if (other && !rules.isOwn(tables))
    return fillTemplate(words('This is a source of {product}: run `weir import {product}`.'), {
      product: other.product,
    })
  for (const { table, needs, optional } of rules.tables) {
    const columns = tables.get(table)
    if (!columns && optional) continue
    const missing = columns ? needs.find((column) => !columns.has(column)) : ''
    if (missing === undefined) continue
    return fillTemplate(words('This is not a source of {product}: it has no {what}. {sources}'), {
      product: rules.product,
      what:
        missing === ''
          ? fillTemplate(words('table {table}'), { table })
          : fillTemplate(words('column {column}'), { column: `${table}.${missing}` }),
      sources: SOURCES,
    })
  }
  return rules.isOwn(tables)
    ? null
    : fillTemplate(words('This is not a source of {product}. {sources}'), { product: rules.product, sources: SOURCES })
}
