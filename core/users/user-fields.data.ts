// The fields of an account and of its access tokens, as people fill them in.
import type { Field } from '../contract/field.ts'
import { remarkField } from '../contract/remark.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units', '额度')

export const userFields = {
  id: { label: words('Number', '编号'), help: words('Number of the user', '用户的编号'), example: 2 },
  ids: { label: words('Users', '用户'), help: words('Numbers of the users', '用户的编号'), example: [7, 8] },
  username: {
    label: words('Username', '用户名'),
    help: words('Name to sign in with, up to 12 characters', '登录所用的名称，最多 12 个字符'),
    example: 'ada',
  },
  display_name: {
    label: words('Display name', '显示名'),
    help: words('Name that is shown, up to 20 characters', '显示的名称，最多 20 个字符'),
    example: 'Ada',
  },
  password: {
    label: words('Password', '密码'),
    help: words('8 to 20 characters for new ones', '新密码为 8 到 20 个字符'),
    kind: 'secret',
    example: 'a long password',
  },
  original_password: {
    label: words('Current password', '当前密码'),
    help: words('The password until now', '现在使用的密码'),
    kind: 'secret',
    example: 'the password of before',
  },
  group: { label: words('Group', '分组'), help: words('Group of the user', '用户的分组'), example: 'default' },
  role: {
    label: words('Role', '角色'),
    help: words('Role of the user: 1 ordinary, 10 administrator, 100 root', '1 普通用户，10 管理员，100 超级管理员'),
    example: 1,
  },
  quota: {
    label: words('Quota', '额度'),
    help: words('Balance, in quota units', '余额，以额度计'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
  quota_before: {
    label: words('Balance that was seen', '修改前的余额'),
    help: words(
      'The balance that the change is made from, in quota units: refused where it is another by now',
      '修改所依据的余额；若余额已变则拒绝修改',
    ),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
  user_id: { label: words('User', '用户'), help: words('Id of the user', '用户编号'), example: 1 },
  remark: remarkField,
  reason: { label: words('Reason', '原因'), help: words('Why, for the record', '修改原因，供记录'), example: 'a gift' },
  action: {
    label: words('Action', '操作'),
    help: words('Action on the user', '要对用户执行的操作'),
    example: 'disable',
  },
} as const satisfies Record<string, Field>

/** What users say of how they are warned. */
export const userSettingFields = {
  notify_type: {
    label: words('Notification type', '通知方式'),
    help: words('How to be warned: email or webhook', '预警方式：email 或 webhook'),
    example: 'email',
  },
  quota_warning_threshold: {
    label: words('Warning threshold', '额度预警阈值'),
    help: words(
      'Warn when the balance falls below, in quota units, more than 0',
      '余额低于该额度时预警，须大于 0',
    ),
    kind: 'quota',
    unit: UNITS,
    example: 100_000,
  },
  webhook_url: {
    label: words('Webhook URL', 'Webhook 地址'),
    help: words('Address that warnings are posted to', '接收预警的地址'),
    example: 'https://example.com/warned',
  },
  webhook_secret: {
    label: words('Webhook secret', 'Webhook 密钥'),
    help: words('Signs warnings that are posted', '用于签名预警内容'),
    kind: 'secret',
    example: 'a secret',
  },
  notification_email: {
    label: words('Notification e-mail', '通知邮箱'),
    help: words('Email address for warnings; empty for your own', '接收预警的邮箱；留空则使用账户邮箱'),
    example: 'ada@example.com',
  },
  accept_unset_model_ratio_model: {
    label: words('Accept models without a price', '接受未设置价格的模型'),
    help: words('Whether models that have no price may be called, too', '是否可调用未设置价格的模型'),
    example: false,
  },
} as const satisfies Record<string, Field>

/** How much of the invitation earnings is moved. */
export const transferFields = {
  quota: {
    label: words('Quota', '额度'),
    help: words('How much to transfer to the balance, in quota units', '划转到余额的额度'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
} as const satisfies Record<string, Field>

export const accessTokenFields = {
  name: { label: words('Name', '名称'), help: words('Name of the access token', '访问令牌的名称'), example: 'backup' },
  scope: {
    label: words('Scope', '权限范围'),
    help: words(
      'Scope of an access token: usage (only the usage), read, relay (also channels and API tokens) or all',
      '访问令牌的用途：usage 仅用量，read 只读，relay 另含渠道和 API 令牌，all 全部',
    ),
    choices: [words('Usage', '仅用量'), words('Read', '只读'), words('Relay', '渠道和令牌'), words('All', '全部')],
    example: 'read',
  },
  expired_time: {
    label: words('Expiry', '过期时间'),
    help: words('When it expires, in epoch seconds; -1 for never', '过期时间（Unix 秒）；-1 表示永不过期'),
    kind: 'time',
    example: -1,
  },
} as const satisfies Record<string, Field>
