// On which databases a test file runs. `npm run test:all` runs each on both; `npm test` runs on SQLite, and on PostgreSQL
// too only what may differ between the two: the storage itself, and the files below.
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runsAllTests } from './suite.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** Folders and files whose subject rests on transactions, locks, sorting or several processes. Relative to `test/`. */
export const RUN_ON_BOTH: readonly string[] = [
  'storage/',
  'attacks/money.test.ts',
  'core/limits/ledger-budgets.test.ts',
  'core/limits/ledger-limits.test.ts',
  'core/quota/ledger.test.ts',
  'core/quota/ledger-concurrency.test.ts',
  'http/limits.test.ts',
  'http/redemptions.test.ts',
  'http/sessions.test.ts',
  'http/team-debts.test.ts',
  'http/teams.test.ts',
  'http/topups.test.ts',
  'http/usage.test.ts',
  'http/walks.test.ts',
]

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The databases on which the test file that is being loaded runs. */
export function listDatabaseKinds(): readonly DatabaseKind[] {
  const file = relative(folder, expect.getState().testPath ?? '').replaceAll(sep, '/')
  const onBoth =
    runsAllTests || RUN_ON_BOTH.some((each) => file === each || (each.endsWith('/') && file.startsWith(each)))
  return onBoth ? ['sqlite', 'postgres'] : ['sqlite']
}
