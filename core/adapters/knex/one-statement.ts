// A whole group commit as one statement, on sqlite: a trigger on a view of this connection writes every part. One trip to
// the driver's thread instead of one for each statement, and a transaction of its own by itself.
import type { LedgerWrite } from '../../quota/store.ts'
import type { Database } from './database.ts'
import { boundPart, COMMIT_PARTS, writeSql, type Part } from './ledger-sql.ts'
import { keepConnection, type Run } from './statements.ts'
import { ROWS } from './unfold.ts'

const VIEW = 'create temp view if not exists group_commit (parts) as select null'

/** The same texts as elsewhere; each part is found in the one bound value, which is parsed once. */
const unfolded = (part: Part) => writeSql.sqlite[part].replace(ROWS, `jsonb_each(new.parts, '$.${part}')`)

const TRIGGER = `create temp trigger if not exists write_group_commit instead of insert on group_commit
  begin ${COMMIT_PARTS.map((part) => `${unfolded(part)};`).join('\n')} end`

const COMMIT = 'insert into group_commit values (jsonb(?))'

/** Writes group commits; the view and its trigger are made on first use. */
export function oneStatementCommit(database: Database): (write: LedgerWrite) => Promise<void> {
  const prepare = async (run: Run) => {
    await run(VIEW)
    await run(TRIGGER)
  }
  const withConnection = keepConnection(database)
  let prepared = false
  return (write) =>
    withConnection(async (run) => {
      if (!prepared) await prepare(run)
      prepared = true
      await run(COMMIT, [payload(write)])
    })
}

/** One JSON object; parts that are empty are left out. */
function payload(write: LedgerWrite): string {
  const parts = COMMIT_PARTS.filter((part) => write[part]?.length).map(
    (part) => `"${part}":${boundPart('sqlite', part, write[part] ?? [])}`,
  )
  return `{${parts.join(',')}}`
}
