// The uses of each group: users and tokens that have it, channels that serve it.
import type { Knex } from 'knex'
import { parseNameList } from '../../channels/channel.ts'
import type { GroupUse, GroupUseStore } from '../../groups/store.ts'
import type { Database } from './database.ts'

export function createGroupUseStore({ read }: Database): GroupUseStore {
  return {
    async all() {
      const uses = new Map<string, GroupUse>()
      const add = (group: string, what: Exclude<keyof GroupUse, 'group'>, count: number) => {
        const use = uses.get(group) ?? { group, users: 0, tokens: 0, channels: 0 }
        uses.set(group, { ...use, [what]: use[what] + count })
      }
      type Counted = { group: string; count: number | string }[]
      const countGroups = (query: Knex.QueryBuilder): Promise<Counted> =>
        query.select('group').count({ count: '*' }).groupBy('group')
      for (const { group, count } of await countGroups(read('users').whereNull('deleted_at')))
        add(String(group), 'users', Number(count))
      for (const { group, count } of await countGroups(read('tokens').whereNot({ group: '' })))
        add(String(group), 'tokens', Number(count))
      // There are few channels, each with a comma-separated list.
      for (const { group } of await read('channels').select('group'))
        for (const name of parseNameList(String(group))) add(name, 'channels', 1)
      return [...uses.values()]
    },
  }
}
