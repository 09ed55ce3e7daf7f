// Writes a whole group commit as one statement, on SQLite: a trigger on a temporary view writes every part. It takes
// one trip to the driver's thread instead of one per statement, and is a transaction by itself.
import type { LedgerWrite } from '../../quota/store.ts'
import type { Database } from './database.ts'
import { encodePart, COMMIT_PARTS, writeSql, type CommitPart } from './ledger-sql.ts'
import { createHeldConnection, type RunSql } from './statements.ts'
import { ROWS } from './unfold.ts'

const VIEW = 'create temp view if not exists group_commit (parts) as select null'

/** The shared SQL texts, reading each part from the one bound value, which is parsed once. */
const unfoldPartSql = (part: CommitPart) => writeSql.sqlite[part].replace(ROWS, `jsonb_each(new.parts, '$.${part}')`)

const TRIGGER = `create temp trigger if not exists write_group_commit instead of insert on group_commit
  begin ${COMMIT_PARTS.map((part) => `${unfoldPartSql(part)};`).join('\n')} end`

const COMMIT = 'insert into group_commit values (jsonb(?))'

/** Writes group commits. The view and its trigger are created on first use. */
export function createOneStatementCommit(database: Database): (write: LedgerWrite) => Promise<void> {
  const prepare = async (run: RunSql) => {
    await run(VIEW)
    await run(TRIGGER)
  }
  const withConnection = createHeldConnection(database)
  let prepared = false
  return (write) =>
    withConnection(async (run) => {
      if (!prepared) await prepare(run)
      prepared = true
      await run(COMMIT, [payload(write)])
    })
}

/** Builds one JSON object without empty parts. */
function payload(write: LedgerWrite): string {
  const parts = COMMIT_PARTS.filter((part) => write[part]?.length).map(
    (part) => `"${part}":${encodePart('sqlite', part, write[part] ?? [])}`,
  )
  return `{${parts.join(',')}}`
}
