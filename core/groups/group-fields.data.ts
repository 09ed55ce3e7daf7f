// The fields of a group, as operators fill them in.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const groupFields = {
  name: { label: words('Name', '名称'), help: words('Name of the group', '分组的名称'), example: 'vip' },
  ratio: {
    label: words('Ratio', '倍率'),
    help: words('The factor of all prices; if absent, it stays, and is 1 for a new group', '价格所乘的倍率；未填写则保持不变，新分组为 1'),
    example: 0.8,
  },
  description: {
    label: words('Description', '说明'),
    help: words(
      'The description by which users choose the group for tokens; null restricts it to users of the group, if absent it stays',
      '用户为令牌选择该分组时看到的说明；null 表示仅该分组的用户可用，未填写则保持不变',
    ),
    example: 'VIP group',
  },
  special: {
    label: words('Special ratios', '特殊倍率'),
    help: words(
      'Ratios for users of other groups in place of its ratio; null removes one, absent ones stay',
      '其他分组的用户使用时代替其倍率的数值；null 表示去除，未填写则保持不变',
    ),
    example: { vip: 0.5 },
  },
  in_use: {
    label: words('Even if it is used', '即使正在使用'),
    help: words(
      'Take it out though users, tokens or channels have it: those tokens are refused, the users go on at a ratio of 1',
      '即使有用户、令牌或渠道使用也移除：这些令牌将被拒绝，用户仍可调用，倍率为 1',
    ),
    example: false,
  },
} as const satisfies Record<string, Field>
