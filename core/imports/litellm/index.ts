// The rules for LiteLLM: its database by its published schema (users, teams, keys, models, spending), and its config.yaml.
import type { ImportRules, SkippedRow, SourceFacts, RuleResult } from '../product.ts'
import { convertLiteLlmModel } from './channel.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import type { ImportedOption, ImportedLogRow } from '../imported-rows.ts'
import type { SourceRow, RowChangeNotes } from '../cells.ts'
import {
  getCellText,
  parseCellJson,
  getCellWord,
  parseCellList,
  parseCellMoment,
  getCellCount,
  getCellFlag,
} from '../cells.ts'
import { convertLiteLlmFallbacks } from './fallbacks.ts'
import { LOG_ROW_TYPE } from '../../calls/log-entry.ts'
import { convertAncestorEvent } from '../ancestor/event.ts'
import { parseUnits, getRemainingBudget } from './money.ts'
import {
  convertLiteLlmTeam,
  convertLiteLlmUser,
  toTeamUserId,
  OWNERLESS_USER_ID,
  buildOwnerlessAccount,
} from './people.ts'
import { TOKEN_STATUS } from '../../tokens/token.ts'
import { convertAncestorToken } from '../ancestor/token.ts'

// Converts a key of LiteLLM, which stores only its SHA-256. The key stays valid, and Weir learns it from its first
// call.

/** The names for all models, and for those of the team. */
const ALL = 'all-proxy-models'
const OF_TEAM = 'all-team-models'

/** The budgets with a period, by its length. */
const PERIODS: Readonly<Record<string, 'budget_day' | 'budget_week' | 'budget_month'>> = {
  '24h': 'budget_day',
  '1d': 'budget_day',
  daily: 'budget_day',
  '7d': 'budget_week',
  '1w': 'budget_week',
  weekly: 'budget_week',
  '30d': 'budget_month',
  '31d': 'budget_month',
  '1mo': 'budget_month',
  monthly: 'budget_month',
}

/** Limits of a key that have no counterpart in Weir. */
const LIMITS = [
  'allowed_routes',
  'permissions',
  'aliases',
  'config',
  'model_max_budget',
  'object_permission_id',
  'budget_id',
]

function liteLlmKey(row: SourceRow, facts: SourceFacts): RuleResult[] {
  const [token, user, team] = [getCellWord(row, 'token'), getCellWord(row, 'user_id'), getCellWord(row, 'team_id')]
  const name = getCellWord(row, 'key_alias') || getCellWord(row, 'key_name') || 'key'
  const label = { kind: 'token', id: token, name }
  if (!/^[0-9a-f]{64}$/.test(token)) return [{ ...label, left: words('its hash is no SHA-256: create a new key') }]
  const owner = facts.users.has(team) ? toTeamUserId(team) : facts.users.has(user) ? user : OWNERLESS_USER_ID
  const notes: RowChangeNotes = []
  if (owner === OWNERLESS_USER_ID && user + team !== '')
    notes.push(fillTemplate(words('its owner {team} is not there'), { team: team || user }))
  if (owner === toTeamUserId(team) && user !== '')
    notes.push(fillTemplate(words("user {user} had it: it is its team's"), { user }))
  const period = PERIODS[getCellWord(row, 'budget_duration')]
  const budget = parseUnits(row, 'max_budget', facts.units)
  const left = period === undefined ? getRemainingBudget(row, facts.units) : ''
  if (period === undefined && budget !== '' && getCellWord(row, 'budget_duration') !== '')
    notes.push(
      fillTemplate(words('its budget was reset every {row}: what was left of it came, once'), {
        row: getCellWord(row, 'budget_duration'),
      }),
    )
  tellLost(row, notes)
  const models = listModels(row, facts, owner === toTeamUserId(team) ? team : user, notes)
  const made = convertAncestorToken(
    {
      id: token,
      key_digest: token,
      name,
      user_id: owner,
      status: String(getCellFlag(row, 'blocked') ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled),
      created_time: String(parseCellMoment(row, 'created_at') ?? facts.now),
      accessed_time: String(parseCellMoment(row, 'last_active') ?? 0),
      expired_time: String(parseCellMoment(row, 'expires') ?? ''),
      remain_quota: left,
      unlimited_quota: left === '' ? '1' : '0',
      used_quota: parseUnits(row, 'spend', facts.units),
    },
    { ...facts, users: new Set([owner]) },
    { models: models.join(','), limited: models.length > 0, addresses: '', group: '', deleted_at: null },
  )
  if ('left' in made) return [made]
  const whole = {
    ...made,
    notes: [...made.notes, ...notes],
    requests_per_minute: getCellCount(row, 'rpm_limit'),
    tokens_per_minute: getCellCount(row, 'tpm_limit'),
    max_concurrent: getCellCount(row, 'max_parallel_requests'),
    ...(period !== undefined && budget !== '' ? { [period]: Number(budget) } : {}),
  }
  return owner === OWNERLESS_USER_ID ? [buildOwnerlessAccount(facts), whole] : [whole]
}

/**
 * Returns the models that the key is limited to: its own list, else its owner's. A list with only unknown names allows
 * nothing.
 */
function listModels(row: SourceRow, { models }: SourceFacts, owner: string, notes: RowChangeNotes): string[] {
  const own = parseCellList(row, 'models')
  const names = own.length === 0 || own.includes(OF_TEAM) ? (models.get(owner) ?? []) : own
  if (names.includes(ALL)) return []
  const patterns = names.filter((model) => model.includes('*'))
  if (patterns.length > 0)
    notes.push(
      fillTemplate(words('{patterns} matches many models: list them, until then no model is allowed'), {
        patterns: joinList(patterns),
      }),
    )
  return [...names]
}

function tellLost(row: SourceRow, notes: RowChangeNotes): void {
  const lost = LIMITS.filter((column) => !['', '{}', '[]', 'null'].includes(getCellWord(row, column)))
  if (lost.length > 0) notes.push(fillTemplate(words('there is no place for {lost}'), { lost: joinList(lost) }))
}

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
      rule: convertLiteLlmUser,
      needs: ['user_id', 'spend', 'max_budget'],
    },
    {
      table: 'LiteLLM_TeamTable',
      kind: 'user',
      order: 'team_id',
      immaterial: CHANGES,
      rule: convertLiteLlmTeam,
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
      rule: (row, facts) => convertLiteLlmModel(row, facts, getCellWord(row, 'model_id')),
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

export const liteLlmImportRules: ImportRules = {
  product: 'litellm',
  tables: [
    {
      table: 'model_list',
      kind: 'channel',
      order: 'id',
      needs: ['model_name', 'litellm_params'],
      rule: convertLiteLlmModel,
    },
    { table: 'settings', kind: 'option', order: 'key', needs: ['key', 'value'], rule: liteLlmSetting },
  ],
  derived: {},
  isOwn: (tables) => tables.has('model_list'),
  // The file has no installation id, so its models are identified by their content.
  marks: () => ['config.yaml'],
}

// A setting of LiteLLM's config: those that have a place here.

function liteLlmSetting(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const [, name = id] = id.split('.')
  const value = parseCellJson(row, 'value')
  if (name === 'fallbacks') return convertLiteLlmFallbacks(row)
  if (name === 'num_retries' && typeof value === 'number')
    return {
      ...label,
      notes: [words('it is called RetryTimes here')],
      key: 'RetryTimes',
      value: String(value),
    }
  if (name === 'model_group_alias') return { ...label, left: describeAliases(value, parseCellJson(row, 'models')) }
  if (name === 'master_key')
    return {
      ...label,
      left: words('the master key opens everything there: make an API key, or an access token, for what used it'),
    }
  return { ...label, left: words('there is no such setting here') }
}

/** @param models the names of all models of the file, with aliases of these */
function describeAliases(value: unknown, models: unknown) {
  const names: readonly unknown[] = Array.isArray(models) ? models : []
  const lost = Object.keys(Object(value)).filter((alias) => !names.includes(alias))
  return lost.length === 0
    ? words('other names are in the channels of their models')
    : fillTemplate(words('other names are in the channels of their models; the file has no model for {lost}'), {
        lost: joinList(lost),
      })
}
