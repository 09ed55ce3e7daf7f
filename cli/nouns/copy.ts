// Output about databases that were copied, backed up or restored.
import type { DatabaseCopy, RestoredBackup, SavedBackup } from '../../core/adapters/node.ts'
import { fillTemplate, words, type Words } from '../../core/errors.ts'
import { asData } from '../language.ts'
import { count, flag, object, text, time, word, type View } from '../view.ts'

const KINDS = { sqlite: words('SQLite', 'SQLite'), postgres: words('PostgreSQL', 'PostgreSQL') }

export const databaseCopyView: View<DatabaseCopy> = {
  place: text(words('PLACE', '位置'), 1, ({ place }) => place),
  kind: word(words('DATABASE', '数据库'), 1, KINDS, ({ kind }) => kind),
  key_file: text(words('KEY FILE', '密钥文件'), 1, ({ key_file }) => key_file),
  ledger_ok: flag(words('LEDGER HOLDS', '账本无误'), 1, ({ ledger }) => ledger.ok),
  ledger: object(words('LEDGER', '账本'), ({ ledger }) => ledger),
  tables: object(words('ROWS', '记录数'), ({ tables }) => tables),
}

const countRows = (tables: Record<string, number>) => Object.values(tables).reduce((sum, rows) => sum + rows, 0)

export const restoredView: View<RestoredBackup> = {
  ...databaseCopyView,
  made_at: time(words('AS OF', '数据截至'), 1, ({ backup }) => backup.made_at),
  version: text(words('MADE BY', '生成版本'), 1, ({ backup }) => backup.version),
}

export const savedBackupView: View<SavedBackup> = {
  file: text(words('FILE', '文件'), 1, ({ file }) => file),
  size: count(words('BYTES', '字节'), 1, ({ size }) => size),
  rows: count(words('ROWS', '记录数'), 1, ({ tables }) => countRows(tables)),
  made_at: time(words('AS OF', '数据截至'), 1, ({ made_at }) => made_at),
  version: text(words('MADE BY', '生成版本'), 1, ({ version }) => version),
  source: word(words('DATABASE', '数据库'), 1, KINDS, ({ source }) => source),
  encrypted: flag(words('ENCRYPTED', '已加密'), 1, ({ encrypted }) => encrypted),
  has_key: flag(words('WITH KEY', '含密钥'), 1, ({ has_key }) => has_key),
  ledger_ok: flag(words('LEDGER HOLDS', '账本无误'), 1, ({ ledger }) => ledger?.ok),
  ledger: object(words('LEDGER', '账本'), ({ ledger }) => ledger),
  tables: object(words('ROWS OF TABLES', '各表记录数'), ({ tables }) => tables),
}

/** Formats the numbers of rows and tables, and the state of the ledger. */
export function cameOver({ tables, ledger }: Pick<DatabaseCopy, 'tables' | 'ledger'>): Words {
  const figure = (number: number) => asData(number.toLocaleString('en-US'))
  return fillTemplate(CAME, {
    rows: figure(countRows(tables)),
    tables: figure(Object.keys(tables).length),
    accounts: figure(ledger.accounts),
    entries: figure(ledger.entries),
  })
}

const CAME = words(
  '{rows} rows of {tables} tables, read back; the ledger of {accounts} accounts and {entries} entries was proven there',
  '{tables} 张表共 {rows} 条记录，已回读核对；并在其中核对了 {accounts} 个账户、{entries} 个条目的账本',
)

/** Message for a ledger that fails verification. */
export const LEDGER_WRONG = words(
  'The ledger does not hold in it, as it did not before: run `weir ledger verify` there.',
  '其账本有误，与来源一致：请在其上运行 `weir ledger verify`。',
)
