// Rows of a batch a few at a time: whatever a store is told of all of them in one turn would be noticed by calls.
import { setImmediate as laterTurn } from 'node:timers/promises'

const ROWS_IN_A_TURN = 200

/** The rows, with a turn for others behind every few of them. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_IN_A_TURN === ROWS_IN_A_TURN - 1) await laterTurn()
    yield row
  }
}
