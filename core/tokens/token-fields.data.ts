// The fields of a token, as people fill them in.
import { ZERO_IS_NO_LIMIT, type FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units')
const TOKENS = words('tokens')
const CALLS = words('calls')
/** Places a field among the limits of a token other than its quota. */
const limits = (order: number) => ({ group: 'limits', order }) as const

export const tokenFields = {
  id: { label: words('Number'), help: words('Number of the token'), example: 7 },
  team_id: {
    label: words('Team'),
    help: words('Number of the team whose account pays'),
 zero: words("the user's own account"),
    example: 0,
  },
  action: {
    label: words('Action'),
    help: words('Action on the token: enable, disable or delete'),
    example: 'disable',
  },
  status: {
    label: words('Status'),
    help: words('1 enabled, 2 disabled, 3 expired, 4 exhausted'),
    example: 1,
  },
  name: { label: words('Name'), help: words('Name of the token'), example: 'my program' },
  slug: {
    label: words('Slug'),
    help: words('Name that files and scripts know the token by; it stays when the token is renamed'),
    example: 'my-program-7',
  },
  remain_quota: {
    label: words('Quota'),
    help: words('Remaining quota, in quota units; ignored if it is unlimited'),
    kind: 'quota',
    unit: UNITS,
    shownWhen: { unlimited_quota: false },
    example: 500_000,
  },
  unlimited_quota: {
    label: words('Unlimited quota'),
    help: words("Whether it has all of its user's balance"),
    example: false,
  },
  expired_time: {
    label: words('Expiry'),
    help: words('When it expires, in epoch seconds; -1 for never'),
    kind: 'time',
    example: -1,
  },
  model_limits_enabled: {
    label: words('Enable model limits'),
    help: words('Allows only the listed models. Leave it off unless needed, because new models must then be added manually'),
    example: false,
  },
  model_limits: {
    label: words('Models'),
    help: words('Names of models, separated by commas'),
    kind: 'list',
    shownWhen: { model_limits_enabled: true },
    example: '',
  },
  models: {
    label: words('Models (one-api)'),
    help: words('The name of the model limits in scripts for one-api: a comma-separated list, empty for all models'),
    notIn: { console: 'it is model_limits there', terminal: 'it is model_limits there' },
    example: '',
  },
  subnet: {
    label: words('Subnets (one-api)'),
    help: words('The name of the IP whitelist in scripts for one-api: networks, separated by commas, empty for all'),
    notIn: { console: 'it is allow_ips there', terminal: 'it is allow_ips there' },
    example: '',
  },
  allow_ips: {
    label: words('IP whitelist'),
    help: words('Addresses or networks that may use it, one a line; empty for all. Addresses can be forged: do not over-trust it'),
    kind: 'lines',
    example: '',
  },
  group: {
    label: words('Token group'),
    help: words("Group in which it calls; empty for the user's"),
    example: '',
  },
  budget_day: {
    label: words('Budget of a day'),
    help: words('Budget per day, in quota units'),
 zero: ZERO_IS_NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(10),
    example: 0,
  },
  budget_week: {
    label: words('Budget of a week'),
    help: words('Budget per week, in quota units'),
 zero: ZERO_IS_NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(20),
    example: 0,
  },
  budget_month: {
    label: words('Budget of a month'),
    help: words('Budget per month, in quota units'),
 zero: ZERO_IS_NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(30),
    example: 0,
  },
  time_zone: {
    label: words('Time zone'),
    help: words('Time zone of the budgets, by its IANA name; empty for the reporting time zone, UTC if there is none'),
    ...limits(40),
    example: 'Europe/Berlin',
  },
  requests_per_minute: {
    label: words('Calls per minute'),
    help: words('How many calls it may make in a minute'),
 zero: ZERO_IS_NO_LIMIT,
    unit: CALLS,
    ...limits(50),
    example: 0,
  },
  tokens_per_minute: {
    label: words('Tokens per minute'),
    help: words('How many tokens of models its calls may use in a minute'),
 zero: ZERO_IS_NO_LIMIT,
    unit: TOKENS,
    ...limits(60),
    example: 0,
  },
  max_concurrent: {
    label: words('Calls at the same time'),
    help: words('Maximum concurrent calls of the token'),
 zero: ZERO_IS_NO_LIMIT,
    unit: CALLS,
    ...limits(70),
    example: 0,
  },
  fallback_models: {
    label: words('Fallback models'),
    help: words('Models to try in this order when every channel of the requested one has failed, separated by commas'),
    kind: 'list',
    ...limits(80),
    example: '',
  },
} as const satisfies Record<string, FieldDeclaration>
