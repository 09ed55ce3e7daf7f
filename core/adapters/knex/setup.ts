// The row that records the completed setup of Weir.
import type { Setup, SetupStore } from '../../site/store.ts'
import { selectRows } from './asked-rows.ts'
import type { Database } from './database.ts'
import { listAppliedSteps } from './migrate.ts'
import { NOW_MS } from './now.ts'

/** SQLite has one owner. */
const ABOUT = {
  sqlite: `select sqlite_version() as version, 1 as processes,
    (select page_count * page_size from pragma_page_count(), pragma_page_size()) as bytes`,
  postgres: `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    (select count(*) from leases where expires > ${NOW_MS.postgres}) as processes`,
}

export function createSetupStore({ kind, write, read }: Database): SetupStore {
  return {
    async find() {
      return (await read<Setup>('setups').select('version', 'initialized_at').first()) ?? null
    },
    async insert({ version, initialized_at }) {
      const rows = await write('setups')
        .insert({ id: 1, version, initialized_at })
        .onConflict('id')
        .ignore()
        .returning('id')
      return rows.length > 0
    },
    async database() {
      const [[about], steps] = await Promise.all([selectRows(read, ABOUT[kind], []), listAppliedSteps(read)])
      const { version, bytes, processes } = about ?? {}
      return {
        version: String(version),
        bytes: Number(bytes),
        processes: Number(processes),
        schema: steps.at(-1) ?? '',
      }
    },
  }
}
