// Converts a log row of one-api, or of a product derived from it. Charges stay unchanged.
import { fillTemplate, words } from '../../errors.ts'
import { LOG_TYPE } from '../../calls/log-entry.ts'
import type { LogArrival } from '../arrival.ts'
import {
  cellCount,
  cellFlag,
  cellText,
  cellTime,
  cellWhole,
  cellWord,
  cellAmount,
  type Notes,
  type SourceRow,
} from '../cells.ts'
import type { SourceFacts } from '../product.ts'

type OwnPart = Pick<LogArrival, 'type' | 'token' | 'group' | 'use_time' | 'other' | 'request_id'>

const KNOWN_TYPES: readonly number[] = Object.values(LOG_TYPE)

export function ancestorEvent(row: SourceRow, { users }: SourceFacts, own: OwnPart, notes: Notes): LogArrival {
  const user = cellWord(row, 'user_id')
  const known = users.has(user)
  const none = user === '' || user === '0'
  if (!known && !none) notes.push(fillTemplate(words("its user {user} is not there: it is nobody's row"), { user }))
  const type = KNOWN_TYPES.includes(own.type) ? own.type : LOG_TYPE.unknown
  if (type !== own.type) notes.push(fillTemplate(words('its type {type} is not known here'), { type: own.type }))
  return {
    kind: 'log',
    id: cellWord(row, 'id'),
    name: cellText(row, 'username'),
    ...own,
    notes,
    type,
    created_at: cellTime(row, 'created_at'),
    user: known ? user : '',
    username: cellText(row, 'username'),
    token_name: cellText(row, 'token_name'),
    channel: cellWhole(row, 'channel_id') > 0 ? cellWord(row, 'channel_id') : '',
    model_name: cellText(row, 'model_name'),
    is_stream: cellFlag(row, 'is_stream'),
    prompt_tokens: cellCount(row, 'prompt_tokens'),
    completion_tokens: cellCount(row, 'completion_tokens'),
    quota: cellAmount(row, 'quota', notes),
    content: cellText(row, 'content'),
  }
}
