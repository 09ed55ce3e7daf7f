// The products that can be imported, and the check whether a database belongs to one.
import { fillTemplate, words, type Words } from '../errors.ts'
import type { ImportProduct } from './imported-rows.ts'
import { bifrostImportRules } from './bifrost/index.ts'
import { liteLlmDatabase, liteLlmImportRules } from './litellm/index.ts'
import { newApiImportRules } from './new-api/index.ts'
import { oneApiImportRules } from './one-api/index.ts'
import { oneHubImportRules } from './one-hub/index.ts'
import type { ImportRules } from './product.ts'
import type { ImportSource } from './source.ts'

const importRules: Readonly<Record<ImportProduct, ImportRules>> = {
  'new-api': newApiImportRules,
  'one-api': oneApiImportRules,
  'one-hub': oneHubImportRules,
  litellm: liteLlmImportRules,
  bifrost: bifrostImportRules,
}

/** Finds the rules for a source. LiteLLM has different ones for its file and its database. */
export const findImportRules = (product: ImportProduct, { tables }: Pick<ImportSource, 'tables'>): ImportRules =>
  product === 'litellm' && !liteLlmImportRules.isOwn(tables) ? liteLlmDatabase : importRules[product]

/** All sources, in a sentence. */
export const ALL_SOURCES_TEXT = words(
  'Weir imports databases of new-api, one-api and one-hub (SQLite, PostgreSQL, MySQL), the config.yaml or the PostgreSQL database of LiteLLM, and the config.json of Bifrost.',
)

/** Returns why this database cannot be read as the product's; null if it can. */
export function findSourceRefusal(rules: ImportRules, { tables }: Pick<ImportSource, 'tables'>): Words | null {
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
      sources: ALL_SOURCES_TEXT,
    })
  }
  return rules.isOwn(tables)
    ? null
    : fillTemplate(words('This is not a source of {product}. {sources}'), {
        product: rules.product,
        sources: ALL_SOURCES_TEXT,
      })
}
