// Reads a one-hub database as its relatives have theirs: its groups, which are rows of a table, as two options, and a key
// with dashes by its SHA-256.
import { getCellDecimal, getCellFlag, getCellWord, type SourceRow } from '../../imports/cells.ts'
import { oneHubImportRules } from '../../imports/one-hub/index.ts'
import { readTablePages, type ImportSource } from '../../imports/source.ts'
import { createHash } from 'node:crypto'

/** Returns the same source if it is not one-hub's. */
export async function withOneHubRows(source: ImportSource): Promise<ImportSource> {
  if (!oneHubImportRules.isOwn(source.tables)) return source
  const groups: SourceRow[] = []
  for await (const page of readTablePages(source, 'user_groups', 'id')) groups.push(...page)
  const used = groups.filter((row) => getCellWord(row, 'symbol') !== '' && isEnabled(row))
  const shown = used.filter((row) => getCellFlag(row, 'public'))
  const options = [
    toOption('GroupRatio', used, (row) => Number(getCellDecimal(row, 'ratio') || 1)),
    toOption('UserUsableGroups', shown, (row) => getCellWord(row, 'name') || getCellWord(row, 'symbol')),
  ]
  return {
    ...source,
    async rows(table, order, after, limit) {
      const rows = await source.rows(table, order, after, limit)
      if (table === 'tokens') return rows.map(withUsableKey)
      // The options of the groups follow the last page.
      return groups.length === 0 || table !== 'options' || rows.length === limit || isOption(after)
        ? rows
        : [...rows, ...options]
    },
  }
}

/** Half of its keys have a dash. */
function withUsableKey(row: SourceRow): SourceRow {
  const key = getCellWord(row, 'key')
  return key.includes('-') ? { ...row, key: '', key_digest: digestImportedKey(`sk-${key}`) } : row
}

const isOption = (key: string | null) => key === 'GroupRatio' || key === 'UserUsableGroups'

const isEnabled = (row: SourceRow): boolean => getCellWord(row, 'enable') === '' || getCellFlag(row, 'enable')

const toOption = (key: string, rows: readonly SourceRow[], value: (row: SourceRow) => unknown): SourceRow => ({
  key,
  value: JSON.stringify(Object.fromEntries(rows.map((row) => [getCellWord(row, 'symbol'), value(row)]))),
})

// Weir knows a key with dashes by its SHA-256 until its first call, because a dash ends a key.

/** @param key the whole text that clients send */
export const digestImportedKey = (key: string): string => createHash('sha256').update(key).digest('hex')
