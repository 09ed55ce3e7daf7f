// What root has opened of providers' own objects, by the setting of its group or for everybody.
import type { NamedObject } from '../../dialects/object-places.ts'
import { callGroup } from '../../groups/group.ts'
import type { Settings } from '../../settings/index.ts'
import type { CallCaller } from '../call.ts'

type Allowance = Pick<Settings, 'objects.allowed' | 'objects.one_tenant'>

/** May calls of this group name the object, whoever has it? */
export function isOpenObject(
  { kind, id }: Pick<NamedObject, 'kind' | 'id'>,
  group: string,
  { 'objects.allowed': allowed, 'objects.one_tenant': open }: Allowance,
): boolean {
  if (open) return true
  const name = `${kind}:${id}`
  const entriesOf = (named: string) => (Object.hasOwn(allowed, named) ? (allowed[named] ?? []) : [])
  return [...entriesOf(group), ...entriesOf('*')].some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name,
  )
}

/** The group of a caller's calls. @throws GatewayError group.disabled, group.retired */
export const groupOf = ({ user, token, group = '' }: CallCaller, settings: Settings): string =>
  callGroup(user.group, (token ?? { group }).group, settings)
