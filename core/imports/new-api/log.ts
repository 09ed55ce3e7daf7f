import type { ImportedLogRow } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { getCellCount, getCellObject, getCellWhole, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'

/** Converts a log row of new-api, whose detail has the same names as Weir's. */
export function newApiLog(row: SourceRow, facts: SourceFacts): ImportedLogRow {
  const notes: RowChangeNotes = []
  const detail = getCellObject(row, 'other', notes)
  const frt = typeof detail.frt === 'number' && detail.frt < 0 ? { frt: undefined } : {}
  return convertAncestorEvent(
    row,
    facts,
    {
      type: getCellWhole(row, 'type'),
      token: getCellWhole(row, 'token_id') > 0 ? getCellWord(row, 'token_id') : '',
      group: getCellWord(row, 'group'),
      use_time: getCellCount(row, 'use_time'),
      // Before there was any content: what was never reached was written as a number below 0.
      other: JSON.stringify({ ...detail, ...frt, imported: 'new-api' }),
      request_id: getCellWord(row, 'request_id'),
    },
    notes,
  )
}
