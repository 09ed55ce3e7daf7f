// Exports all personal data of a user as one JSON file, which is built while it is sent.
import { withoutAdminInfo } from '../logs/log.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import type { Storage } from '../ports/storage.ts'
import { toShownUser, type User } from '../users/user.ts'
import { HOLDINGS, isHolding, LOG_TABLE, type Holding } from './holdings.data.ts'

type CopiedRow = Record<string, unknown>

const ROWS = 500

/**
 * Yields pieces of the file: `{ weir, made_at, user_id, data: { table: rows } }`, tables in the order of the holdings.
 */
export async function* exportUserData(
  storage: Storage,
  user: User,
  { version, now }: { version: string; now: number },
): AsyncGenerator<string> {
  const head = { weir: version, made_at: new Date(now).toISOString(), user_id: user.id }
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`
  let comma = ''
  for (const [table, holding] of Object.entries(HOLDINGS)) {
    if (!isHolding(holding) || holding.given.length === 0) continue
    yield `${comma}\n${JSON.stringify(table)}:`
    yield* formatList(readPages(storage, user, table, holding))
    comma = ','
  }
  yield '\n}}\n'
}

async function* formatList(pages: AsyncIterable<CopiedRow[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => `\n${JSON.stringify(row)}`).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* readPages(
  storage: Storage,
  user: User,
  table: string,
  { given }: Holding,
): AsyncGenerator<CopiedRow[]> {
  if (table === LOG_TABLE) return yield* logPages(storage, user.id, given)
  for await (const rows of storage.privacy.pages(table, user.id))
    // The secret of the user's webhook is never exported.
    yield table === 'users' ? rows.map((row) => ({ ...row, setting: toShownUser(user).setting })) : rows
}

async function* logPages({ logs }: Storage, user_id: number, given: readonly string[]): AsyncGenerator<CopiedRow[]> {
  for (let last: LogEntry | undefined; ;) {
    const rows: LogEntry[] = await logs.newest({ user_id }, ROWS, last)
    yield rows.map((row) => {
      const shown: CopiedRow = withoutAdminInfo(row)
      return Object.fromEntries(given.map((column) => [column, shown[column]]))
    })
    if (rows.length < ROWS) return
    last = rows.at(-1)
  }
}
