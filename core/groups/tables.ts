// Maps a group to the settings that store it. Only this module knows which tables hold which part.
import type { Settings } from '../settings/index.ts'
import { getOwnMember } from '../settings/stored-price.ts'

/** The settings of a group. */
export interface GroupTerms {
  ratio: number
  /** The description for users who choose it for a token; null if only its members may use it. */
  description: string | null
  /** Its ratio for users of other groups, if it differs. */
  special: Readonly<Record<string, number>>
}

type GroupPriceTables = Pick<Settings, 'GroupRatio' | 'UserUsableGroups' | 'GroupGroupRatio'>
type AllTables = GroupPriceTables &
  Pick<Settings, 'TopupGroupRatio' | 'ModelRequestRateLimitGroup' | 'FallbackModels' | 'RateLimits'>

/** Returns the settings of a group; null if it does not exist. */
export function findGroupTerms(
  group: string,
  { GroupRatio, UserUsableGroups, GroupGroupRatio }: GroupPriceTables,
): GroupTerms | null {
  const ratio = getOwnMember(GroupRatio, group)
  if (ratio === undefined) return null
  const special = Object.entries(GroupGroupRatio).flatMap(([userGroup, table]) => {
    const one = getOwnMember(table, group)
    return one === undefined ? [] : [[userGroup, one] as const]
  })
  return { ratio, description: getOwnMember(UserUsableGroups, group) ?? null, special: Object.fromEntries(special) }
}

/** The tables with these terms of the group: a text for each that changes. */
export function setGroupTerms(group: string, { ratio, description, special }: GroupTerms, tables: GroupPriceTables) {
  const { [group]: _chosen, ...others } = tables.UserUsableGroups
  const userGroup = new Set([...Object.keys(tables.GroupGroupRatio), ...Object.keys(special)])
  const ratios = [...userGroup].map((user) => {
    const { [group]: _one, ...rest } = getOwnMember(tables.GroupGroupRatio, user) ?? {}
    const own = getOwnMember(special, user)
    return [user, own === undefined ? rest : { ...rest, [group]: own }] as const
  })
  return changed(tables, {
    GroupRatio: { ...tables.GroupRatio, [group]: ratio },
    // Keeps its position in the table, if it has one.
    UserUsableGroups: description === null ? others : { ...tables.UserUsableGroups, [group]: description },
    GroupGroupRatio: Object.fromEntries(ratios.filter(([, table]) => Object.keys(table).length > 0)),
  })
}

/** The tables without the group: one of the same name that is made later begins as a new one. */
export function removeGroupTerms(group: string, tables: AllTables) {
  const without = <T>(table: Readonly<Record<string, T>>, ...names: string[]) =>
    Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))
  const special = Object.entries(without(tables.GroupGroupRatio, group)).map(
    ([user, table]) => [user, without(table, group)] as const,
  )
  return changed(tables, {
    GroupRatio: without(tables.GroupRatio, group),
    UserUsableGroups: without(tables.UserUsableGroups, group),
    GroupGroupRatio: Object.fromEntries(special.filter(([, table]) => Object.keys(table).length > 0)),
    TopupGroupRatio: without(tables.TopupGroupRatio, group),
    ModelRequestRateLimitGroup: without(tables.ModelRequestRateLimitGroup, group),
    FallbackModels: without(tables.FallbackModels, group),
    RateLimits: without(tables.RateLimits, `users_of:${group}`, `group:${group}`),
  })
}

function changed(before: Partial<Settings>, after: Partial<Settings>): { key: string; value: string }[] {
  const text = (value: unknown) => JSON.stringify(value)
  return Object.entries(after)
    .filter(([key, table]) => text(before[key as keyof Settings]) !== text(table))
    .map(([key, table]) => ({ key, value: JSON.stringify(table, null, 2) }))
}
