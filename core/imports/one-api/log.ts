// Converts a log row of one-api. Its type 5 is a test of a channel; Weir's is a failure.
import { LOG_TYPE } from '../../calls/log-entry.ts'
import { words } from '../../errors.ts'
import type { LogArrival } from '../arrival.ts'
import { ancestorEvent } from '../ancestor/event.ts'
import { cellCount, cellWhole, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'

const CHANNEL_TEST = 5

export function oneApiLog(row: SourceRow, facts: SourceFacts): LogArrival {
  const notes: Notes = []
  const sourceType = cellWhole(row, 'type')
  if (sourceType === CHANNEL_TEST) notes.push(words('a test of a channel, which is a row of the system here'))
  const ms = cellCount(row, 'elapsed_time')
  return ancestorEvent(
    row,
    facts,
    {
      type: sourceType === CHANNEL_TEST ? LOG_TYPE.system : sourceType,
      token: '',
      group: '',
      use_time: Math.round(ms / 1000),
      other: JSON.stringify({ imported: 'one-api', ...(ms > 0 ? { elapsed_ms: ms } : {}) }),
      request_id: cellWord(row, 'request_id'),
    },
    notes,
  )
}
