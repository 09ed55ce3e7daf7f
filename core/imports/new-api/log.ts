import type { LogArrival } from '../arrival.ts'
import { ancestorEvent } from '../ancestor/event.ts'
import { cellCount, cellObject, cellWhole, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'

/** Converts a log row of new-api, whose detail has the same names as Weir's. */
export function newApiLog(row: SourceRow, facts: SourceFacts): LogArrival {
  const notes: Notes = []
  const detail = cellObject(row, 'other', notes)
  const frt = typeof detail.frt === 'number' && detail.frt < 0 ? { frt: undefined } : {}
  return ancestorEvent(
    row,
    facts,
    {
      type: cellWhole(row, 'type'),
      token: cellWhole(row, 'token_id') > 0 ? cellWord(row, 'token_id') : '',
      group: cellWord(row, 'group'),
      use_time: cellCount(row, 'use_time'),
      // Before there was any content: what was never reached was written as a number below 0.
      other: JSON.stringify({ ...detail, ...frt, imported: 'new-api' }),
      request_id: cellWord(row, 'request_id'),
    },
    notes,
  )
}
