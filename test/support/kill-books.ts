// Compares the database with the books while processes are killed.
import pg from 'pg'
import { proveBooks } from './kill-calls.ts'

/** Holds of the dead are gone after this long at the latest, in ms. */
export const SWEEP_MS = 15_000
const FAULT_OF_THE_DEAD = 'orphaned_hold'

/** Looks behind the program's back: whose holds are open in a shared database. */
export async function openHolds(database: string) {
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  const one = async (sql: string, values: unknown[] = []) =>
    (await pool.query<Record<string, string>>(sql, values)).rows
  return {
    of: async (process: string) =>
      Number((await one('select count(*) as total from holds where process_id = $1', [process]))[0]?.total),
    processes: async () => {
      const [exists] = await one(`select to_regclass('leases') as leases`)
      return exists?.leases ? (await one('select process_id from leases')).map((row) => row.process_id ?? '') : []
    },
    close: () => pool.end(),
  }
}

/** Waits, while calls go on, until a dead process holds nothing; meanwhile the books show that and nothing else. */
export async function sweptWhileGoing(
  open: () => Promise<number>,
  env: Record<string, string>,
  since: number,
  problems: string[],
): Promise<number> {
  // Starting a command takes a while: the clock is not kept waiting for it.
  const books = proveBooks(env)
  let count = await open()
  while (count > 0 && Date.now() - since < 2 * SWEEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    count = await open()
  }
  const passed = Date.now() - since
  if (count > 0 || passed > SWEEP_MS) problems.push(`the dead have ${count} holds after ${passed} ms`)
  const wrong = (await books).faults.filter(({ kind }) => kind !== FAULT_OF_THE_DEAD)
  if (wrong.length > 0) problems.push(`while calls go on: ${JSON.stringify(wrong)}`)
  return passed
}

/** Asks until the books are right and no hold is open; gives how long that took, in ms. */
export async function booksRight(env: Record<string, string>, problems: string[]): Promise<number> {
  const since = Date.now()
  for (;;) {
    const { ok, open_holds, faults } = await proveBooks(env)
    const passed = Date.now() - since
    if (ok && open_holds === 0) return passed
    if (passed > SWEEP_MS) {
      problems.push(`after ${passed} ms: ${open_holds} holds open, faults ${JSON.stringify(faults)}`)
      return passed
    }
  }
}
