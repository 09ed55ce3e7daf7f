// Display of groups.
import type { GroupRow } from '../../core/groups/contract.ts'
import { words } from '../../core/errors.ts'
import { count, flag, number, object, text, type View } from '../view.ts'

export const groupView: View<GroupRow> = {
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  ratio: number(words('RATIO', '倍率'), 1, ({ ratio }) => ratio),
  choosable: flag(words('FOR TOKENS', '可用于令牌'), 2, ({ description }) => description !== null),
  description: text(words('DESCRIPTION', '说明'), 3, ({ description }) => description, { flexible: true }),
  users: count(words('USERS', '用户'), 2, ({ users }) => users),
  tokens: count(words('TOKENS', '令牌'), 3, ({ tokens }) => tokens),
  channels: count(words('CHANNELS', '渠道'), 2, ({ channels }) => channels),
  special: object(words('SPECIAL RATIOS', '特殊倍率'), ({ special }) => special),
}
