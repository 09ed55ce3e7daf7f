// A call that LiteLLM charged, as history.
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import type { LogArrival } from '../arrival.ts'
import { parseCellMoment, getCellText, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'
import { parseUnits } from './money.ts'
import { toTeamUserId } from './people.ts'

export function liteLlmSpend(row: SourceRow, facts: SourceFacts): LogArrival {
  const notes: RowChangeNotes = []
  const [user, team, channel] = [getCellWord(row, 'user'), getCellWord(row, 'team_id'), getCellWord(row, 'model_id')]
  const owner = facts.users.has(team) ? toTeamUserId(team) : user
  const [start, end] = [parseCellMoment(row, 'startTime') ?? 0, parseCellMoment(row, 'endTime')]
  const failed = getCellWord(row, 'status') === 'failure'
  return {
    ...convertAncestorEvent(
      {
        id: getCellWord(row, 'request_id'),
        user_id: owner,
        username: user || team,
        created_at: String(end ?? start),
        model_name: getCellText(row, 'model_group') || getCellText(row, 'model'),
        prompt_tokens: getCellWord(row, 'prompt_tokens'),
        completion_tokens: getCellWord(row, 'completion_tokens'),
        quota: parseUnits(row, 'spend', facts.units),
      },
      { ...facts, users: new Set(owner === user && !facts.users.has(user) ? [] : [owner]) },
      {
        type: failed ? LOG_ROW_TYPE.error : LOG_ROW_TYPE.consumption,
        token: getCellWord(row, 'api_key'),
        group: '',
        use_time: Math.max(0, (end ?? start) - start),
        other: JSON.stringify({ imported: 'litellm' }),
        request_id: getCellWord(row, 'request_id'),
      },
      notes,
    ),
    channel: facts.channels.has(channel) ? channel : '',
  }
}
