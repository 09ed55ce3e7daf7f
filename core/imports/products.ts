// The products that can be imported, and the check whether a database belongs to one.
import { words, type Words } from '../errors.ts'
import type { ImportProduct } from './arrival.ts'
import { liteLlmDatabase } from './litellm/database.ts'
import { liteLlm } from './litellm/index.ts'
import { newApi } from './new-api/index.ts'
import { oneApi } from './one-api/index.ts'
import type { ImportRules } from './product.ts'
import type { ImportSource } from './source.ts'

const importRules: Readonly<Record<ImportProduct, ImportRules>> = {
  'new-api': newApi,
  'one-api': oneApi,
  litellm: liteLlm,
}

/** The rules for what lies there: of LiteLLM a file and a database are two things. */
export const rulesFor = (product: ImportProduct, { tables }: Pick<ImportSource, 'tables'>): ImportRules =>
  product === 'litellm' && !liteLlm.isOwn(tables) ? liteLlmDatabase : importRules[product]

/** The known versions, in a sentence. */
const KNOWN = words(
  'Databases of new-api (tried: as of April 2025), one-api (tried: as of February 2025) and LiteLLM can be read, and those of other versions that have the same tables.',
  '可读取 new-api（已验证：2025 年 4 月）、one-api（已验证：2025 年 2 月）与 LiteLLM 的数据库，以及表结构相同的其他版本。',
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
      `This is a database of ${other.product}: run \`weir import ${other.product}\`.`,
      `这是 ${other.product} 的数据库：请运行 \`weir import ${other.product}\`。`,
    )
  for (const { table, needs, optional } of rules.tables) {
    const columns = tables.get(table)
    if (!columns && optional) continue
    const missing = columns ? needs.find((column) => !columns.has(column)) : ''
    if (missing === undefined) continue
    const what = missing === '' ? `table ${table}` : `column ${table}.${missing}`
    return words(
      `This is no database of ${rules.product} that is known here: it has no ${what}. ${KNOWN.en}`,
      `这不是已知的 ${rules.product} 数据库：没有 ${missing === '' ? `表 ${table}` : `列 ${table}.${missing}`}。${KNOWN.zh}`,
    )
  }
  return rules.isOwn(tables)
    ? null
    : words(
        `This is no database of ${rules.product} that is known here. ${KNOWN.en}`,
        `这不是已知的 ${rules.product} 数据库。${KNOWN.zh}`,
      )
}
