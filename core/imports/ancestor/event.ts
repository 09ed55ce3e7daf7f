// Converts a log row of one-api, or of a product derived from it. Charges stay unchanged.
import { fillTemplate, words } from '../../errors.ts'
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import type { ImportedLogRow } from '../imported-rows.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import {
  getCellCount,
  getCellFlag,
  getCellText,
  getCellTime,
  getCellWhole,
  getCellWord,
  getCellAmount,
} from '../cells.ts'
import type { SourceFacts } from '../product.ts'

type OwnPart = Pick<ImportedLogRow, 'type' | 'token' | 'group' | 'use_time' | 'other' | 'request_id'>

const KNOWN_TYPES: readonly number[] = Object.values(LOG_ROW_TYPE)

export function convertAncestorEvent(
  row: SourceRow,
  { users }: SourceFacts,
  own: OwnPart,
  notes: RowChangeNotes,
): ImportedLogRow {
  const user = getCellWord(row, 'user_id')
  const known = users.has(user)
  const none = user === '' || user === '0'
  if (!known && !none)
    notes.push(fillTemplate(words('its user {user} does not exist: the row belongs to no user'), { user }))
  const type = KNOWN_TYPES.includes(own.type) ? own.type : LOG_ROW_TYPE.unknown
  if (type !== own.type) notes.push(fillTemplate(words('its type {type} is not known here'), { type: own.type }))
  return {
    kind: 'log',
    id: getCellWord(row, 'id'),
    name: getCellText(row, 'username'),
    ...own,
    notes,
    type,
    created_at: getCellTime(row, 'created_at'),
    user: known ? user : '',
    username: getCellText(row, 'username'),
    token_name: getCellText(row, 'token_name'),
    channel: getCellWhole(row, 'channel_id') > 0 ? getCellWord(row, 'channel_id') : '',
    model_name: getCellText(row, 'model_name'),
    is_stream: getCellFlag(row, 'is_stream'),
    prompt_tokens: getCellCount(row, 'prompt_tokens'),
    completion_tokens: getCellCount(row, 'completion_tokens'),
    quota: getCellAmount(row, 'quota', notes),
    content: getCellText(row, 'content'),
  }
}
