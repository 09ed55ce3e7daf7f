// The group endpoints.
import type { Handlers } from '../auth/handler.ts'
import type { Settings } from '../settings/index.ts'
import type { groups } from './contract.ts'
import { groupRatio, usableGroups } from './group.ts'

export function createGroupHandlers({ settings }: { settings(): Settings }): Handlers<typeof groups> {
  /** The groups that users of this one may choose. */
  function described(userGroup: string) {
    const tables = settings()
    return Object.fromEntries(
      Object.entries(usableGroups(userGroup, tables))
        .filter(([group]) => Object.hasOwn(tables.GroupRatio, group))
        .map(([group, desc]) => [group, { desc, ratio: groupRatio(group, tables, userGroup) }]),
    )
  }

  return {
    list: async () => Object.keys(settings().GroupRatio).sort(),
    usable: async (_, { caller }) => described(caller.user?.group ?? ''),
    common: async () => described(''),
  }
}
