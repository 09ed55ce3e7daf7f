// Reads from the settings which provider objects root has opened, for a group or for all groups.
import type { ProviderObject } from '../../dialects/requests/object-places.ts'
import type { Settings } from '../../settings/index.ts'

type Allowance = Pick<Settings, 'objects.allowed' | 'objects.one_tenant'>

/** Returns true if calls of this group may name the object, independent of its owner. */
export function isOpenObject(
  { kind, id }: Pick<ProviderObject, 'kind' | 'id'>,
  group: string,
  { 'objects.allowed': allowed, 'objects.one_tenant': open }: Allowance,
): boolean {
  if (open) return true
  const name = `${kind}:${id}`
  const getEntries = (named: string) => (Object.hasOwn(allowed, named) ? (allowed[named] ?? []) : [])
  return [...getEntries(group), ...getEntries('*')].some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name,
  )
}
