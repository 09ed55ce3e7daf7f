// Groups: which a user may use, and the multiplier of each.
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'

type GroupTables = Pick<Settings, 'GroupRatio' | 'UserUsableGroups'>

/** Groups the user may use, with their descriptions: the common ones and the user's own. */
export function listUsableGroups(userGroup: string, tables: GroupTables): Record<string, string> {
  const own = userGroup || 'default'
  const described = tables.UserUsableGroups
  return Object.hasOwn(described, own) ? described : { ...described, [own]: own }
}

/**
 * The group that decides channels and price of a call: the token's where it names one, else the user's.
 * @throws GatewayError group.disabled, group.retired
 */
export function getCallGroup(userGroup: string, tokenGroup: string, tables: GroupTables): string {
  const group = tokenGroup || userGroup || 'default'
  if (tokenGroup && !Object.hasOwn(listUsableGroups(userGroup, tables), tokenGroup)) fail('group.disabled', { group })
  if (tokenGroup && !Object.hasOwn(tables.GroupRatio, group)) fail('group.retired', { group })
  return group
}

type RatioTables = Pick<Settings, 'GroupRatio'> & Partial<Pick<Settings, 'GroupGroupRatio'>>

/**
 * Returns the special ratio of users of one group in calls of another; undefined if there is none. It replaces the
 * group ratio and is not multiplied by it.
 */
export function findSpecialRatio(userGroup: string, group: string, tables: RatioTables): number | undefined {
  const table = tables.GroupGroupRatio ?? {}
  const special = Object.hasOwn(table, userGroup) ? (table[userGroup] ?? {}) : {}
  return Object.hasOwn(special, group) ? special[group] : undefined
}

/** The price multiplier of a group for users of `userGroup`; 1 for one that has none. */
export const getGroupRatio = (group: string, tables: RatioTables, userGroup?: string): number =>
  (userGroup === undefined ? undefined : findSpecialRatio(userGroup || 'default', group, tables)) ??
  (Object.hasOwn(tables.GroupRatio, group) ? (tables.GroupRatio[group] ?? 1) : 1)
