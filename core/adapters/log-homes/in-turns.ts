// Yields rows of a batch in small groups. Handling a whole batch in one turn of the event loop would delay calls
// noticeably.
import { setImmediate as laterTurn } from 'node:timers/promises'

const ROWS_IN_A_TURN = 200

/** Yields the rows, with a turn of the event loop after every few of them. */
export async function* yieldRowGroups<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_IN_A_TURN === ROWS_IN_A_TURN - 1) await laterTurn()
    yield row
  }
}
