// The fields of a token, as people fill them in.
import { NO_LIMIT, type Field } from '../contract/field.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units', '额度')
const TOKENS = words('tokens', '个 token')
const CALLS = words('calls', '次')
/** What limits a token beside its quota. */
const limits = (order: number) => ({ group: 'limits', order }) as const

export const tokenFields = {
  id: { label: words('Number', '编号'), help: words('Number of the token', '令牌的编号'), example: 7 },
  team_id: {
    label: words('Team', '团队'),
    help: words("Number of the team whose account pays", '付款团队的编号'),
 zero: words("the user's own account", '由用户自己付款'),
    example: 0,
  },
  action: {
    label: words('Action', '操作'),
    help: words('Action on the token: enable, disable or delete', '要对令牌执行的操作：enable 启用，disable 禁用，delete 删除'),
    example: 'disable',
  },
  status: {
    label: words('Status', '状态'),
    help: words('1 enabled, 2 disabled, 3 expired, 4 exhausted', '1 启用，2 禁用，3 已过期，4 已耗尽'),
    example: 1,
  },
  name: { label: words('Name', '名称'), help: words('Name of the token', '令牌名称'), example: 'my program' },
  slug: {
    label: words('Slug', '标识'),
    help: words(
      'Name that files and scripts know the token by; it stays when the token is renamed',
      '文件与脚本中使用的令牌标识；令牌改名后保持不变',
    ),
    example: 'my-program-7',
  },
  remain_quota: {
    label: words('Quota', '额度'),
    help: words(
      'Remaining quota, in quota units; ignored if it is unlimited',
      '剩余额度；设为无限额度时不起作用',
    ),
    kind: 'quota',
    unit: UNITS,
    shownWhen: { unlimited_quota: false },
    example: 500_000,
  },
  unlimited_quota: {
    label: words('Unlimited quota', '无限额度'),
    help: words("Whether it has all of its user's balance", '是否可使用用户的全部余额'),
    example: false,
  },
  expired_time: {
    label: words('Expiry', '过期时间'),
    help: words('When it expires, in epoch seconds; -1 for never', '过期时间（Unix 秒）；-1 表示永不过期'),
    kind: 'time',
    example: -1,
  },
  model_limits_enabled: {
    label: words('Enable model limits', '启用模型限制'),
    help: words('Whether it may call only the models that are listed for it; leave it off unless needed: new models must then be added by hand', '是否只能调用为其指定的模型；非必要不建议启用：之后新增的模型需要手动加入'),
    example: false,
  },
  model_limits: {
    label: words('Models', '模型'),
    help: words('Names of models, separated by commas', '模型名称，以逗号分隔'),
    kind: 'list',
    shownWhen: { model_limits_enabled: true },
    example: '',
  },
  models: {
    label: words('Models (one-api)', '模型（one-api）'),
    help: words(
      'The name of the model limits in scripts for one-api: a comma-separated list, empty for all models',
      'one-api 脚本中的模型限制：逗号分隔，留空表示全部模型',
    ),
    notIn: { console: 'it is model_limits there', terminal: 'it is model_limits there' },
    example: '',
  },
  subnet: {
    label: words('Subnets (one-api)', '子网（one-api）'),
    help: words(
      'The name of the IP whitelist in scripts for one-api: networks, separated by commas, empty for all',
      'one-api 脚本中的 IP 白名单：以逗号分隔的网段，留空表示不限制',
    ),
    notIn: { console: 'it is allow_ips there', terminal: 'it is allow_ips there' },
    example: '',
  },
  allow_ips: {
    label: words('IP whitelist', 'IP白名单'),
    help: words(
      'Addresses or networks that may use it, one a line; empty for all. Addresses can be forged: do not over-trust it',
      '允许使用的地址或网段，每行一个；留空表示不限制。地址可以伪造，请不要过度信任此功能',
    ),
    kind: 'lines',
    example: '',
  },
  group: {
    label: words('Token group', '令牌分组'),
    help: words("Group in which it calls; empty for the user's", '调用所用的分组；留空则使用用户分组'),
    example: '',
  },
  budget_day: {
    label: words('Budget of a day', '每日预算'),
    help: words('Budget per day, in quota units', '每日可消费的额度'),
 zero: NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(10),
    example: 0,
  },
  budget_week: {
    label: words('Budget of a week', '每周预算'),
    help: words('Budget per week, in quota units', '每周可消费的额度'),
 zero: NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(20),
    example: 0,
  },
  budget_month: {
    label: words('Budget of a month', '每月预算'),
    help: words('Budget per month, in quota units', '每月可消费的额度'),
 zero: NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    ...limits(30),
    example: 0,
  },
  time_zone: {
    label: words('Time zone', '时区'),
    help: words(
      'Time zone of the budgets, by its IANA name; empty for the reporting time zone, UTC if there is none',
      '预算所用的时区（IANA 名称）；留空则使用报表时区，未设置时为 UTC',
    ),
    ...limits(40),
    example: 'Europe/Berlin',
  },
  requests_per_minute: {
    label: words('Calls a minute', '每分钟调用次数'),
    help: words('How many calls it may make in a minute', '每分钟最多调用次数'),
 zero: NO_LIMIT,
    unit: CALLS,
    ...limits(50),
    example: 0,
  },
  tokens_per_minute: {
    label: words('Tokens a minute', '每分钟 token 数'),
    help: words(
      'How many tokens of models its calls may use in a minute',
      '每分钟最多使用的模型 token 数',
    ),
 zero: NO_LIMIT,
    unit: TOKENS,
    ...limits(60),
    example: 0,
  },
  max_concurrent: {
    label: words('Calls at the same time', '并发调用数'),
    help: words('How many calls it may have under way at once', '同时进行的最多调用数'),
 zero: NO_LIMIT,
    unit: CALLS,
    ...limits(70),
    example: 0,
  },
  fallback_models: {
    label: words('Fallback models', '备用模型'),
    help: words(
      'Models to try in this order when every channel of the one asked for has failed, separated by commas',
      '所请求模型的全部渠道失败后依次尝试的模型，以逗号分隔',
    ),
    kind: 'list',
    ...limits(80),
    example: '',
  },
} as const satisfies Record<string, Field>
