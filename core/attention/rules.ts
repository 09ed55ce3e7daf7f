// The rules of attention, most urgent first: the text of each finding and its remedy. The `{name}`s are fields of a
// finding; the interfaces format amounts.
import { words, type Words } from '../errors.ts'

export const SEVERITIES = ['error', 'warning'] as const

export interface Rule {
  /** An error makes calls fail now; a warning will. */
  severity: (typeof SEVERITIES)[number]
  text: Words
  repair: {
    what: Words
    /** Page of the console. */
    page: string
    /** Command of the terminal. */
    command: string
  }
  /** The remedy that takes a single click. */
  atOnce?: { what: Words; does: 'enable' | 'refresh' }
}

const openChannel = words('Open the channel', '打开渠道')
const openErrors = words('Open the errors', '查看错误')

export const rules = {
  channel_off: {
    severity: 'error',
    text: words('Channel {name} has been switched off automatically.', '渠道 {name} 已被自动禁用。'),
    repair: {
      what: openChannel,
      page: '/channel/edit/{id}',
      command: 'weir channels test {id} && weir channels enable {id}',
    },
    atOnce: { what: words('Enable again', '重新启用'), does: 'enable' },
  },
  errors: {
    severity: 'error',
    text: words(
      'Channel {name}: {failed} of {tried} tries of the last two hours failed.',
      '渠道 {name}：最近两小时 {tried} 次尝试中有 {failed} 次失败。',
    ),
    repair: {
      what: openErrors,
      page: '/log?type=5&span=day&channel={id}',
      command: 'weir logs ls --type error --since 2h --channel {id}',
    },
  },
  charges_refused: {
    severity: 'error',
    text: words(
      '{calls} charges are not booked, because storage refused them.',
      '{calls} 笔扣费因被存储拒绝而未入账。',
    ),
    repair: { what: words('Open the log', '打开日志'), page: '/log?type=5', command: 'weir ledger pending' },
  },
  charges_wait: {
    severity: 'error',
    text: words('{calls} charges wait for storage.', '{calls} 笔扣费正在等待存储。'),
    repair: { what: words('Open the log', '打开日志'), page: '/log?type=5', command: 'weir ledger pending' },
  },
  accounts_owe: {
    severity: 'error',
    text: words(
      '{accounts} accounts are below zero, by {quota} in all; the deepest is {name}.',
      '{accounts} 个账户余额为负，合计 {quota}；最多的是 {name}。',
    ),
    repair: { what: words('Open the users', '打开用户'), page: '/user', command: 'weir call quota.verify' },
  },
  own_team_owes: {
    severity: 'error',
    text: words(
      'Your team {name} owes {quota}: your tokens do not work until this is paid.',
      '您的团队 {name} 欠费 {quota}：付清之前您的令牌均不可用。',
    ),
    repair: { what: words('Open the teams', '打开团队'), page: '/teams', command: 'weir teams show {id}' },
  },
  own_errors: {
    severity: 'error',
    text: words(
      '{failed} of your {tried} calls of the last two hours failed.',
      '您最近两小时的 {tried} 次调用中有 {failed} 次失败。',
    ),
    repair: { what: openErrors, page: '/log?type=5&span=day', command: 'weir logs ls --type error --since 2h' },
  },
  loop_stalls: {
    severity: 'warning',
    text: words('The process did not respond for {ms} ms.', '进程停顿了 {ms} 毫秒。'),
    repair: { what: words('Open the settings', '打开设置'), page: '/setting', command: 'weir serve --workers 2' },
  },
  descriptors: {
    severity: 'warning',
    text: words('{percent} % of the file descriptors are in use.', '文件描述符已使用 {percent}%。'),
    repair: { what: words('Open the settings', '打开设置'), page: '/setting', command: 'weir doctor' },
  },
  memory: {
    severity: 'warning',
    text: words('{percent} % of the memory is in use.', '内存已使用 {percent}%。'),
    repair: { what: words('Open the settings', '打开设置'), page: '/setting', command: 'weir doctor' },
  },
  counts_away: {
    severity: 'warning',
    text: words(
      'Redis is away: each instance lets in its share of every rate and limit.',
      'Redis 不可用：各实例仅放行每项速率与限制中属于自己的份额。',
    ),
    repair: { what: words('Open the settings', '打开设置'), page: '/setting', command: 'weir doctor' },
  },
  log_waits: {
    severity: 'warning',
    text: words(
      'Rows of the log cannot move on to {name}, and wait in the database.',
      '日志记录无法迁往 {name}，暂留在数据库中。',
    ),
    repair: { what: words('Open the log', '打开日志'), page: '/log', command: 'weir logs home' },
  },
  test_failed: {
    severity: 'warning',
    text: words('The last test of channel {name} failed.', '渠道 {name} 最近一次测试失败。'),
    repair: { what: openChannel, page: '/channel/edit/{id}', command: 'weir channels test {id}' },
  },
  payment_differs: {
    severity: 'warning',
    text: words(
      'Order {name} over {price}: a payment of {paid} was reported and not credited.',
      '订单 {name}（{price}）：收到 {paid} 的支付通知，未入账。',
    ),
    repair: {
      what: words('Open the orders', '打开订单'),
      page: '/topup?all=true',
      command: 'weir topups ls --review',
    },
  },
  keys_off: {
    severity: 'warning',
    text: words('Dead keys of channel {name}: {keys}.', '渠道 {name}：{keys} 个密钥已失效。'),
    repair: {
      what: words('Open its keys', '打开密钥'),
      page: '/channel/edit/{id}',
      command: 'weir channels keys ls {id}',
    },
  },
  low_balance: {
    severity: 'warning',
    text: words('Channel {name} has only {usd} left at its provider.', '渠道 {name} 在服务商处仅剩 {usd}。'),
    repair: { what: openChannel, page: '/channel/edit/{id}', command: 'weir channels balance {id}' },
    atOnce: { what: words('Refresh balance', '刷新余额'), does: 'refresh' },
  },
  no_price: {
    severity: 'warning',
    text: words(
      'Model {name} was asked for {calls} times and has no price.',
      '模型 {name} 被请求 {calls} 次，但没有价格。',
    ),
    repair: {
      what: words('Set a price', '设置价格'),
      page: '/prices?edit={name}',
      command: 'weir prices set {name}',
    },
  },
  own_invitation: {
    severity: 'warning',
    text: words('You are invited to the team {name}.', '您收到团队 {name} 的邀请。'),
    repair: { what: words('Open the teams', '打开团队'), page: '/teams', command: 'weir teams accept {id}' },
  },
  own_balance: {
    severity: 'warning',
    text: words('Your balance is low: {quota}.', '您的余额不足：{quota}。'),
    repair: { what: words('Top up', '充值'), page: '/topup', command: 'weir open topup' },
  },
} as const satisfies Record<string, Rule>

export type FindingKind = keyof typeof rules
