// Converts a key of LiteLLM, which stores only its SHA-256. The key stays valid, and Weir learns it from its first
// call.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { TOKEN_STATUS } from '../../tokens/token.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { getCellCount, getCellFlag, parseCellList, parseCellMoment, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { RuleResult, SourceFacts } from '../product.ts'
import { getRemainingBudget, parseUnits } from './money.ts'
import { OWNERLESS_USER_ID, buildOwnerlessAccount, toTeamUserId } from './people.ts'

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

export function liteLlmKey(row: SourceRow, facts: SourceFacts): RuleResult[] {
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
