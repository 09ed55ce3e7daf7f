// A call that LiteLLM charged, as history.
import { LOG_TYPE } from '../../calls/log-entry.ts'
import { ancestorEvent } from '../ancestor/event.ts'
import type { LogArrival } from '../arrival.ts'
import { cellMoment, cellText, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'
import { parseUnits } from './money.ts'
import { teamId } from './people.ts'

export function liteLlmSpend(row: SourceRow, facts: SourceFacts): LogArrival {
  const notes: Notes = []
  const [user, team, channel] = [cellWord(row, 'user'), cellWord(row, 'team_id'), cellWord(row, 'model_id')]
  const owner = facts.users.has(team) ? teamId(team) : user
  const [start, end] = [cellMoment(row, 'startTime') ?? 0, cellMoment(row, 'endTime')]
  const failed = cellWord(row, 'status') === 'failure'
  return {
    ...ancestorEvent(
      {
        id: cellWord(row, 'request_id'),
        user_id: owner,
        username: user || team,
        created_at: String(end ?? start),
        model_name: cellText(row, 'model_group') || cellText(row, 'model'),
        prompt_tokens: cellWord(row, 'prompt_tokens'),
        completion_tokens: cellWord(row, 'completion_tokens'),
        quota: parseUnits(row, 'spend', facts.units),
      },
      { ...facts, users: new Set(owner === user && !facts.users.has(user) ? [] : [owner]) },
      {
        type: failed ? LOG_TYPE.error : LOG_TYPE.consumption,
        token: cellWord(row, 'api_key'),
        group: '',
        use_time: Math.max(0, (end ?? start) - start),
        other: JSON.stringify({ imported: 'litellm' }),
        request_id: cellWord(row, 'request_id'),
      },
      notes,
    ),
    channel: facts.channels.has(channel) ? channel : '',
  }
}
