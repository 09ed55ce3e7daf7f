// Converts a virtual key of Bifrost to a token. Such a key has dashes, so that Weir knows it by its SHA-256 until its
// first call.
import { asList, asFiniteNumber, asObject, asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import { TOKEN_STATUS } from '../../tokens/token.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { parseCellJson, parseCellMoment, getCellText, type RowChangeNotes, type SourceRow } from '../cells.ts'
import { getRemainingBudget, parseUnits } from '../litellm/money.ts'
import type { LeftRow, RuleResult, SourceFacts } from '../product.ts'
import type { ImportedUser } from '../imported-rows.ts'
import { buildAccount } from '../litellm/people.ts'

/** The budgets with a period, by its length. */
const PERIODS: Readonly<Record<string, 'budget_day' | 'budget_week' | 'budget_month'>> = {
  '1d': 'budget_day',
  '24h': 'budget_day',
  '1w': 'budget_week',
  '7d': 'budget_week',
  '1M': 'budget_month',
  '30d': 'budget_month',
}
const MINUTE = ['1m', '60s']

const PLACED = [
  ...['id', 'name', 'value', 'is_active', 'expires_at', 'team_id', 'customer_id', 'provider_configs'],
  ...['budgets', 'budget_id', 'budget_ids', 'rate_limits', 'rate_limit', 'rate_limit_id', 'description'],
]

export function bifrostVirtualKey(row: SourceRow, facts: SourceFacts): RuleResult[] {
  const notes: RowChangeNotes = []
  const entry = asObject(parseCellJson(row, 'key')) ?? {}
  const [id, value] = [getCellText(row, 'id'), asText(entry.value) ?? '']
  const label = { kind: 'token' as const, id, name: asText(entry.name) ?? id }
  if (value === '' || value.startsWith('os.environ/'))
    return [
      {
        ...label,
        left: words('its value is not in the file, or its variable is not set: it cannot be imported'),
      },
    ]
  const owner = facts.users.has(getCellText(row, 'owner')) ? getCellText(row, 'owner') : OWNERLESS_USER_ID
  const models = (asList(parseCellJson(row, 'models')) ?? []).filter((name) => typeof name === 'string')
  const limits = convertLimits(entry, facts.units, notes)
  tellLost(entry, models, notes)
  const made = convertAncestorToken(
    {
      id,
      key_digest: getCellText(row, 'key_digest'),
      name: label.name,
      user_id: owner,
      status: String(entry.is_active === false ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled),
      created_time: String(facts.now),
      expired_time: String(parseCellMoment({ at: asText(entry.expires_at) ?? '' }, 'at') ?? ''),
      remain_quota: limits.quota,
      unlimited_quota: limits.quota === '' ? '1' : '0',
    },
    { ...facts, users: new Set([owner]) },
    { models: models.join(','), limited: true, addresses: '', group: '', deleted_at: null },
  )
  if ('left' in made) return [made]
  const { quota: _, ...periods } = limits
  const whole = { ...made, notes: [...made.notes, ...notes], ...periods }
  return owner === OWNERLESS_USER_ID ? [buildOwnerlessAccount(facts), whole] : [whole]
}

/** Returns the budgets in quota units, and the limits of a minute. `quota` is empty for no limit. */
function convertLimits({ budgets, rate_limits }: JsonObject, units: number, notes: RowChangeNotes) {
  const limits: Record<string, number> = {}
  let quota = ''
  for (const budget of (asList(budgets) ?? []).map((each) => asObject(each) ?? {})) {
    const span = asText(budget.reset_duration) ?? ''
    const row = { max_budget: String(budget.max_limit ?? ''), spend: String(asFiniteNumber(budget.current_usage) ?? 0) }
    const period = PERIODS[span]
    if (period !== undefined) {
      limits[period] = Number(parseUnits(row, 'max_budget', units))
      continue
    }
    quota = getRemainingBudget(row, units)
    if (span !== '')
      notes.push(fillTemplate(words('its budget renewed every {span}: the remainder was imported, once'), { span }))
  }
  for (const rate of (asList(rate_limits) ?? []).map((each) => asObject(each) ?? {}))
    for (const [kind, limit] of [
      ['request', 'requests_per_minute'],
      ['token', 'tokens_per_minute'],
    ] as const) {
      const most = asFiniteNumber(rate[`${kind}_max_limit`])
      if (most === undefined) continue
      const span = asText(rate[`${kind}_reset_duration`]) ?? ''
      if (MINUTE.includes(span)) limits[limit] = Math.max(0, Math.floor(most))
      else notes.push(fillTemplate(LIMITS[kind], { most, span }))
    }
  return { quota, ...limits }
}

const LIMITS = {
  request: words('its limit of {most} requests in {span} has no place'),
  token: words('its limit of {most} tokens in {span} has no place'),
}

function tellLost(entry: JsonObject, models: readonly unknown[], notes: RowChangeNotes): void {
  if (models.length === 0) notes.push(words('no provider is allowed: it accepts no model'))
  const configs = (asList(entry.provider_configs) ?? []).map((each) => asObject(each) ?? {})
  const inside = ['key_ids', 'keys', 'weight', 'budgets', 'budget_id', 'budget_ids', 'rate_limit', 'rate_limit_id']
  const isGiven = (value: unknown) => value !== undefined && value !== null && JSON.stringify(value) !== '["*"]'
  const lost = [
    ...Object.keys(entry).filter((name) => !PLACED.includes(name) && isGiven(entry[name]) && entry[name] !== false),
    ...inside
      .filter((name) => configs.some((config) => isGiven(config[name]) && !(name === 'weight' && configs.length === 1)))
      .map((name) => `provider_configs.${name}`),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
}

// Converts the paying parties of Bifrost: customers and teams, whose virtual keys become those of a user.

/** The owner of the virtual keys without an owner. */
const OWNERLESS_USER_ID = 'keys of nobody'

export function convertBifrostOwner(row: SourceRow, facts: SourceFacts): ImportedUser | LeftRow {
  const notes: RowChangeNotes = [
    words('it is a user of its name here, who pays for its keys and has them; it cannot sign in yet'),
  ]
  const [first, ...others] = (asList(parseCellJson(row, 'budget')) ?? []).map((each) => asObject(each) ?? {})
  if (others.length > 0) notes.push(words('only the first of its budgets came'))
  return buildAccount(
    {
      max_budget: first === undefined ? '' : String(first.max_limit ?? ''),
      spend: String(asFiniteNumber(first?.current_usage) ?? 0),
      budget_duration: asText(first?.reset_duration) ?? '',
    },
    { id: getCellText(row, 'id'), username: getCellText(row, 'name') },
    facts,
    notes,
  )
}

/** Builds the account for virtual keys without an owner, at the first such key. */
const buildOwnerlessAccount = (facts: SourceFacts): ImportedUser | LeftRow =>
  buildAccount({}, { id: OWNERLESS_USER_ID, username: 'bifrost-keys' }, facts, [
    words('it has the virtual keys without an owner'),
  ])
