// Output about databases that were copied, backed up or restored.
import type { DatabaseCopy, RestoredBackup, SavedBackup } from '../../core/adapters/maintenance.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { asUntranslatedText } from '../language.ts'
import { words } from '../texts.ts'
import { count, flag, object, text, time, word, type OutputView } from '../output/view.ts'

const KINDS = { sqlite: words('SQLite'), postgres: words('PostgreSQL') }

export const databaseCopyView: OutputView<DatabaseCopy> = {
  place: text(words('PLACE'), 1, ({ place }) => place),
  kind: word(words('DATABASE'), 1, KINDS, ({ kind }) => kind),
  key_file: text(words('KEY FILE'), 1, ({ key_file }) => key_file),
  ledger_ok: flag(words('LEDGER HOLDS'), 1, ({ ledger }) => ledger.ok),
  ledger: object(words('LEDGER'), ({ ledger }) => ledger),
  tables: object(words('ROWS'), ({ tables }) => tables),
}

const countRows = (tables: Record<string, number>) => Object.values(tables).reduce((sum, rows) => sum + rows, 0)

export const restoredBackupView: OutputView<RestoredBackup> = {
  ...databaseCopyView,
  made_at: time(words('AS OF'), 1, ({ backup }) => backup.made_at),
  version: text(words('MADE BY'), 1, ({ backup }) => backup.version),
}

export const savedBackupView: OutputView<SavedBackup> = {
  file: text(words('FILE'), 1, ({ file }) => file),
  size: count(words('BYTES'), 1, ({ size }) => size),
  rows: count(words('ROWS'), 1, ({ tables }) => countRows(tables)),
  made_at: time(words('AS OF'), 1, ({ made_at }) => made_at),
  version: text(words('MADE BY'), 1, ({ version }) => version),
  source: word(words('DATABASE'), 1, KINDS, ({ source }) => source),
  encrypted: flag(words('ENCRYPTED'), 1, ({ encrypted }) => encrypted),
  has_key: flag(words('WITH KEY'), 1, ({ has_key }) => has_key),
  ledger_ok: flag(words('LEDGER HOLDS'), 1, ({ ledger }) => ledger?.ok),
  ledger: object(words('LEDGER'), ({ ledger }) => ledger),
  tables: object(words('ROWS OF TABLES'), ({ tables }) => tables),
}

/** Formats the numbers of rows and tables, and the state of the ledger. */
export function formatCopyCounts({ tables, ledger }: Pick<DatabaseCopy, 'tables' | 'ledger'>): Words {
  const figure = (number: number) => asUntranslatedText(number.toLocaleString('en-US'))
  return fillTemplate(CAME, {
    rows: figure(countRows(tables)),
    tables: figure(Object.keys(tables).length),
    accounts: figure(ledger.accounts),
    entries: figure(ledger.entries),
  })
}

const CAME = words(
  '{rows} rows of {tables} tables, read back; the ledger of {accounts} accounts and {entries} entries was proven there',
)

/** Message for a ledger that fails verification. */
export const LEDGER_VERIFICATION_FAILED = words(
  'The ledger does not hold in it, as it did not before: run `weir ledger verify` there.',
)
