// The rules for a LiteLLM database, by its published schema: users, teams, keys, models and spending.
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import { words } from '../../errors.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import type { ImportedLogRow } from '../imported-rows.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import { getCellText, getCellWord, parseCellList, parseCellMoment } from '../cells.ts'
import type { ImportRules, SourceFacts } from '../product.ts'
import { liteLlmModel } from './channel.ts'
import { liteLlmKey } from './key.ts'
import { parseUnits } from './money.ts'
import { liteLlmTeam, liteLlmUser, toTeamUserId } from './people.ts'

// A call that LiteLLM charged, as history.

function liteLlmSpend(row: SourceRow, facts: SourceFacts): ImportedLogRow {
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

/** The author and time of a change, and the time at which a budget renews. */
const CHANGES = ['created_at', 'created_by', 'updated_at', 'updated_by', 'budget_reset_at', 'key_name']

const DAILY = words('rebuilt from the log')

export const liteLlmDatabase: ImportRules = {
  product: 'litellm',
  tables: [
    {
      table: 'LiteLLM_UserTable',
      kind: 'user',
      order: 'user_id',
      immaterial: CHANGES,
      rule: liteLlmUser,
      needs: ['user_id', 'spend', 'max_budget'],
    },
    {
      table: 'LiteLLM_TeamTable',
      kind: 'user',
      order: 'team_id',
      immaterial: CHANGES,
      rule: liteLlmTeam,
      needs: ['team_id', 'spend', 'max_budget'],
      optional: true,
    },
    {
      table: 'LiteLLM_ProxyModelTable',
      kind: 'channel',
      order: 'model_id',
      optional: true,
      needs: ['model_id', 'model_name', 'litellm_params'],
      immaterial: CHANGES,
      rule: (row, facts) => liteLlmModel(row, facts, getCellWord(row, 'model_id')),
    },
    {
      table: 'LiteLLM_VerificationToken',
      kind: 'token',
      order: 'token',
      immaterial: CHANGES,
      rule: liteLlmKey,
      needs: ['token', 'spend', 'max_budget', 'models', 'user_id', 'expires'],
    },
    {
      table: 'LiteLLM_SpendLogs',
      kind: 'log',
      order: 'request_id',
      optional: true,
      past: true,
      immaterial: ['call_type', 'total_tokens', 'completionStartTime', 'model'],
      rule: liteLlmSpend,
      needs: ['request_id', 'api_key', 'spend', 'startTime', 'model'],
    },
  ],
  derived: {
    LiteLLM_DailyUserSpend: DAILY,
    LiteLLM_DailyTeamSpend: DAILY,
    LiteLLM_DailyTagSpend: DAILY,
    LiteLLM_CredentialsTable: words('its values are in the channels of their models'),
    _prisma_migrations: words('the version that created its tables'),
  },
  isOwn: (tables) => tables.has('LiteLLM_VerificationToken') && tables.has('LiteLLM_UserTable'),
  // Every installation creates a user of this name; other names are chosen by people.
  marks: ({ users }) =>
    users
      .filter((row) => parseCellMoment(row, 'created_at') !== null)
      .map((row) => `user ${getCellWord(row, 'user_id')} ${getCellWord(row, 'created_at')}`.slice(0, 200)),
  heldTo: (row) => parseCellList(row, 'models'),
}
