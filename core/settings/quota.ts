// Settings of quota: its unit and what is held before a call.
import { z } from 'zod'
import { words } from '../errors.ts'
import { LARGEST_AMOUNT } from '../contract/filter.ts'
import { NO_LIMIT } from '../contract/field.ts'
import { isTimeZone } from '../contract/time-zone.ts'
import { count, decimal, failWith, flag, setting, text, units } from './setting.ts'

export const quotaSettings = {
  QuotaPerUnit: setting({
    value: decimal(500_000, { min: 1 }),
    label: words('Quota per unit', '单位美元额度'),
    help: words(
      'Quota units that make one US dollar. Changing it changes the worth of every balance, and of fixed prices against ratios',
      '一美元对应的额度。修改会改变所有余额的价值，以及固定价格与倍率的比价',
    ),
    card: 'operation.general',
    order: 30,
    public: { name: 'quota_per_unit', order: 80, meaning: 'Quota units of one US dollar' },
    danger: words(
      'QuotaPerUnit is used internally; 500000 gives 6 decimals; changing it is not recommended',
      '此设置用于内部计算，默认 500000 对应 6 位小数，不建议修改',
    ),
    writer: 'proven_admin',
  }),
  DisplayInCurrencyEnabled: setting({
    value: flag(true),
    label: words('Show money', '以货币形式显示额度'),
    help: words('Amounts are shown in dollars instead of quota units', '以美元而非额度显示金额'),
    card: 'operation.general',
    order: 50,
    public: { name: 'display_in_currency', order: 90, meaning: 'Are amounts shown in currency?' },
    writer: 'admin',
  }),
  DisplayTokenStatEnabled: setting({
    value: flag(true),
    label: words("Billing calls show the token's figures", '余额接口返回令牌额度'),
    help: words("Off: the user's figures", '关闭时返回用户的额度'),
    card: 'operation.general',
    order: 60,
    writer: 'admin',
  }),
  ReportTimeZone: setting({
    value: {
      ...text(),
      schema: z.string().trim().refine(isTimeZone, failWith('setting.report_zone')),
    },
    label: words('Reporting time zone', '报表时区'),
    help: words(
      'IANA name, such as Asia/Shanghai. Days, weeks and months of budgets without a time zone, of statistics and of charts begin at its midnight; empty for UTC, and for the clock of the reader in charts',
      'IANA 名称，如 Asia/Shanghai。未设时区的预算、统计与图表的日、周、月从该时区的零点开始；留空时预算与统计按 UTC，图表按查看者的时钟',
    ),
    card: 'operation.general',
    order: 100,
    public: {
      name: 'report_time_zone',
      order: 100,
      meaning: 'Reporting time zone by its IANA name; empty for none',
      example: 'Asia/Shanghai',
    },
    danger: words(
      'The periods of budgets that are under way begin at another time, and what was charged in them is counted again from the ledger.',
      '正在进行的预算周期将从另一时间开始，其中的消费会根据账本重新统计。',
    ),
    writer: 'proven_admin',
  }),
  QuotaForNewUser: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: words('Quota for new users', '新用户初始额度'),
    help: words('Credited when an account is made', '创建账户时赠送'),
    card: 'operation.quota',
    order: 10,
    unit: units.quota,
    writer: 'proven_admin',
  }),
  QuotaForInvitee: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: words('Quota for the invited', '受邀用户奖励额度'),
    help: words('Credited to a new user who came by an invitation', '赠送给受邀注册的新用户'),
    card: 'operation.quota',
    order: 40,
    unit: units.quota,
    public: {
      name: 'quota_for_invitee',
      order: 170,
      meaning: 'What people get who come by an invitation, in quota units',
    },
    writer: 'proven_admin',
  }),
  QuotaForInviter: setting({
    value: count(0, { max: LARGEST_AMOUNT }),
    label: words('Quota for inviting', '邀请新用户奖励额度'),
    help: words("Added to the inviter's earnings for each new user", '每邀请一位新用户，计入邀请人的收益'),
    card: 'operation.quota',
    order: 30,
    unit: units.quota,
    writer: 'proven_admin',
  }),
  QuotaRemindThreshold: setting({
    value: count(500_000, { max: LARGEST_AMOUNT }),
    label: words('Warning threshold', '额度提醒阈值'),
    help: words(
      'Users without their own threshold are warned when their balance falls below it',
      '未自行设置的用户，余额低于该值时收到预警',
    ),
    card: 'operation.monitoring',
    order: 20,
    unit: units.quota,
    writer: 'admin',
  }),
  StrictHold: setting({
    value: flag(false),
    label: words('Hold answers in full', '全额预扣回答'),
    help: words(
      'Holds the longest answer at the price of answers; a stream ends when the balance is used up. Off: held at the price of prompts, and a balance may fall below zero',
      '按回答的价格预扣模型的最长回答；余额不足的流在用尽时结束。关闭时按提示的价格预扣，余额可能变为负数',
    ),
    card: 'operation.quota',
    order: 50,
    danger: words('Off: balances may fall below zero.', '关闭后余额可能变为负数'),
    dangerAt: false,
    writer: 'proven_admin',
  }),
  'teams.per_user': setting({
    value: count(100, { max: 100_000 }),
    label: words('Teams of one user', '单个用户的团队上限'),
    help: words('How many teams one user may own', '单个用户最多可拥有的团队数'),
    zero: NO_LIMIT,
    card: 'operation.quota',
    order: 60,
    writer: 'admin',
  }),
  PreConsumedQuota: setting({
    value: count(500),
    label: words('Smallest prompt estimate', '请求预扣费额度'),
    help: words('A call holds at least this many prompt tokens before it runs', '调用前至少按这么多提示 token 预扣'),
    card: 'operation.quota',
    order: 20,
    unit: units.tokens,
    writer: 'proven_admin',
  }),
}
