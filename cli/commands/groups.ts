// `weir groups …`: groups of users and channels, and what they multiply prices by.
import { words } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { flag, number, text, type View } from '../view.ts'

interface Group {
  name: string
  ratio: number
  /** What people read who may choose it for a token; null where nobody may. */
  description: string | null
}

const groupView: View<Group> = {
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  ratio: number(words('RATIO', '倍率'), 1, ({ ratio }) => ratio),
  choosable: flag(words('FOR TOKENS', '可用于令牌'), 2, ({ description }) => description !== null),
  description: text(words('DESCRIPTION', '说明'), 3, ({ description }) => description, { flexible: true }),
}

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  looks: true,
  gives: { view: groupView, many: true },
  summary: words('List groups with what they multiply prices by', '列出分组及其价格倍率'),
  async run({ client, print }) {
    const options = new Map((await (await client()).settings.list()).map(({ key, value }) => [key, value]))
    const table = <T>(key: string) => JSON.parse(options.get(key) || '{}') as Record<string, T>
    const described = new Map(Object.entries(table<string>('UserUsableGroups')))
    const rows = Object.entries(table<number>('GroupRatio')).map(([name, ratio]): Group => {
      return { name, ratio, description: described.get(name) ?? null }
    })
    await print.list(rows, groupView, { empty: words('No groups.', '没有分组。') })
  },
})

export const groups = group({
  name: 'groups',
  summary: words('Groups, and what they multiply prices by', '分组与价格倍率'),
  commands: [list],
})
