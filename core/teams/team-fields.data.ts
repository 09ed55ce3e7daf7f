// The fields of a team and of its members, as people fill them in.
import { NO_LIMIT, type Field } from '../contract/field.ts'
import { words } from '../errors.ts'

const UNITS = words('quota units', '额度')

export const teamFields = {
  id: { label: words('Number', '编号'), help: words('Number of the team', '团队的编号'), example: 7 },
  invitation_id: {
    label: words('Invitation', '邀请'),
    help: words('Number of the invitation', '邀请的编号'),
    example: 7,
  },
  name: { label: words('Name', '名称'), help: words('Name of the team', '团队名称'), example: 'research' },
  username: {
    label: words('Username', '用户名'),
    help: words('Username of the member', '成员的用户名'),
    example: 'ada',
  },
  role: {
    label: words('Role', '角色'),
    help: words(
      'Role of the member: owner or member. A new owner must accept first',
      '成员的角色：owner 所有者，member 成员。成为所有者须本人接受',
    ),
    choices: [words('Owner', '所有者'), words('Member', '成员')],
    example: 'member',
  },
  budget_day: {
    flag: 'day',
    label: words('Budget of a day', '每日预算'),
    help: words('Budget of the member per day, in quota units', '成员每日可消费的额度'),
 zero: NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    example: 0,
  },
  budget_month: {
    flag: 'month',
    label: words('Budget of a month', '每月预算'),
    help: words(
      'Budget of the member per month, in quota units',
      '成员每月可消费的额度',
    ),
 zero: NO_LIMIT,
    kind: 'quota',
    unit: UNITS,
    example: 0,
  },
  amount: {
    label: words('Amount', '额度'),
    help: words('How much the balance changes, in quota units; negative takes from it', '余额的变动额度；负数为扣减'),
    kind: 'quota',
    unit: UNITS,
    example: 500_000,
  },
} as const satisfies Record<string, Field>
