// Groups of users, and their ratios. They are stored as settings, not as rows.
import type { Feature } from '../feature.ts'
import { type GroupRow, groupsContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { SettingsSnapshot } from '../settings/snapshot.ts'
import { getGroupRatio, listUsableGroups } from './group.ts'
import type { GroupUse } from './store.ts'
import { findGroupTerms, type GroupTerms, removeGroupTerms, setGroupTerms } from './tables.ts'

interface GroupPorts {
  storage: Storage
  snapshot: SettingsSnapshot
  settings(): Settings
}

/** The initial settings of a group: users of other groups cannot choose it. */
const NEW: GroupTerms = { ratio: 1, description: null, special: {} }

function createGroupHandlers({ storage, snapshot, settings }: GroupPorts): ContractHandlers<typeof groupsContract> {
  /** The groups that users of this one may choose. */
  function described(userGroup: string) {
    const tables = settings()
    return Object.fromEntries(
      Object.entries(listUsableGroups(userGroup, tables))
        .filter(([group]) => Object.hasOwn(tables.GroupRatio, group))
        .map(([group, desc]) => [group, { desc, ratio: getGroupRatio(group, tables, userGroup) }]),
    )
  }
  const usesBy = async ({ groupUses }: Pick<WriteTransaction, 'groupUses'> = storage) =>
    new Map((await groupUses.all()).map((use) => [use.group, use]))
  const buildRow = (name: string, terms: GroupTerms, use: GroupUse | undefined): GroupRow => {
    const { users, tokens, channels } = use ?? { users: 0, tokens: 0, channels: 0 }
    return { name, ...terms, special: { ...terms.special }, users, tokens, channels }
  }
  const termsNow = (name: string, tables = settings()): GroupTerms =>
    findGroupTerms(name, tables) ?? fail('group.missing', { group: name })

  return {
    list: async () => Object.keys(settings().GroupRatio).sort(),
    async table() {
      const uses = await usesBy()
      return Object.keys(settings().GroupRatio)
        .sort()
        .map((name) => buildRow(name, termsNow(name), uses.get(name)))
    },
    async set({ name, ratio, description, special }, { caller }) {
      let terms = NEW
      await snapshot.change((current) => {
        const before = findGroupTerms(name, current) ?? NEW
        const merged = Object.entries({ ...before.special, ...special }).filter(
          (pair): pair is [string, number] => pair[1] !== null,
        )
        const changed = {
          ...(ratio === undefined ? {} : { ratio }),
          ...(description === undefined ? {} : { description: description || null }),
        }
        terms = { ...before, ...changed, special: Object.fromEntries(merged) }
        return setGroupTerms(name, terms, current)
      }, toAuditAuthor(caller))
      return buildRow(name, terms, (await usesBy()).get(name))
    },
    async remove({ name, in_use }, { caller }) {
      const row = await storage.transaction(async (within) => {
        const row = buildRow(name, termsNow(name), (await usesBy(within)).get(name))
        const { users, tokens, channels } = row
        if (!in_use && users + tokens + channels > 0) fail('group.in_use', { group: name, users, tokens, channels })
        await snapshot.changeWithin(
          within,
          (current) => {
            termsNow(name, current)
            return removeGroupTerms(name, current)
          },
          toAuditAuthor(caller),
        )
        return row
      })
      await storage.announce({ topic: 'settings', id: 0 })
      return row
    },
    usable: async (_, { caller }) => described(caller.user?.group ?? ''),
    common: async () => described(''),
  }
}

export const groupsFeature: Feature<GroupPorts, typeof groupsContract> = {
  contract: groupsContract,
  handlers: createGroupHandlers,
}
