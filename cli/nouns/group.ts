// Display of groups.
import type { GroupRow } from '../../core/groups/contract.ts'
import { words } from '../texts.ts'
import { count, flag, number, object, text, type OutputView } from '../output/view.ts'

/** A group; an ordinary user sees its name, ratio and description. */
export type ShownGroup = Pick<GroupRow, 'name' | 'ratio' | 'description'> & Partial<GroupRow>

export const groupRowView: OutputView<ShownGroup> = {
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  ratio: number(words('RATIO'), 1, ({ ratio }) => ratio),
  choosable: flag(words('FOR TOKENS'), 2, ({ description }) => description !== null),
  description: text(words('DESCRIPTION'), 3, ({ description }) => description, { flexible: true }),
  users: count(words('USERS'), 2, ({ users }) => users),
  tokens: count(words('TOKENS'), 3, ({ tokens }) => tokens),
  channels: count(words('CHANNELS'), 2, ({ channels }) => channels),
  special: object(words('SPECIAL RATIOS'), ({ special }) => special),
}
