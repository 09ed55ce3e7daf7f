// Converts a log row of one-api. Its type 5 is a test of a channel; Weir's is a failure.
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import { words } from '../../errors.ts'
import type { ImportedLogRow } from '../imported-rows.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { getCellCount, getCellWhole, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'

const CHANNEL_TEST = 5

export function oneApiLog(row: SourceRow, facts: SourceFacts): ImportedLogRow {
  const notes: RowChangeNotes = []
  const sourceType = getCellWhole(row, 'type')
  if (sourceType === CHANNEL_TEST) notes.push(words('a test of a channel, which is a row of the system here'))
  const ms = getCellCount(row, 'elapsed_time')
  return convertAncestorEvent(
    row,
    facts,
    {
      type: sourceType === CHANNEL_TEST ? LOG_ROW_TYPE.system : sourceType,
      token: '',
      group: '',
      use_time: Math.round(ms / 1000),
      other: JSON.stringify({ imported: 'one-api', ...(ms > 0 ? { elapsed_ms: ms } : {}) }),
      request_id: getCellWord(row, 'request_id'),
    },
    notes,
  )
}
