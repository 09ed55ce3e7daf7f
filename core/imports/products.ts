// The products that can be imported, and the check whether a database belongs to one.
import { words, type Words } from '../errors.ts'
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

/** The rules for what lies there: of LiteLLM a file and a database are two things. */
export const rulesFor = (product: ImportProduct, { tables }: Pick<ImportSource, 'tables'>): ImportRules =>
  product === 'litellm' && !liteLlm.isOwn(tables) ? liteLlmDatabase : importRules[product]

/** All sources, in a sentence. */
export const SOURCES = words(
  'Weir imports databases of new-api, one-api and one-hub (SQLite, PostgreSQL, MySQL), the config.yaml or the PostgreSQL database of LiteLLM, and the config.json of Bifrost.',
  'Weir 可导入 new-api、one-api 与 one-hub 的数据库（SQLite、PostgreSQL、MySQL），LiteLLM 的 config.yaml 或 PostgreSQL 数据库，以及 Bifrost 的 config.json。',
)

/** Returns why this database cannot be read as the product's; null if it can. */
export function refusedSource(rules: ImportRules, { tables }: Pick<ImportSource, 'tables'>): Words | null {
  if (tables.has('schema_migrations') && tables.has('ledger_entries'))
    return words(
      'This is the database of a Weir: `weir copy` and `weir restore` move those.',
      '这是 Weir 的数据库：请使用 `weir copy` 或 `weir restore`。',
    )
  const other = [...Object.values(importRules), liteLlmDatabase].find((each) => each !== rules && each.isOwn(tables))
  if (other && !rules.isOwn(tables))
    return words(
      `This is a source of ${other.product}: run \`weir import ${other.product}\`.`,
      `这是 ${other.product} 的数据：请运行 \`weir import ${other.product}\`。`,
    )
  for (const { table, needs, optional } of rules.tables) {
    const columns = tables.get(table)
    if (!columns && optional) continue
    const missing = columns ? needs.find((column) => !columns.has(column)) : ''
    if (missing === undefined) continue
    const what = missing === '' ? `table ${table}` : `column ${table}.${missing}`
    return words(
      `This is not a source of ${rules.product}: it has no ${what}. ${SOURCES.en}`,
      `这不是 ${rules.product} 的数据：没有 ${missing === '' ? `表 ${table}` : `列 ${table}.${missing}`}。${SOURCES.zh}`,
    )
  }
  return rules.isOwn(tables)
    ? null
    : words(`This is not a source of ${rules.product}. ${SOURCES.en}`, `这不是 ${rules.product} 的数据。${SOURCES.zh}`)
}
