// The group endpoints.
import type { Handlers } from '../auth/handler.ts'
import type { Settings } from '../settings/index.ts'
import type { groups } from './contract.ts'
import { groupRatio, usableGroups } from './group.ts'

export function createGroupHandlers({ settings }: { settings(): Settings }): Handlers<typeof groups> {
  return {
    list: async () => Object.keys(settings().GroupRatio).sort(),
    usable: async (_, { caller }) => {
      const tables = settings()
      const usable = Object.entries(usableGroups(caller.user?.group ?? '', tables))
      return Object.fromEntries(
        usable
          .filter(([group]) => Object.hasOwn(tables.GroupRatio, group))
          .map(([group, desc]) => [group, { desc, ratio: groupRatio(group, tables, caller.user?.group) }]),
      )
    },
  }
}
